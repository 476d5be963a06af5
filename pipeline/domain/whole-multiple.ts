/** The ratios that a unit or split error leaves behind: 2…20 and 100, or one part of as many (design: facts, jump rules). */
import { type Decimal, ONE } from "./decimal.ts";

const MULTIPLES = [...Array.from({ length: 19 }, (_, index) => index + 2), 100];

/** The whole number, or 1/n as text, that the ratio lies within tolerance of; null if none. */
export function wholeMultiple(ratio: Decimal, tolerance: Decimal): string | null {
  if (!ratio.gt(0)) return null;
  const near = (value: Decimal) => MULTIPLES.find((whole) => value.div(whole).minus(ONE).abs().lte(tolerance));
  const up = near(ratio);
  if (up !== undefined) return String(up);
  const down = near(ONE.div(ratio));
  return down === undefined ? null : `1/${down}`;
}
