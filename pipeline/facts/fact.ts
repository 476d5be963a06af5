/** The shape of a formula: an id and version, the facts it builds on, and a pure function of one product's series. */
import type { DateText } from "../domain/date.ts";
import { type Decimal, decimal, isPlainNumeral } from "../domain/decimal.ts";
import { firstReason, isUnavailable, type Unavailable, unavailable } from "../domain/outcome.ts";
import type { Fact } from "../schema/fact.ts";
import type { SeriesContext } from "./select.ts";

/** A value that was found, with the sessions it spans and the evidence it rests on. */
export interface Found {
  value: Decimal | string;
  start: DateText | null;
  end: DateText | null;
  evidence: readonly string[];
  /** REPORTED facts: who states it, when it was retrieved, and in which currency. */
  stated?: { source_id: string; on: DateText; currency: string | null };
}

/** What a formula may return instead: a reason, with evidence where two sources contradict each other. */
export type Absent = Unavailable & { evidence?: readonly string[] };

/** Another fact of the same product; refused unless named in `needs`. */
export type FactReader = (fact: string, window: string) => Found | Absent;

export interface FactDefinition {
  id: string;
  version: number;
  needs: readonly string[];
  epistemic_type: Fact["epistemic_type"];
  compute(series: SeriesContext, window: string, other: FactReader): Found | Absent;
}

export function defineFact(
  definition: Omit<FactDefinition, "epistemic_type"> & Partial<Pick<FactDefinition, "epistemic_type">>,
): FactDefinition {
  return { epistemic_type: "DERIVED", ...definition };
}

export function amount(found: Found): Decimal {
  return typeof found.value === "string" ? decimal(found.value) : found.value;
}

/** The reason to give where several parts may be missing: the first of theirs in the order of precedence. */
export function firstAbsent(...parts: unknown[]): Unavailable {
  return unavailable(firstReason(parts.filter(isUnavailable).map(({ reason }) => reason)));
}

/** A usable price, rate or amount. Zero is what some vendors write for nothing. */
export function isPositive(numeral: string | null): numeral is string {
  return numeral !== null && isPlainNumeral(numeral) && Number(numeral) > 0;
}
