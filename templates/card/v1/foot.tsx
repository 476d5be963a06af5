/** Disclosures, what the card was made with, and the seal strip whose inside is no part of the content. */
import type { ReactNode } from "react";
import type { Card } from "../../../pipeline/schema/card.ts";
import { WORDS } from "../../locales/index.ts";
import { Classed } from "./bound.tsx";
import { AI_LABEL } from "./claims.tsx";

export function Disclosures({ card }: { card: Card }): ReactNode {
  const words = WORDS[card.locale];
  return (
    <section className="disclosures" aria-labelledby="disclosures-title" data-where="disclosures">
      <h2 id="disclosures-title">{words.disclosures_title}</h2>
      {card.disclosures
        .filter(({ id }) => id !== AI_LABEL || card.claims.length === 0)
        .map((disclosure) => (
          <p key={disclosure.id} data-numeral="legal" data-of={disclosure.id}>
            {disclosure.text}
          </p>
        ))}
    </section>
  );
}

export function MadeWith({ card }: { card: Card }): ReactNode {
  const words = WORDS[card.locale];
  return (
    <p className="made-with" data-where="made_with">
      <span>
        {words.vendors}{" "}
        {card.vendors.map((vendor, index) => (
          <span key={vendor.of}>
            {index === 0 ? "" : ", "}
            <Classed numeral="entity" of={vendor.of}>
              {vendor.text}
            </Classed>
          </span>
        ))}
      </span>
      <span>
        {words.made_with}{" "}
        <Classed numeral="identifier" of="template">
          {card.template}
        </Classed>
        {" · "}
        <Classed numeral="identifier" of="batch">
          {card.batch}
        </Classed>
      </span>
    </p>
  );
}

export function SealStrip({ card }: { card: Card }): ReactNode {
  const words = WORDS[card.locale].seal;
  return (
    <section id="assay-seal" aria-label={words.title} data-where="seal">
      <p className="seal-draft">{words.draft}</p>
      <div className="seal-words">
        <p>{words.draft_words}</p>
        <p className="seal-code">
          <span>{words.code}</span> <span className="seal-empty">{words.code_empty}</span>
        </p>
      </div>
      <div className="seal-qr">{words.qr_empty}</div>
    </section>
  );
}
