/**
 * multiple_gap.1y = total_return.1y − m × benchmark_return.1y, for m ≠ 1. NOT_APPLICABLE where m × benchmark_return is a
 * loss of everything or more: no product can lose more than all.
 */
import { isUnavailable, unavailable } from "../domain/outcome.ts";
import { amount, defineFact, firstAbsent } from "./fact.ts";

export const multipleGap = defineFact({
  id: "multiple_gap",
  version: 1,
  needs: ["total_return", "benchmark_return"],
  compute(series, window, other) {
    if (series.multiple.eq(1)) return unavailable("NOT_APPLICABLE");
    const total = other("total_return", window);
    const reference = other("benchmark_return", window);
    if (isUnavailable(total) || isUnavailable(reference)) return firstAbsent(total, reference);
    const simple = series.multiple.times(amount(reference));
    if (simple.lte(-1)) return unavailable("NOT_APPLICABLE");
    return { ...total, value: amount(total).minus(simple), evidence: [...total.evidence, ...reference.evidence] };
  },
});
