/** multiple_compounded.1y = Π(1 + m × r_benchmark) − 1 over aligned pairs: what the multiple, reset daily, would have made. */
import { ONE } from "../domain/decimal.ts";
import { isUnavailable, unavailable } from "../domain/outcome.ts";
import type { Window } from "../domain/window.ts";
import { defineFact } from "./fact.ts";

export const multipleCompounded = defineFact({
  id: "multiple_compounded",
  version: 1,
  needs: [],
  compute(series, window) {
    if (series.multiple.eq(1)) return unavailable("NOT_APPLICABLE");
    const own = series.totalReturn();
    const pairs = series.aligned(window as Window);
    if (isUnavailable(pairs)) return pairs;
    let product = ONE;
    for (let index = 1; index < pairs.length; index++) {
      const move = pairs[index]!.benchmark.level.div(pairs[index - 1]!.benchmark.level).minus(1);
      product = product.times(series.multiple.times(move).plus(1));
    }
    return {
      value: product.minus(1),
      start: pairs[0]!.session,
      end: pairs.at(-1)!.session,
      // The product's own sessions decide which benchmark levels are paired.
      evidence: [...(isUnavailable(own) ? [] : own.evidence), ...pairs[0]!.benchmark.evidence],
    };
  },
});
