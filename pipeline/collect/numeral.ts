/**
 * A payload's number text to a plain decimal numeral, digit for digit: no float ever stands between. Blank spellings are
 * null; what is neither is JUNK, for the caller to report. Signs, thousands groups and exponents as printed by floats are
 * understood; currency signs, units and percent signs are not (the caller that expects one removes it).
 */

/** Not a number and not a blank. */
export const JUNK = Symbol("junk");
export type NumeralReading = string | null | typeof JUNK;

const PLAIN = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
const BLANK = /^(?:nan|null|n\/a|-)?$/i;
const FULL = /^([+-]?)(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
const MAX_DIGITS = 30;
const MAX_FRACTION = 40;
/** Longer than any numeral of 30 digits with separators: refused before any pattern runs over it. */
const MAX_LENGTH = 80;

export function isBlank(text: string): boolean {
  return text.length <= MAX_LENGTH && BLANK.test(text.trim());
}

export function readNumeral(text: string): NumeralReading {
  if (PLAIN.test(text)) return text;
  const trimmed = text.length > 2 * MAX_LENGTH ? text : text.trim();
  if (trimmed.length > MAX_LENGTH) return JUNK;
  if (BLANK.test(trimmed)) return null;
  const match = FULL.exec(trimmed);
  if (match === null) return JUNK;
  const [, sign = "", grouped = "", fraction = "", exponent] = match;
  if (grouped === "" && fraction === "") return JUNK;
  if (exponent !== undefined && grouped.includes(",")) return JUNK;
  const whole = grouped.replaceAll(",", "");
  return compose(sign === "-", whole + fraction, whole.length + Number(exponent ?? "0")) ?? JUNK;
}

/** Moves the decimal point: `shiftPoint("0.7", -2)` is `0.007`. JUNK when the result is beyond the grammar. */
export function shiftPoint(numeral: string, places: number): string | typeof JUNK {
  const isNegative = numeral.startsWith("-");
  const [whole = "", fraction = ""] = (isNegative ? numeral.slice(1) : numeral).split(".");
  return compose(isNegative, whole + fraction, whole.length + places) ?? JUNK;
}

/** `digits` with the point after `point` of them; zeros fill what is missing on either side. */
function compose(isNegative: boolean, digits: string, point: number): string | undefined {
  const significant = digits.replace(/^0+/, "");
  if (significant.length > MAX_DIGITS) return undefined;
  const whole = (point <= 0 ? "" : digits.slice(0, point).padEnd(point, "0")).replace(/^0+(?=\d)/, "") || "0";
  const fraction = point <= 0 ? "0".repeat(-point) + digits : digits.slice(point);
  if (whole.length > MAX_DIGITS || fraction.length > MAX_FRACTION) return undefined;
  const text = fraction === "" ? whole : `${whole}.${fraction}`;
  return isNegative && /[1-9]/.test(text) ? `-${text}` : text;
}

export function isPositive(numeral: string): boolean {
  const first = numeral.charCodeAt(0);
  return (first >= 0x31 && first <= 0x39) || (!numeral.startsWith("-") && /[1-9]/.test(numeral));
}

/** Same number, whatever zeros it is written with: `1.50` and `1.5`. */
export function isSameNumeral(one: string | null, other: string | null): boolean {
  if (one === other) return true;
  return one !== null && other !== null && withoutZeros(one) === withoutZeros(other);
}

function withoutZeros(numeral: string): string {
  return numeral.includes(".") ? numeral.replace(/\.?0+$/, "") : numeral;
}
