/**
 * Keyed rows of a metadata payload to one record per instrument. Keys are compared as text: `069500` is not 69500. A key
 * that two differing rows claim identifies nobody (IDENTITY_MISMATCH). An instrument that the source does not list has no
 * record; when the payload cannot be read, each instrument of the market has one that says so.
 */
import type { CsvMetadataSource, JsonMetadataSource, MetadataField } from "../schema/batch.ts";
import type { MetadataRecord, StatedField } from "../schema/observation.ts";
import { provenance, type ReadingContext } from "./adapter.ts";
import { type DefectLog, defectLog, quoted, readable } from "./defects.ts";
import { readField } from "./stated-field.ts";

/** One row of a payload: its key, and the text of each declared field (null: not stated; a conflict: not a text). */
export interface KeyedRow {
  row: number;
  key: string;
  /** A member that the row names more than once: then nothing in it is believed. */
  repeats?: string | undefined;
  textOf(field: MetadataField): string | null | { conflict: string };
}

export function metadataRecords(
  source: CsvMetadataSource | JsonMetadataSource,
  context: ReadingContext,
  readRows: () => KeyedRow[],
): MetadataRecord[] {
  const ofFile = defectLog();
  const byKey = new Map<string, KeyedRow[]>();
  for (const row of readable(ofFile, [], readRows)) byKey.set(row.key, [...(byKey.get(row.key) ?? []), row]);
  const fields = Object.keys(source.fields) as MetadataField[];
  const records: MetadataRecord[] = [];
  for (const { market, ticker, instrument } of context.instruments) {
    if (market !== source.market) continue;
    const rows = byKey.get(ticker) ?? [];
    if (rows.length === 0 && ofFile.found.length === 0) continue;
    const defects = defectLog();
    for (const { code, row, session, detail } of ofFile.found) defects.add(code, row, session, detail);
    const [first, ...others] = rows;
    const stated: StatedField[] = [];
    const rival = first && others.find((other) => fields.some((field) => said(other, field) !== said(first, field)));
    const torn = rows.find(({ repeats }) => repeats !== undefined);
    if (torn !== undefined) {
      defects.add("PAYLOAD_UNREADABLE", torn.row, null, `the member ${quoted(torn.repeats)} is there twice`);
    } else if (first !== undefined && rival !== undefined) {
      defects.add(
        "IDENTITY_MISMATCH",
        rival.row,
        null,
        `rows ${first.row} and ${rival.row} differ under one key ${ticker}`,
      );
    } else if (first !== undefined) {
      for (const field of fields) stateField(first, field, source, stated, defects);
    }
    records.push({
      kind: "metadata",
      ...provenance(source, context),
      instrument,
      vendor: source.vendor,
      retrieved_at: source.retrieved_at,
      fields: stated,
      defects: defects.found,
    });
  }
  return records;
}

function stateField(
  row: KeyedRow,
  field: MetadataField,
  source: CsvMetadataSource | JsonMetadataSource,
  stated: StatedField[],
  defects: DefectLog,
): void {
  const text = row.textOf(field);
  if (text === null) return;
  if (typeof text !== "string") {
    defects.add("UNIT_CONFLICT", row.row, null, `${field}: ${text.conflict}`);
    return;
  }
  const reading = readField(field, text, source.fields[field]?.unit);
  if (reading === null) return;
  if ("conflict" in reading)
    defects.add("UNIT_CONFLICT", row.row, null, `${field}: ${quoted(text)}: ${reading.conflict}`);
  else stated.push({ field, ...reading, stated: text, row: row.row });
}

function said(row: KeyedRow, field: MetadataField): string {
  return JSON.stringify(row.textOf(field));
}
