/** price_return.W = P(end) / P(start) − 1 on split-adjusted closes. Never on adjusted ones: those tell a total return. */
import { isUnavailable } from "../domain/outcome.ts";
import type { Window } from "../domain/window.ts";
import { defineFact } from "./fact.ts";

export const priceReturn = defineFact({
  id: "price_return",
  version: 1,
  needs: [],
  compute(series, window) {
    const closes = series.closes("split_adjusted");
    if (isUnavailable(closes)) return closes;
    const span = series.span(closes, window as Window);
    if (isUnavailable(span)) return span;
    return {
      value: closes.level(span.end).div(closes.level(span.start)).minus(1),
      start: closes.sessions[span.start]!,
      end: closes.sessions[span.end]!,
      evidence: closes.evidence,
    };
  },
});
