/** csv-metadata: one table for many products, keyed by ticker. Every declared column must be there. */
import type { CsvMetadataSource, MetadataField } from "../schema/batch.ts";
import type { Adapter, ReadingContext } from "./adapter.ts";
import { decode } from "./decode.ts";
import { type KeyedRow, metadataRecords } from "./metadata-records.ts";
import { readTable } from "./table.ts";

export const csvMetadata: Adapter<CsvMetadataSource> = {
  contract: "csv-metadata",
  normalise: (bytes, source, context) => metadataRecords(source, context, () => rowsOf(bytes, source, context)),
};

function rowsOf(bytes: Uint8Array, source: CsvMetadataSource, context: ReadingContext): KeyedRow[] {
  const table = readTable(decode(bytes, context.encoding));
  const key = table.required(source.key);
  const positions = new Map<MetadataField, number>();
  for (const [field, { column }] of Object.entries(source.fields)) {
    positions.set(field as MetadataField, table.required(column));
  }
  return table.rows.map(({ row, cells }) => ({
    row,
    key: (cells[key] ?? "").trim(),
    textOf: (field) =>
      table.isShifted(cells) ? { conflict: "more values than columns" } : (cells[positions.get(field)!] ?? ""),
  }));
}
