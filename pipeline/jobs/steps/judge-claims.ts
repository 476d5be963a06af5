/**
 * Claims before the sentence gates, before anything is drawn: the same gates and the same evidence as for the page, on the
 * claims and the research that they may rest on. Says what each gate found in which claim; draws and stores nothing.
 */
import { cardSentences } from "../../compose/card-sentences.ts";
import type { Analysers } from "../../compose/language/open.ts";
import type { Locale } from "../../domain/locale.ts";
import { runGates } from "../../gates/run.ts";
import type { ClaimRecord } from "../../schema/claim.ts";
import type { Fact } from "../../schema/fact.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { SearchRecord } from "../../schema/query-receipt.ts";
import type { Finding } from "../../schema/verdict.ts";
import type { RunContext } from "../context.ts";
import { declaredSources } from "../declared.ts";
import type { CardNames } from "./vocabulary.ts";

export interface ClaimsJudged {
  /** By claim id; a claim in which nothing was found is not in it. */
  findings: Map<string, Finding[]>;
  /** Claims times gates that looked at them. */
  checks: number;
}

export function judgeClaims(
  context: RunContext,
  analysers: Analysers,
  instrument: Instrument,
  locale: Locale,
  facts: Fact[],
  claims: ClaimRecord[],
  names: CardNames,
  query_receipts: SearchRecord[],
): ClaimsJudged {
  const judged: ClaimsJudged = { findings: new Map(), checks: 0 };
  if (claims.length === 0) return judged;
  const research = context.research.get(instrument.instrument)?.definition ?? null;
  const sentences = cardSentences(analysers, {
    locale,
    lines: [],
    claims,
    research,
    legal: {},
    supplied: [],
    ...names,
  });
  const decisions = runGates({
    ...context.policy,
    instrument: instrument.instrument,
    stage: "sentences",
    evidence: {
      sentences,
      claims,
      facts,
      query_receipts,
      sources: declaredSources(context, instrument),
      causal_edges: context.causalEdges,
    },
  });
  const ids = new Set(claims.map(({ id }) => id));
  for (const { findings, subjects_examined } of decisions) {
    if (subjects_examined > 0) judged.checks += claims.length;
    for (const finding of findings) {
      // What is wrong with a gate or with its evidence is wrong with every claim; what is wrong with the research is not.
      const isOfResearch = sentences.some(({ id, kind }) => id === finding.subject && kind === "research");
      const concerned = ids.has(finding.subject) ? [finding.subject] : isOfResearch ? [] : [...ids];
      for (const id of concerned) judged.findings.set(id, [...(judged.findings.get(id) ?? []), finding]);
    }
  }
  return judged;
}
