/** position_52w = (last_close − low_52w) / (high_52w − low_52w); FLAT_RANGE where they are equal. */
import { isUnavailable, unavailable } from "../domain/outcome.ts";
import { amount, defineFact, firstAbsent } from "./fact.ts";

export const position52w = defineFact({
  id: "position_52w",
  version: 1,
  needs: ["last_close", "high_52w", "low_52w"],
  compute(_series, _window, other) {
    const close = other("last_close", "");
    const high = other("high_52w", "");
    const low = other("low_52w", "");
    if (isUnavailable(close) || isUnavailable(high) || isUnavailable(low)) return firstAbsent(close, high, low);
    const range = amount(high).minus(amount(low));
    if (range.isZero()) return unavailable("FLAT_RANGE");
    return { ...high, value: amount(close).minus(amount(low)).div(range) };
  },
});
