/**
 * Exact decimals for facts: 40 significant digits, rounding half away from zero, plain notation. The only importer of
 * decimal.js; the second path never comes here.
 */
import { Decimal as Base } from "decimal.js";
import { AssayError } from "./outcome.ts";

const Exact = Base.clone({ precision: 40, rounding: Base.ROUND_HALF_UP, toExpNeg: -9e15, toExpPos: 9e15 });
export type Decimal = Base;

const PLAIN = /^[+-]?\d{1,80}(\.\d{1,40})?$/;

/** Numeral grammar of stored documents: plain decimal notation, at most 80 digits before (readers admit 30: products of
 * two are longer) and 40 after the point. */
export function isPlainNumeral(text: string): boolean {
  return PLAIN.test(text);
}

export function decimal(text: string | number): Decimal {
  if (typeof text === "string" && !PLAIN.test(text)) {
    throw new AssayError("NUMERAL_MALFORMED", `not a plain decimal: ${JSON.stringify(text.slice(0, 60))}`);
  }
  return new Exact(text);
}

export const ZERO = new Exact(0);
export const ONE = new Exact(1);

/**
 * Exact value to stored text: plain notation, 30 significant digits but at most the 40 decimals that the grammar reads
 * back, no trailing zeros, no negative zero.
 */
export function toText(value: Decimal): string {
  const short = value.toSignificantDigits(30);
  const text = (short.dp() > 40 ? short.toDP(40) : short).toFixed();
  return text === "-0" ? "0" : text;
}

/** Rounds half away from zero to `decimals` places, plain notation, no negative zero. */
export function toFixed(value: Decimal, decimals: number): string {
  const text = value.toFixed(decimals, Base.ROUND_HALF_UP);
  return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text;
}

export function sum(values: readonly Decimal[]): Decimal {
  return values.reduce((total, value) => total.plus(value), ZERO);
}

export function mean(values: readonly Decimal[]): Decimal {
  return sum(values).div(values.length);
}

/** Sample standard deviation (n − 1). Needs at least two values. */
export function sampleDeviation(values: readonly Decimal[]): Decimal {
  const centre = mean(values);
  const squares = values.map((value) => {
    const distance = value.minus(centre);
    return distance.times(distance);
  });
  return sum(squares)
    .div(values.length - 1)
    .sqrt();
}
