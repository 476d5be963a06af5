/**
 * distribution_yield.ttm and distribution_count.ttm: distributions with ex-date in (cutoff − 12 months, cutoff], over the
 * last close on the same basis. A product that pays nothing yields 0; one whose file is missing has no yield.
 */
import { addMonths } from "../domain/date.ts";
import { decimal, sum } from "../domain/decimal.ts";
import { isUnavailable, unavailable } from "../domain/outcome.ts";
import { amount, defineFact, isPositive } from "./fact.ts";
import type { SeriesContext } from "./select.ts";

function paidInYear(series: SeriesContext) {
  return series.once("paid ttm", () => {
    if (series.lacksDistributionFile()) return unavailable("SOURCE_MISSING");
    const closes = series.closes("split_adjusted", "as_traded");
    if (isUnavailable(closes)) return closes;
    const paid = series.distributions(closes.basis);
    if (isUnavailable(paid)) return paid;
    const after = addMonths(series.cutoff, -12);
    if (closes.sessions[0]! > after) return unavailable("INSUFFICIENT_HISTORY");
    const rows = paid.rows.filter(
      (row) => row.ex_date > after && row.ex_date <= series.cutoff && isPositive(row.amount),
    );
    const start = closes.sessions.find((session) => session > after)!;
    return { rows, paid, start, end: closes.sessions.at(-1)! };
  });
}

export const distributionYield = defineFact({
  id: "distribution_yield",
  version: 1,
  needs: ["last_close"],
  compute(series, _window, other) {
    const found = paidInYear(series);
    const close = other("last_close", "");
    if (isUnavailable(found)) return found;
    if (isUnavailable(close)) return close;
    const total = sum(found.rows.map((row) => decimal(row.amount)));
    return {
      value: total.div(amount(close)),
      start: found.start,
      end: found.end,
      evidence: [...close.evidence, found.paid.evidence_id],
    };
  },
});

export const distributionCount = defineFact({
  id: "distribution_count",
  version: 1,
  needs: [],
  compute(series) {
    const found = paidInYear(series);
    if (isUnavailable(found)) return found;
    const dates = new Set(found.rows.map((row) => row.ex_date));
    return { value: decimal(dates.size), start: found.start, end: found.end, evidence: [found.paid.evidence_id] };
  },
});
