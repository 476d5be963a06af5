/**
 * One finished page, read back from its own bytes: compared with the second path and put before the page gates. Looks at
 * the view only for which figures had to be there; stores nothing and folds no verdict.
 */
import type { Locale } from "../../domain/locale.ts";
import { runGates } from "../../gates/run.ts";
import { compareCard } from "../../recalculate/compare.ts";
import { pageVocabulary } from "../../render/page-vocabulary.ts";
import { readPage } from "../../render/readback.ts";
import type { Card } from "../../schema/card.ts";
import type { Chart } from "../../schema/fact.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { CardComparison, Recalculated } from "../../schema/recalculated.ts";
import type { Dossier } from "../../schema/step-documents.ts";
import type { GateDecision } from "../../schema/verdict.ts";
import { benchmarkOf, type RunContext } from "../context.ts";

export function comparePage(
  context: RunContext,
  instrument: Instrument,
  locale: Locale,
  html: string,
  second: Recalculated,
): CardComparison {
  return compareCard({
    readback: readPage(html),
    recalculated: second,
    locale,
    document: pageVocabulary({
      batchId: context.frozen.batch.id,
      instrument,
      benchmark: benchmarkOf(context, instrument),
      sources: context.frozen.batch.sources.map(({ id, vendor }) => ({ id, vendor })),
      disclosures: context.policy.disclosures,
      locale,
    }),
  });
}

/** Null stands for what could not be had; the gates that need it block. */
export function judgePage(
  context: RunContext,
  instrument: Instrument,
  dossier: Pick<Dossier, "facts"> & { chart: Chart | null },
  card: Card | null,
  comparison: CardComparison | null,
): GateDecision[] {
  const evidence = {
    facts: dossier.facts,
    chart: dossier.chart,
    ...(card === null ? {} : { figures: figuresOf(card), tiles: card.tiles.map((tile) => tile.figure) }),
    ...(comparison === null ? {} : { comparison }),
  };
  return runGates({ ...context.policy, evidence, instrument: instrument.instrument, stage: "page" });
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
