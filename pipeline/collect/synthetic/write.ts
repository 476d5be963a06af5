/** Rows as CSV text with exact numerals: amounts are whole hundred-millionths, so that a split price has no float tail. */

/** Hundred-millionths of a unit. */
export type Quanta = number;
export const QUANTA_PER_UNIT = 100_000_000;

export function toQuanta(amount: number): Quanta {
  return Math.round(amount * QUANTA_PER_UNIT);
}

/** Plain numeral with at least `decimals` decimals and no more than it needs. */
export function numeral(quanta: Quanta, decimals: number): string {
  const whole = Math.floor(quanta / QUANTA_PER_UNIT);
  const rest = quanta - whole * QUANTA_PER_UNIT;
  if (rest === 0 && decimals === 0) return String(whole);
  let digits = 8;
  let shown = rest;
  while (digits > decimals && shown % 10 === 0) {
    shown /= 10;
    digits--;
  }
  return digits === 0 ? String(whole) : `${whole}.${String(shown).padStart(digits, "0")}`;
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(",")}\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const encoder = new TextEncoder();
export function toBytes(lines: readonly string[]): Uint8Array {
  return encoder.encode(lines.join(""));
}
