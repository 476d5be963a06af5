/** average_daily_value.20d = mean over the last 20 sessions of close × volume, in the product's currency. */
import { decimal, isPlainNumeral, mean } from "../domain/decimal.ts";
import { isUnavailable, unavailable } from "../domain/outcome.ts";
import { defineFact } from "./fact.ts";

const SESSIONS = 20;

export const averageDailyValue = defineFact({
  id: "average_daily_value",
  version: 1,
  needs: [],
  compute(series) {
    const closes = series.closes("split_adjusted", "as_traded");
    if (isUnavailable(closes)) return closes;
    const last = closes.sessions.length;
    const values = [];
    for (let index = Math.max(0, last - SESSIONS); index < last; index++) {
      const volume = closes.bar(index).volume;
      // An unknown volume is not a volume of zero.
      if (volume === null || !isPlainNumeral(volume) || Number(volume) < 0) return unavailable("NO_DATA");
      values.push(closes.level(index).times(decimal(volume)));
    }
    if (values.length < SESSIONS) return unavailable("INSUFFICIENT_HISTORY");
    return {
      value: mean(values),
      start: closes.sessions[last - SESSIONS]!,
      end: closes.sessions[last - 1]!,
      evidence: closes.evidence,
    };
  },
});
