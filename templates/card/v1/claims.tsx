/**
 * What can be said: numbered sentences with their figures underlined, the counter-points at the same size in a place of their
 * own, and beside them the text that says who wrote them. A sentence is drawn as it was printed; nothing is added inside it.
 */
import type { ReactNode } from "react";
import type { Card, CardClaim } from "../../../pipeline/schema/card.ts";
import { WORDS } from "../../locales/index.ts";
import type { CardWords } from "../../locales/words.ts";
import { Classed, InlineRun } from "./bound.tsx";

/** Id of the disclosure that stands here and not among the others. */
export const AI_LABEL = "ai_generated";

export function Claims({ card }: { card: Card }): ReactNode {
  if (card.claims.length === 0) return null;
  const words = WORDS[card.locale].claims;
  const label = card.disclosures.find(({ id }) => id === AI_LABEL);
  const others = card.claims.filter(({ role }) => role === "counterpoint");
  return (
    <section className="claims" aria-labelledby="claims-title" data-where="claims">
      <h2 id="claims-title">{words.title}</h2>
      {label === undefined ? null : (
        <p className="claims-label" data-numeral="legal" data-of={label.id}>
          {label.text}
        </p>
      )}
      <Sentences claims={card.claims.filter(({ role }) => role !== "counterpoint")} words={words} />
      {others.length === 0 ? null : (
        <div className="claims-other">
          <h3>{words.counterpoint}</h3>
          <Sentences claims={others} words={words} />
        </div>
      )}
    </section>
  );
}

function Sentences({ claims, words }: { claims: readonly CardClaim[]; words: CardWords["claims"] }): ReactNode {
  return (
    <div className="claims-list">
      {claims.map((claim) => (
        <div className="claim" key={claim.id}>
          <p className="claim-number">
            <Classed numeral="ordinal" of={String(claim.number)}>
              {String(claim.number)}
            </Classed>
          </p>
          <p className="claim-text" data-claim={claim.id} data-row="">
            {claim.runs.map((run, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: static markup, rendered once
              <InlineRun run={run} key={index} />
            ))}
          </p>
          <p className="claim-note">
            {claim.role === "risk" ? `${words.risk} · ` : null}
            {claim.evidence.map((run, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: static markup, rendered once
              <InlineRun run={run} key={index} />
            ))}
          </p>
        </div>
      ))}
    </div>
  );
}
