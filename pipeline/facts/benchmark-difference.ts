/** benchmark_difference.{1y,3y} = total_return.W − benchmark_return.W, for products that follow once (m = 1) only. */
import { isUnavailable, unavailable } from "../domain/outcome.ts";
import { amount, defineFact, firstAbsent } from "./fact.ts";

export const benchmarkDifference = defineFact({
  id: "benchmark_difference",
  version: 1,
  needs: ["total_return", "benchmark_return"],
  compute(series, window, other) {
    if (!series.multiple.eq(1)) return unavailable("NOT_APPLICABLE");
    const reference = other("benchmark_return", window);
    const total = other("total_return", window);
    if (isUnavailable(reference) || isUnavailable(total)) return firstAbsent(reference, total);
    return {
      ...total,
      value: amount(total).minus(amount(reference)),
      evidence: [...total.evidence, ...reference.evidence],
    };
  },
});
