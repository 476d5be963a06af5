/** total_return.W = TRI(end) / TRI(start) − 1. Distributions are reinvested at the ex-date's close; no tax, no cost. */
import { isUnavailable } from "../domain/outcome.ts";
import type { Window } from "../domain/window.ts";
import { defineFact } from "./fact.ts";

export const totalReturn = defineFact({
  id: "total_return",
  version: 1,
  needs: [],
  compute(series, window) {
    const levels = series.totalReturn();
    if (isUnavailable(levels)) return levels;
    const span = series.span(levels, window as Window);
    if (isUnavailable(span)) return span;
    return {
      value: levels.level(span.end).div(levels.level(span.start)).minus(1),
      start: levels.sessions[span.start]!,
      end: levels.sessions[span.end]!,
      evidence: levels.evidence,
    };
  },
});
