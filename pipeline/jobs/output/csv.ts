/**
 * CSV for people: RFC 4180, and safe to open in a spreadsheet. A leading = + - @ (or tab, return) in text is
 * neutralised with an apostrophe; a column of figures is exempt where the cell is a numeral.
 */
const NUMERAL = /^[+\-\u2212]?\d[\d,]*(\.\d+)?(%p?|원|달러)?$/;

export function toCsv(columns: readonly string[], rows: Iterable<readonly (string | null)[]>): string {
  const lines = [columns.join(",")];
  for (const row of rows) lines.push(row.map(cell).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

export function cell(value: string | null): string {
  if (value === null) return "";
  const safe = /^[=+\-@\t\r]/.test(value) && !NUMERAL.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
