/**
 * One finished page, read back from its own bytes: compared with the second path and put before the page gates. Looks at
 * the view only for which figures had to be there; stores nothing and folds no verdict.
 */
import { cardSentences } from "../../compose/card-sentences.ts";
import type { Analysers } from "../../compose/language/open.ts";
import { lineOfRuns } from "../../compose/print-slots.ts";
import type { SuppliedEvidence } from "../../gates/evidence.ts";
import { runGates } from "../../gates/run.ts";
import { compareCard } from "../../recalculate/compare.ts";
import { readPage } from "../../render/readback.ts";
import type { Card } from "../../schema/card.ts";
import type { Composed, DrawnClaim } from "../../schema/composed.ts";
import { type Chart, type Fact, figureId } from "../../schema/fact.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { PageLayout } from "../../schema/layout.ts";
import type { ReadLine } from "../../schema/readback.ts";
import type { CardComparison, Recalculated } from "../../schema/recalculated.ts";
import type { Dossier } from "../../schema/step-documents.ts";
import type { GateDecision } from "../../schema/verdict.ts";
import { gateTerms, type RunContext } from "../context.ts";
import { declaredSources } from "../declared.ts";
import { termsFor } from "./render.ts";
import { namesFor, vocabularyFor } from "./vocabulary.ts";

/** One page as read back from its bytes and measured; null stands for what could not be had, and the gates that need it block. */
export interface PageRead {
  card: Card | null;
  lines: ReadLine[] | null;
  layout: PageLayout | null;
  comparison: CardComparison | null;
  /** What the page was to say; null with the card. */
  composed: Composed | null;
}

export const NOTHING_READ: PageRead = { card: null, lines: null, layout: null, comparison: null, composed: null };

export function readBackPage(
  context: RunContext,
  instrument: Instrument,
  card: Card,
  html: string,
  second: Recalculated | null,
): Pick<PageRead, "card" | "lines" | "comparison"> {
  const readback = readPage(html);
  const document = vocabularyFor(context, instrument, card.locale);
  const comparison =
    second === null ? null : compareCard({ readback, recalculated: second, locale: card.locale, document });
  return { card, lines: readback.lines, comparison };
}

/** Decisions of the stages `sentences` and `page`. */
export function judgePage(
  context: RunContext,
  analysers: Analysers,
  instrument: Instrument,
  dossier: JudgedDossier,
  page: PageRead,
): GateDecision[] {
  const evidence = pageEvidence(context, analysers, instrument, dossier, page);
  const run = { ...context.policy, evidence, instrument: instrument.instrument };
  return [...runGates({ ...run, stage: "sentences" }), ...runGates({ ...run, stage: "page" })];
}

type JudgedDossier = Pick<Dossier, "facts"> & { chart: Chart | null };

export function pageEvidence(
  context: RunContext,
  analysers: Analysers,
  instrument: Instrument,
  dossier: JudgedDossier,
  page: PageRead,
): Partial<SuppliedEvidence> {
  const { card, layout, comparison, composed } = page;
  return {
    terms: gateTerms(context, instrument),
    instrument,
    sources: declaredSources(context, instrument),
    causal_edges: context.causalEdges,
    facts: dossier.facts,
    chart: dossier.chart,
    ...(card === null || composed === null
      ? {}
      : {
          figures: figuresOf(card),
          tiles: card.tiles.map((tile) => tile.figure),
          card_terms: termsFor(context, instrument, card.locale, composed),
          ...sentencesOf(context, analysers, instrument, page.lines, composed, dossier.facts),
        }),
    ...(layout === null ? {} : { layout }),
    ...(comparison === null ? {} : { comparison }),
  };
}

/** The sentences of the page, its claims among them, and of the research behind it. */
function sentencesOf(
  context: RunContext,
  analysers: Analysers,
  instrument: Instrument,
  lines: ReadLine[] | null,
  { locale, claims: drawn, searches }: Composed,
  facts: readonly Fact[],
): Pick<SuppliedEvidence, "claims" | "query_receipts"> & Partial<Pick<SuppliedEvidence, "sentences" | "drawn_claims">> {
  const claims = drawn.map(({ record }) => record);
  const nothing = { claims, query_receipts: searches };
  if (lines === null) return nothing;
  const { legal, entities } = vocabularyFor(context, instrument, locale);
  const research = context.research.get(instrument.instrument)?.definition ?? null;
  const { registered, common } = namesFor(context, instrument, locale);
  const stated = facts.filter(({ unit, status }) => unit === "text" && status === "OK");
  const supplied = [
    ...Object.entries(entities).map(([name, text]) => ({ id: `names/${name}`, text })),
    ...stated.map((fact) => ({ id: `stated/${figureId(fact)}`, text: fact.value ?? "" })),
    ...(research === null ? [] : [{ id: "research/title", text: research.title[locale] }]),
  ];
  const words = { locale, lines, claims, research, legal, supplied, registered, common };
  return { ...nothing, sentences: cardSentences(analysers, words), drawn_claims: drawnClaims(drawn, lines) };
}

/** Each claim as it was to be printed beside each line that says it is that claim; a line of no claim has its own entry. */
function drawnClaims(drawn: readonly DrawnClaim[], lines: readonly ReadLine[]): SuppliedEvidence["drawn_claims"] {
  const expected = new Map(drawn.map(({ record, runs }) => [record.id, lineOfRuns(runs)]));
  const ids = new Set([...expected.keys(), ...lines.flatMap(({ claim }) => claim ?? [])]);
  return [...ids].map((claim) => ({
    claim,
    expected: expected.get(claim) ?? null,
    drawn: lines.filter((line) => line.claim === claim).map(({ text, slots }) => ({ text, slots })),
  }));
}

/** Figure ids of everything printed as figure, date or stated text: each must be read back and recalculated. */
function figuresOf(card: Card): string[] {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const item of node) walk(item);
    } else if (typeof node === "object" && node !== null) {
      const { figure, printed } = node as { figure?: unknown; printed?: unknown };
      if (typeof figure === "string" && typeof printed === "string") found.add(figure);
      for (const value of Object.values(node)) walk(value);
    }
  };
  walk(card);
  return [...found].sort();
}
