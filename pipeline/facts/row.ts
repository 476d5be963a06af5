/** A formula's result as a row of facts.csv: unit, print rule and currency come from the catalogue, text is exact. */
import { toText } from "../domain/decimal.ts";
import { AssayError, isUnavailable } from "../domain/outcome.ts";
import { CATALOGUE, type CatalogueEntry, STATED_EXPENSE_RATIO } from "../schema/catalogue.ts";
import type { Fact } from "../schema/fact.ts";
import type { Instrument } from "../schema/instrument.ts";
import type { Absent, Found } from "./fact.ts";

const ENTRIES = new Map<string, CatalogueEntry>(
  [...CATALOGUE, STATED_EXPENSE_RATIO].map((entry) => [entry.fact, entry]),
);

export interface Row {
  instrument: Instrument;
  fact: string;
  window: string;
  formula: string;
  epistemic_type: Fact["epistemic_type"];
  result: Found | Absent;
}

export function toFact({ instrument, fact, window, formula, epistemic_type, result }: Row): Fact {
  const entry = ENTRIES.get(fact);
  if (entry === undefined) throw new AssayError("FACT_UNKNOWN", `the catalogue has no ${fact}`);
  const absent = isUnavailable(result);
  const stated = absent ? undefined : result.stated;
  return {
    schema: "fact/v1",
    instrument: instrument.instrument,
    fact,
    window,
    status: absent ? "UNAVAILABLE" : "OK",
    reason: absent ? result.reason : null,
    value: absent ? null : typeof result.value === "string" ? result.value : toText(result.value),
    unit: entry.unit,
    currency: entry.in_currency ? (stated?.currency ?? instrument.currency) : null,
    print_rule: entry.print_rule,
    start_session: absent ? null : result.start,
    end_session: absent ? null : result.end,
    formula,
    epistemic_type,
    evidence: [...(result.evidence ?? [])],
    source_id: stated?.source_id ?? null,
    stated_on: stated?.on ?? null,
  };
}
