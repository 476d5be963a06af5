/**
 * All facts of one product but the peer facts, in catalogue order, with the moves that the jump rules read. Pure: the
 * same series give the same rows. What needs a person's judgement (a jump, a conflict) is left to the gates.
 */
import { AssayError } from "../domain/outcome.ts";
import { CATALOGUE, STATED_EXPENSE_RATIO } from "../schema/catalogue.ts";
import type { Fact, Move, SideSeries } from "../schema/fact.ts";
import { type CrossCheck, crossCheck } from "./cross-check.ts";
import type { Absent, FactDefinition, Found } from "./fact.ts";
import { FORMULAS } from "./index.ts";
import { computeMoves } from "./moves.ts";
import { toFact } from "./row.ts";
import { type BatchTerms, basisOf, type InstrumentInputs, openSeries, type SeriesBasis } from "./select.ts";
import { computeSideSeries } from "./side-series.ts";

export { computeChart } from "./chart.ts";
export { computePeerFacts } from "./peers.ts";

export interface InstrumentFacts {
  /** Catalogue order without the peer rows; then one total_expense_ratio_stated row per source that states one. */
  facts: Fact[];
  /** Sessions of the longest window that is OK, ascending. */
  moves: Move[];
  /** Rates, net asset values and payouts that the facts rest on. */
  side_series: SideSeries[];
  /** The 1-year total return on both bases, where the product has both. */
  cross_check: CrossCheck | null;
  /** What the price facts and the total return rest on; null where they are unavailable. */
  price_basis: SeriesBasis | null;
  total_return_basis: SeriesBasis | null;
}

const BY_ID = new Map(FORMULAS.map((definition) => [definition.id, definition]));

export function computeFacts(
  terms: BatchTerms,
  self: InstrumentInputs,
  benchmark: InstrumentInputs | null,
): InstrumentFacts {
  const series = openSeries(terms, self, benchmark);
  const known = new Map<string, Found | Absent>();
  const resultOf = (definition: FactDefinition, window: string): Found | Absent => {
    const key = `${definition.id}.${window}`;
    let result = known.get(key);
    if (result === undefined) {
      result = definition.compute(series, window, (id, of) => resultOf(needed(definition, id), of));
      known.set(key, result);
    }
    return result;
  };
  const inOrder = sourceOrder(terms, self, benchmark);
  const rowOf = (definition: FactDefinition, fact: string, window: string, result: Found | Absent) =>
    toFact({
      instrument: self.instrument,
      fact,
      window,
      formula: `${definition.id}/${definition.version}`,
      epistemic_type: definition.epistemic_type,
      result: { ...result, evidence: inOrder(result.evidence ?? []) },
    });
  const facts = CATALOGUE.flatMap(({ fact, windows }) => {
    const definition = BY_ID.get(fact);
    if (definition === undefined) return [];
    return windows.map((window) => rowOf(definition, fact, window, resultOf(definition, window)));
  });
  const expenseRatio = BY_ID.get("total_expense_ratio")!;
  const stated = series
    .stated("total_expense_ratio")
    .map((found) => rowOf(expenseRatio, STATED_EXPENSE_RATIO.fact, found.stated!.source_id, found));
  return {
    facts: [...facts, ...stated],
    moves: computeMoves(series),
    side_series: computeSideSeries(series),
    cross_check: crossCheck(terms, self),
    price_basis: basisOf(series.closes("split_adjusted", "as_traded")),
    total_return_basis: basisOf(series.totalReturn()),
  };
}

function needed(definition: FactDefinition, id: string): FactDefinition {
  const found = BY_ID.get(id);
  if (found === undefined || !definition.needs.includes(id)) {
    throw new AssayError("FACT_NOT_DECLARED", `${definition.id} reads ${id} without naming it in needs`);
  }
  return found;
}

/** Evidence in batch source order, the product's own before its benchmark's, each once. */
function sourceOrder(terms: BatchTerms, self: InstrumentInputs, benchmark: InstrumentInputs | null) {
  const place = new Map<string, number>();
  for (const { id } of terms.sources) {
    for (const one of [...self.series, ...(benchmark?.series ?? [])]) {
      if (one.source_id === id && !place.has(one.evidence_id)) place.set(one.evidence_id, place.size);
    }
  }
  return (evidence: readonly string[]) =>
    [...new Set(evidence)]
      .filter((id) => id !== "")
      .sort((one, other) => (place.get(one) ?? place.size) - (place.get(other) ?? place.size));
}
