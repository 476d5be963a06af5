/** multiple_residual.1y = (TRI of the last kept pair / TRI of the first − 1) − multiple_compounded.1y, for m ≠ 1. */
import { isUnavailable, unavailable } from "../domain/outcome.ts";
import type { Window } from "../domain/window.ts";
import { amount, defineFact, firstAbsent } from "./fact.ts";

export const multipleResidual = defineFact({
  id: "multiple_residual",
  version: 1,
  needs: ["total_return", "multiple_compounded"],
  compute(series, window, other) {
    if (series.multiple.eq(1)) return unavailable("NOT_APPLICABLE");
    const compounded = other("multiple_compounded", window);
    const total = other("total_return", window);
    const pairs = series.aligned(window as Window);
    if (isUnavailable(compounded) || isUnavailable(total) || isUnavailable(pairs)) {
      return firstAbsent(compounded, total, pairs);
    }
    const growth = pairs.at(-1)!.own.div(pairs[0]!.own);
    return {
      ...compounded,
      value: growth.minus(1).minus(amount(compounded)),
      evidence: [...total.evidence, ...compounded.evidence],
    };
  },
});
