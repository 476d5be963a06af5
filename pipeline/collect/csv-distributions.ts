/**
 * csv-distributions: one product's payouts by ex-date, per unit. Only positive amounts are payouts. A file with a header
 * and no rows says that nothing was paid; a file that cannot be read says nothing (`isUnreadable`).
 */
import type { CsvDistributionsSource } from "../schema/batch.ts";
import type { DistributionRow, DistributionSeries } from "../schema/observation.ts";
import { type Adapter, provenance } from "./adapter.ts";
import { decode } from "./decode.ts";
import { type DefectLog, defectLog, quoted, readable } from "./defects.ts";
import { isPositive, isSameNumeral, readNumeral } from "./numeral.ts";
import { settleRepeats } from "./repeats.ts";
import { readDate } from "./session-date.ts";
import { readTable, type Table } from "./table.ts";

export const csvDistributions: Adapter<CsvDistributionsSource> = {
  contract: "csv-distributions",
  normalise(bytes, source, context) {
    const defects = defectLog();
    const rows = readable(defects, [], () => payouts(readTable(decode(bytes, context.encoding)), source, defects));
    return [
      {
        kind: "distributions",
        ...provenance(source, context),
        instrument: context.instrument ?? "",
        currency: source.currency,
        pays_nothing: false,
        basis: source.basis,
        rows,
        defects: defects.found,
      },
    ];
  },
};

/** The series of an instrument that the source lists under `pays_nothing`: no file was read, so it has no evidence. */
export function payingNothing(source: CsvDistributionsSource, instrument: string): DistributionSeries {
  return {
    kind: "distributions",
    source_id: source.id,
    evidence_id: "",
    payload_sha256: "",
    instrument,
    currency: source.currency,
    pays_nothing: true,
    basis: source.basis,
    rows: [],
    defects: [],
  };
}

function payouts(table: Table, source: CsvDistributionsSource, defects: DefectLog): DistributionRow[] {
  const exDate = table.required(source.columns.ex_date);
  const paid = table.required(source.columns.amount);
  const dated: (Omit<DistributionRow, "amount"> & { amount: string | null })[] = [];
  for (const { row, cells } of table.rows) {
    const ex_date = readDate(cells[exDate] ?? "");
    const amount = readNumeral(cells[paid] ?? "");
    if (ex_date === null) defects.add("BAR_INVALID", row, null, `not a date: ${quoted(cells[exDate])}`);
    else if (table.isShifted(cells)) defects.add("BAR_INVALID", row, ex_date, "more values than columns");
    else {
      const isPaid = typeof amount === "string" && isPositive(amount);
      if (!isPaid) defects.add("BAR_INVALID", row, ex_date, `amount is ${quoted(cells[paid])}`);
      dated.push({ row, ex_date, amount: isPaid ? amount : null });
    }
  }
  const settled = settleRepeats(
    dated,
    (payout) => payout.ex_date,
    (one, other) => isSameNumeral(one.amount, other.amount),
    defects,
  );
  return settled.flatMap(({ amount, ...payout }) => (amount === null ? [] : [{ ...payout, amount }]));
}
