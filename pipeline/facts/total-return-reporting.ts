/** total_return_reporting.W = (1 + total_return.W) × (1 + fx_change.W) − 1: what a holder who counts in that currency had. */
import { isUnavailable, unavailable } from "../domain/outcome.ts";
import { amount, defineFact, firstAbsent } from "./fact.ts";

export const totalReturnReporting = defineFact({
  id: "total_return_reporting",
  version: 1,
  needs: ["total_return", "fx_change"],
  compute(series, window, other) {
    if (series.instrument.currency === series.terms.reporting_currency) return unavailable("NOT_APPLICABLE");
    const total = other("total_return", window);
    const change = other("fx_change", window);
    if (isUnavailable(total) || isUnavailable(change)) return firstAbsent(total, change);
    return {
      ...total,
      value: amount(total).plus(1).times(amount(change).plus(1)).minus(1),
      evidence: [...total.evidence, ...change.evidence],
    };
  },
});
