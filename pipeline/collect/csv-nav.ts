/**
 * csv-nav: one product's net asset values beside its closes. A row is kept when its date is a date and it has a positive
 * NAV or close; a fact that needs both looks for both. Value and index level are named in the contract but not read.
 */
import type { CsvNavSource } from "../schema/batch.ts";
import type { NavRow } from "../schema/observation.ts";
import { type Adapter, provenance } from "./adapter.ts";
import { decode } from "./decode.ts";
import { type DefectLog, defectLog, quoted, readable } from "./defects.ts";
import { isPositive, isSameNumeral, JUNK, readNumeral } from "./numeral.ts";
import { settleRepeats } from "./repeats.ts";
import { readDate } from "./session-date.ts";
import { readTable, type Table } from "./table.ts";

const FIELDS = ["nav", "close", "volume"] as const;

export const csvNav: Adapter<CsvNavSource> = {
  contract: "csv-nav",
  normalise(bytes, source, context) {
    const defects = defectLog();
    const rows = readable(defects, [], () => assetValues(readTable(decode(bytes, context.encoding)), source, defects));
    return [
      {
        kind: "nav",
        ...provenance(source, context),
        instrument: context.instrument ?? "",
        currency: source.currency,
        basis: source.basis,
        retrieved_at: source.retrieved_at,
        rows,
        defects: defects.found,
      },
    ];
  },
};

function assetValues(table: Table, source: CsvNavSource, defects: DefectLog): NavRow[] {
  const session = table.required(source.columns.session);
  const columns = {
    nav: table.required(source.columns.nav),
    close: table.required(source.columns.close),
    volume: table.column(source.columns.volume),
  };
  const dated: NavRow[] = [];
  for (const { row, cells } of table.rows) {
    const date = readDate(cells[session] ?? "");
    if (date === null) {
      defects.add("BAR_INVALID", row, null, `not a date: ${quoted(cells[session])}`);
      continue;
    }
    if (table.isShifted(cells)) {
      defects.add("BAR_INVALID", row, date, "more values than columns");
      continue;
    }
    const values: NavRow = { row, session: date, nav: null, close: null, volume: null };
    for (const field of FIELDS) {
      const text = cells[columns[field]] ?? "";
      const value = readNumeral(text);
      const isRefused =
        value === JUNK || (value !== null && (field === "volume" ? value.startsWith("-") : !isPositive(value)));
      if (isRefused) defects.add("BAR_INVALID", row, date, `${field} is ${quoted(text)}`);
      else values[field] = value;
    }
    dated.push(values);
  }
  const isSame = (one: NavRow, other: NavRow) => FIELDS.every((field) => isSameNumeral(one[field], other[field]));
  const settled = settleRepeats(dated, (row) => row.session, isSame, defects);
  return settled.filter(({ nav, close }) => nav !== null || close !== null);
}
