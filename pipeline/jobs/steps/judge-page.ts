/**
 * One finished page, read back from its own bytes: compared with the second path and put before the page gates. Looks at
 * the view only for which figures had to be there; stores nothing and folds no verdict.
 */
import { cardSentences } from "../../compose/card-sentences.ts";
import type { Analysers } from "../../compose/language/open.ts";
import { namesOf } from "../../compose/plain-sentences.ts";
import type { Locale } from "../../domain/locale.ts";
import type { SuppliedEvidence } from "../../gates/evidence.ts";
import { runGates } from "../../gates/run.ts";
import { compareCard } from "../../recalculate/compare.ts";
import { type PageVocabulary, pageVocabulary } from "../../render/page-vocabulary.ts";
import { readPage } from "../../render/readback.ts";
import type { Card } from "../../schema/card.ts";
import { type Chart, type Fact, figureId } from "../../schema/fact.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { PageLayout } from "../../schema/layout.ts";
import type { ReadLine } from "../../schema/readback.ts";
import type { CardComparison, Recalculated } from "../../schema/recalculated.ts";
import type { Dossier } from "../../schema/step-documents.ts";
import type { GateDecision } from "../../schema/verdict.ts";
import { benchmarkOf, gateTerms, type RunContext } from "../context.ts";
import { declaredSources } from "../declared.ts";
import { termsFor } from "./render.ts";

/** One page as read back from its bytes and measured; null stands for what could not be had, and the gates that need it block. */
export interface PageRead {
  card: Card | null;
  lines: ReadLine[] | null;
  layout: PageLayout | null;
  comparison: CardComparison | null;
}

export const NOTHING_READ: PageRead = { card: null, lines: null, layout: null, comparison: null };

export function readBackPage(
  context: RunContext,
  instrument: Instrument,
  card: Card,
  html: string,
  second: Recalculated | null,
): Pick<PageRead, "card" | "lines" | "comparison"> {
  const readback = readPage(html);
  const document = vocabularyOf(context, instrument, card.locale);
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
  const { card, layout, comparison } = page;
  return {
    terms: gateTerms(context, instrument),
    instrument,
    sources: declaredSources(context, instrument),
    causal_edges: context.causalEdges,
    facts: dossier.facts,
    chart: dossier.chart,
    ...(card === null
      ? {}
      : {
          figures: figuresOf(card),
          tiles: card.tiles.map((tile) => tile.figure),
          card_terms: {
            ...termsFor(context, instrument, card.locale),
            composed: { count: card.claims.length, model: null },
          },
          ...sentencesOf(context, analysers, instrument, page, card, dossier.facts),
        }),
    ...(layout === null ? {} : { layout }),
    ...(comparison === null ? {} : { comparison }),
  };
}

/** The sentences of the page and of the research behind it; cards hold no claims yet. */
function sentencesOf(
  context: RunContext,
  analysers: Analysers,
  instrument: Instrument,
  { lines }: PageRead,
  { locale, claims }: Card,
  facts: readonly Fact[],
): Pick<SuppliedEvidence, "claims" | "query_receipts"> & Partial<Pick<SuppliedEvidence, "sentences">> {
  const nothing = { claims, query_receipts: [] };
  if (lines === null) return nothing;
  const { entities, identifiers, legal } = vocabularyOf(context, instrument, locale);
  const research = context.research.get(instrument.instrument)?.definition ?? null;
  // A name of the research is no name where it holds no numeral: it could fold any words away.
  const own = (research?.names ?? []).filter((name) => /\p{N}/u.test(name));
  const registered = [...Object.values(entities), ...Object.values(identifiers), ...own];
  const stated = facts.filter(({ unit, status }) => unit === "text" && status === "OK");
  const supplied = [
    ...Object.entries(entities).map(([name, text]) => ({ id: `names/${name}`, text })),
    ...stated.map((fact) => ({ id: `stated/${figureId(fact)}`, text: fact.value ?? "" })),
    ...(research === null ? [] : [{ id: "research/title", text: research.title[locale] }]),
  ];
  const common = namesOf(context.policy.lexicons);
  const words = { locale, lines, claims, research, legal, supplied, registered, common };
  return { ...nothing, sentences: cardSentences(analysers, words) };
}

function vocabularyOf(context: RunContext, instrument: Instrument, locale: Locale): PageVocabulary {
  return pageVocabulary({
    batchId: context.frozen.batch.id,
    instrument,
    benchmark: benchmarkOf(context, instrument),
    sources: context.frozen.batch.sources.map(({ id, vendor }) => ({ id, vendor })),
    disclosures: context.policy.disclosures,
    locale,
  });
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
