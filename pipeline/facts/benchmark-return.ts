/**
 * benchmark_return.{1y,3y} = the benchmark's level at the product's end session / at its start session − 1: last closes
 * that had happened by then, in the product's currency unless it is hedged.
 */
import { isUnavailable } from "../domain/outcome.ts";
import { defineFact, firstAbsent } from "./fact.ts";

export const benchmarkReturn = defineFact({
  id: "benchmark_return",
  version: 1,
  needs: ["total_return"],
  compute(series, window, other) {
    const total = other("total_return", window);
    const benchmark = series.benchmarkLevels();
    if (isUnavailable(total) || isUnavailable(benchmark)) return firstAbsent(total, benchmark);
    const first = series.benchmarkAt(total.start!);
    const last = series.benchmarkAt(total.end!);
    if (isUnavailable(first) || isUnavailable(last)) return firstAbsent(first, last);
    return { ...total, value: last.level.div(first.level).minus(1), evidence: [...total.evidence, ...last.evidence] };
  },
});
