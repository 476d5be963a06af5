/**
 * high_52w, low_52w and their sessions: highest and lowest close over sessions in (cutoff − 12 months, cutoff], the
 * last session where tied. Closes, not intraday extremes.
 */
import { addMonths } from "../domain/date.ts";
import { isUnavailable, unavailable } from "../domain/outcome.ts";
import { defineFact, type FactDefinition } from "./fact.ts";
import type { SeriesContext } from "./select.ts";

function extremes(series: SeriesContext) {
  return series.once("extremes 52w", () => {
    const closes = series.closes("split_adjusted", "as_traded");
    if (isUnavailable(closes)) return closes;
    const after = addMonths(series.cutoff, -12);
    if (closes.sessions[0]! > after) return unavailable("INSUFFICIENT_HISTORY");
    const first = closes.sessions.findIndex((session) => session > after);
    let high = first;
    let low = first;
    for (let index = first; index < closes.sessions.length; index++) {
      if (closes.level(index).gte(closes.level(high))) high = index;
      if (closes.level(index).lte(closes.level(low))) low = index;
    }
    return { closes, first, high, low };
  });
}

function defineExtreme(id: string, end: "high" | "low", wanted: "close" | "session"): FactDefinition {
  return defineFact({
    id,
    version: 1,
    needs: [],
    epistemic_type: "OBSERVED",
    compute(series) {
      const found = extremes(series);
      if (isUnavailable(found)) return found;
      const { closes, first } = found;
      const index = found[end];
      return {
        value: wanted === "close" ? closes.level(index) : closes.sessions[index]!,
        start: closes.sessions[first]!,
        end: closes.sessions.at(-1)!,
        evidence: closes.evidence,
      };
    },
  });
}

export const high52w = defineExtreme("high_52w", "high", "close");
export const low52w = defineExtreme("low_52w", "low", "close");
export const high52wOn = defineExtreme("high_52w_on", "high", "session");
export const low52wOn = defineExtreme("low_52w_on", "low", "session");
