/** Comparison of decimal texts without floating point and without the first path's arithmetic: integers of one scale. */

interface Scaled {
  digits: bigint;
  scale: number;
}

const NUMERAL = /^(-?)(\d{1,60})(?:\.(\d{1,80}))?$/;

function toScaled(text: string): Scaled | null {
  const match = NUMERAL.exec(text);
  if (match === null) return null;
  const [, minus = "", whole = "", fraction = ""] = match;
  const digits = BigInt(whole + fraction);
  return { digits: minus === "-" ? -digits : digits, scale: fraction.length };
}

function rescale({ digits, scale }: Scaled, to: number): bigint {
  return digits * 10n ** BigInt(to - scale);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Plain decimals within 1e-15 of the larger; false where either text is no plain decimal. */
export function agrees(a: string, b: string): boolean {
  const [left, right] = [toScaled(a), toScaled(b)];
  if (left === null || right === null) return false;
  const scale = Math.max(left.scale, right.scale);
  const [x, y] = [rescale(left, scale), rescale(right, scale)];
  const distance = magnitude(x - y) * 10n ** 15n;
  return distance <= magnitude(x) || distance <= magnitude(y);
}

/** A level as an axis shows it: thousands separated, no trailing zeros. */
export function toAxisLevel(value: string): string | null {
  const scaled = toScaled(value);
  return scaled === null ? null : plain(scaled);
}

/** A ratio as an axis shows it: percent, U+2212 for minus. */
export function toAxisPercent(value: string): string | null {
  const scaled = toScaled(value);
  return scaled === null ? null : `${plain({ digits: scaled.digits * 100n, scale: scaled.scale })}%`;
}

function plain({ digits, scale }: Scaled): string {
  const text = magnitude(digits)
    .toString()
    .padStart(scale + 1, "0");
  const whole = text.slice(0, text.length - scale).replace(/\B(?=(\d{3})+$)/g, ",");
  const fraction = scale === 0 ? "" : text.slice(-scale).replace(/0+$/, "");
  return `${digits < 0n ? "\u2212" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
