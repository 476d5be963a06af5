/**
 * volatility.{1y,3y} = sample standard deviation of simple daily TRI returns between consecutive sessions × √252. Under
 * 200 returns per year there is none.
 */
import { decimal, sampleDeviation } from "../domain/decimal.ts";
import { isUnavailable, unavailable } from "../domain/outcome.ts";
import type { Window } from "../domain/window.ts";
import { defineFact } from "./fact.ts";

const RETURNS_PER_YEAR = 200;
const SESSIONS_PER_YEAR = 252;
const YEARS: Record<string, number> = { "1y": 1, "3y": 3 };

export const volatility = defineFact({
  id: "volatility",
  version: 1,
  needs: [],
  compute(series, window) {
    const levels = series.totalReturn();
    if (isUnavailable(levels)) return levels;
    const span = series.span(levels, window as Window);
    if (isUnavailable(span)) return span;
    const returns = [];
    for (let index = span.start + 1; index <= span.end; index++) returns.push(levels.ratio(index).minus(1));
    if (returns.length < RETURNS_PER_YEAR * YEARS[window]!) return unavailable("INSUFFICIENT_HISTORY");
    return {
      value: sampleDeviation(returns).times(decimal(SESSIONS_PER_YEAR).sqrt()),
      start: levels.sessions[span.start]!,
      end: levels.sessions[span.end]!,
      evidence: levels.evidence,
    };
  },
});
