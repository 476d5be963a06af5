/** last_close = close of the end session, split-adjusted or else as traded. Adjusted levels are no price. */
import { isUnavailable } from "../domain/outcome.ts";
import { defineFact } from "./fact.ts";

export const lastClose = defineFact({
  id: "last_close",
  version: 1,
  needs: [],
  epistemic_type: "OBSERVED",
  compute(series) {
    const closes = series.closes("split_adjusted", "as_traded");
    if (isUnavailable(closes)) return closes;
    const end = closes.sessions.length - 1;
    return { value: closes.level(end), start: null, end: closes.sessions[end]!, evidence: closes.evidence };
  },
});
