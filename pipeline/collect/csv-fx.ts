/**
 * csv-fx: dated exchange rates of one pair. Blank rates are skipped, never carried forward.
 *
 * LABEL SHIFT RULE (the SQL reader applies the very same one): a label date d lies in summer time when the zone's offset from
 * UTC at 12:00 UTC of d is greater than the smaller of its offsets at 12:00 UTC on 1 January and on 1 July of d's year; such
 * a label becomes d + days_in_summer_time, every other label stays. Noon, not midnight: on the Sunday on which summer time
 * begins, midnight UTC is still winter while the bar (London's Monday midnight, 23:00 UTC on Sunday) is not.
 * In SQL: off(t) = (t AT TIME ZONE 'UTC' AT TIME ZONE zone) - t for t = d + time '12:00' without zone. Dates with differing
 * rates after the shift are dropped altogether (DUPLICATE_SESSION); identical repeats count once.
 */
import { addDays } from "../domain/date.ts";
import { offsetMinutes } from "../domain/instant.ts";
import type { CsvFxSource } from "../schema/batch.ts";
import type { FxRow } from "../schema/observation.ts";
import { type Adapter, provenance } from "./adapter.ts";
import { decode } from "./decode.ts";
import { type DefectLog, defectLog, quoted, readable } from "./defects.ts";
import { isPositive, isSameNumeral, readNumeral } from "./numeral.ts";
import { settleRepeats } from "./repeats.ts";
import { readDate } from "./session-date.ts";
import { readTable, type Table } from "./table.ts";

export const csvFx: Adapter<CsvFxSource> = {
  contract: "csv-fx",
  normalise(bytes, source, context) {
    const defects = defectLog();
    const rows = readable(defects, [], () => rates(readTable(decode(bytes, context.encoding)), source, defects));
    const { base, quote } = source.pair;
    return [{ kind: "fx", ...provenance(source, context), base, quote, rows, defects: defects.found }];
  },
};

function rates(table: Table, source: CsvFxSource, defects: DefectLog): FxRow[] {
  const label = table.required(source.columns.date);
  const quoteAt = table.required(source.columns.rate);
  const dayOf = labelShift(source.label_shift);
  const dated: FxRow[] = [];
  for (const { row, cells } of table.rows) {
    const labelled = readDate(cells[label] ?? "");
    const rate = readNumeral(cells[quoteAt] ?? "");
    if (labelled === null) defects.add("BAR_INVALID", row, null, `not a date: ${quoted(cells[label])}`);
    else if (table.isShifted(cells)) defects.add("BAR_INVALID", row, dayOf(labelled), "more values than columns");
    else if (rate === null) continue;
    else if (typeof rate !== "string" || !isPositive(rate)) {
      defects.add("BAR_INVALID", row, dayOf(labelled), `rate is ${quoted(cells[quoteAt])}`);
    } else dated.push({ row, date: dayOf(labelled), rate });
  }
  const isSame = (one: FxRow, other: FxRow) => isSameNumeral(one.rate, other.rate);
  return settleRepeats(dated, (row) => row.date, isSame, defects);
}

/** The label shift rule above, as a function from label to day. */
export function labelShift(shift: CsvFxSource["label_shift"]): (label: string) => string {
  if (shift === undefined) return (label) => label;
  const { zone, days_in_summer_time } = shift;
  const noonOffset = (date: string) => offsetMinutes(Date.parse(`${date}T12:00:00.000Z`), zone);
  const winterOffsets = new Map<string, number>();
  return (label) => {
    const year = label.slice(0, 4);
    const winter = winterOffsets.get(year) ?? Math.min(noonOffset(`${year}-01-01`), noonOffset(`${year}-07-01`));
    winterOffsets.set(year, winter);
    return noonOffset(label) > winter ? addDays(label, days_in_summer_time) : label;
  };
}
