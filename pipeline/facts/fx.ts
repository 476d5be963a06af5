/**
 * FX at a session: the last rate on or before that date, at most seven days old, with the rate's own date. The pair as
 * asked comes first; where only the opposite direction exists, its reciprocal. Never a rate of a later day.
 */
import { type DateText, daysBetween } from "../domain/date.ts";
import { type Decimal, decimal, ONE } from "../domain/decimal.ts";
import { type Unavailable, unavailable } from "../domain/outcome.ts";
import type { FxSeries, Observations } from "../schema/observation.ts";
import { isPositive } from "./fact.ts";
import { indexOn, memoised } from "./levels.ts";

export const FX_DAYS = 7;

export interface FxRate {
  rate: Decimal;
  /** The day the rate belongs to. */
  on: DateText;
  evidence: string;
}

export type FxReader = (date: DateText) => FxRate | Unavailable;

/** The first source that quotes the pair so, else the first that quotes the inverse. */
export function chooseFx(series: readonly Observations[], base: string, quote: string): FxSeries | undefined {
  const known = series.filter((one): one is FxSeries => one.kind === "fx");
  const direct = known.find((one) => one.base === base && one.quote === quote);
  return direct ?? known.find((one) => one.base === quote && one.quote === base);
}

/** Reads `quote` per unit of `base`. */
export function fxBetween(series: readonly Observations[], base: string, quote: string): FxReader {
  const chosen = chooseFx(series, base, quote);
  if (chosen === undefined) return () => unavailable("SOURCE_MISSING");
  const { dates, rate, reciprocal } = ratesOf(chosen);
  const read = chosen.base === base ? rate : reciprocal;
  return (date) => {
    const index = indexOn(dates, date);
    const on = dates[index];
    if (on === undefined || (on !== date && daysBetween(on, date) > FX_DAYS)) return unavailable("FX_GAP");
    return { rate: read(index), on, evidence: chosen.evidence_id };
  };
}

export interface Rates {
  dates: DateText[];
  rate: (index: number) => Decimal;
  reciprocal: (index: number) => Decimal;
}
const ratesBySeries = new WeakMap<FxSeries, Rates>();

export function ratesOf(series: FxSeries): Rates {
  const known = ratesBySeries.get(series);
  if (known !== undefined) return known;
  const usable = series.rows
    .filter(({ rate }) => isPositive(rate))
    .sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : one.row - other.row));
  const rate = memoised(usable.length, (index) => decimal(usable[index]!.rate));
  const rates = {
    dates: usable.map(({ date }) => date),
    rate,
    reciprocal: memoised(usable.length, (index) => ONE.div(rate(index))),
  };
  ratesBySeries.set(series, rates);
  return rates;
}
