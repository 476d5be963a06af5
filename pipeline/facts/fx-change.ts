/** fx_change.W = FX(end) / FX(start) − 1, reporting currency per unit of the product's, at the sessions of total_return.W. */
import { isUnavailable, unavailable } from "../domain/outcome.ts";
import { defineFact, firstAbsent } from "./fact.ts";

export const fxChange = defineFact({
  id: "fx_change",
  version: 1,
  needs: ["total_return"],
  compute(series, window, other) {
    if (series.instrument.currency === series.terms.reporting_currency) return unavailable("NOT_APPLICABLE");
    const total = other("total_return", window);
    if (isUnavailable(total)) return total;
    const first = series.fxToReporting(total.start!);
    const last = series.fxToReporting(total.end!);
    if (isUnavailable(first) || isUnavailable(last)) return firstAbsent(first, last);
    return { ...total, value: last.rate.div(first.rate).minus(1), evidence: [last.evidence] };
  },
});
