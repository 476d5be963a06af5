/**
 * csv-bars: one product's daily bars. A row is used when its date is a date and its close a positive number; where the
 * file has no close column, its adjusted close takes that part. Open, high and low are checked, never corrected. Rows
 * after the cutoff stay: what may be described is not for a reader to say.
 */
import type { CsvBarsSource } from "../schema/batch.ts";
import type { BarRow, BarSeries } from "../schema/observation.ts";
import { type Adapter, provenance } from "./adapter.ts";
import { decode, unreadable } from "./decode.ts";
import { type DefectLog, defectLog, quoted, readable } from "./defects.ts";
import { isPositive, isSameNumeral, JUNK, readNumeral } from "./numeral.ts";
import { settleRepeats } from "./repeats.ts";
import { readDate } from "./session-date.ts";
import { readTable, type Table } from "./table.ts";

const FIELDS = ["open", "high", "low", "close", "adjusted_close", "volume"] as const;
type Field = (typeof FIELDS)[number];
const PRICES: readonly Field[] = ["open", "high", "low", "close", "adjusted_close"];

export const csvBars: Adapter<CsvBarsSource> = {
  contract: "csv-bars",
  normalise(bytes, source, context) {
    const defects = defectLog();
    const nothing: Pick<BarSeries, "basis" | "rows"> = { basis: { close: null, adjusted_close: null }, rows: [] };
    const { basis, rows } = readable(defects, nothing, () => {
      const table = readTable(decode(bytes, context.encoding));
      return barsOf(table, source, defects);
    });
    return [
      {
        kind: "bars",
        ...provenance(source, context),
        instrument: context.instrument ?? "",
        currency: source.currency,
        basis,
        adjusted_through: source.adjusted_through ?? null,
        rows,
        defects: defects.found,
      },
    ];
  },
};

function barsOf(table: Table, source: CsvBarsSource, defects: DefectLog): Pick<BarSeries, "basis" | "rows"> {
  const at = (field: Field) => table.column(source.columns[field]);
  const columns = FIELDS.map((field) => ({ field, at: at(field) })).filter((column) => column.at >= 0);
  const has = (field: Field) => columns.some((column) => column.field === field);
  if (!has("close") && !has("adjusted_close")) throw unreadable("no close and no adjusted close column");
  const session = table.required(source.columns.session);
  // A column that the contract names and the file lacks may be a misspelt one: what rests on it is gone without a word.
  for (const field of ["close", "adjusted_close", "volume"] as const) {
    const name = source.columns[field];
    if (name !== undefined && !has(field)) defects.add("BAR_INVALID", null, null, `no column ${quoted(name)}`);
  }
  const dated: BarRow[] = [];
  for (const { row, cells } of table.rows) {
    const date = readDate(cells[session] ?? "");
    if (date === null) defects.add("BAR_INVALID", row, null, `not a date: ${quoted(cells[session])}`);
    else if (table.isShifted(cells)) defects.add("BAR_INVALID", row, date, "more values than columns");
    else dated.push(barOf(row, date, cells, columns, defects));
  }
  const leading = has("close") ? "close" : "adjusted_close";
  const isSame = (one: BarRow, other: BarRow) => FIELDS.every((field) => isSameNumeral(one[field], other[field]));
  return {
    basis: {
      close: has("close") ? (source.basis.close ?? null) : null,
      adjusted_close: has("adjusted_close") ? (source.basis.adjusted_close ?? null) : null,
    },
    rows: settleRepeats(dated, (bar) => bar.session, isSame, defects).filter((bar) => bar[leading] !== null),
  };
}

/** Prices that are not positive become null: no price is zero. One defect a row, naming all that is wrong with it. */
function barOf(
  row: number,
  session: string,
  cells: readonly string[],
  columns: readonly { field: Field; at: number }[],
  defects: DefectLog,
): BarRow {
  const bar: BarRow = {
    row,
    session,
    open: null,
    high: null,
    low: null,
    close: null,
    adjusted_close: null,
    volume: null,
  };
  const wrong: string[] = [];
  for (const { field, at } of columns) {
    const text = cells[at] ?? "";
    const value = readNumeral(text);
    if (value === JUNK) wrong.push(`${field} is ${quoted(text)}`);
    else if (!PRICES.includes(field)) {
      if (value?.startsWith("-")) wrong.push(`${field} is ${quoted(text)}`);
      else bar[field] = value;
    } else if (value === null) wrong.push(`${field} is blank`);
    else if (!isPositive(value)) wrong.push(`${field} is ${quoted(text)}`);
    else bar[field] = value;
  }
  if (bar.close !== null && bar.open === null && bar.high === bar.close && bar.low === bar.close && wrong.length > 0) {
    wrong.push("high = low = close: half-filled");
  }
  const disorder = rangeDisorder(bar);
  if (disorder !== null) wrong.push(disorder);
  if (wrong.length > 0) defects.add("BAR_INVALID", row, session, wrong.join("; "));
  return bar;
}

/**
 * High below open or close, or low above. Feeds that adjust history round each field by itself, which breaks the order
 * by up to 0.17 % in real files, and by a whole unit where prices are whole: 0.5 % or one unit is rounding, more is not.
 * Doubles are enough here: nothing computed from them is kept.
 */
function rangeDisorder(bar: BarRow): string | null {
  if (bar.open === null || bar.high === null || bar.low === null || bar.close === null) return null;
  const [open, high, low, close] = [Number(bar.open), Number(bar.high), Number(bar.low), Number(bar.close)];
  const above = Math.max(open, close) - high;
  const below = low - Math.min(open, close);
  if (above <= 0 && below <= 0) return null;
  const unit = bar.close.includes(".") ? 0 : 1;
  const allowed = Math.max(close * 0.005, unit);
  if (above > allowed) return "high is below open or close";
  return below > allowed ? "low is above open or close" : null;
}
