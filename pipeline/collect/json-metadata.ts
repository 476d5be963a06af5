/**
 * json-metadata: an array of objects, one per product, keyed by a member. A path names a member, or members joined by
 * dots. Numbers keep the digits of the payload. A key that is a number is not a ticker: its leading zeros may be gone. An
 * object that names a member twice states nothing: which of the two was meant, no reader can know.
 */
import type { JsonMetadataSource, MetadataField } from "../schema/batch.ts";
import type { Adapter, ReadingContext } from "./adapter.ts";
import { decode, unreadable } from "./decode.ts";
import { type MarkedJson, member, parseMarked, repeatedKey, textOf } from "./lossless-json.ts";
import { type KeyedRow, metadataRecords } from "./metadata-records.ts";

export const jsonMetadata: Adapter<JsonMetadataSource> = {
  contract: "json-metadata",
  normalise: (bytes, source, context) => metadataRecords(source, context, () => rowsOf(bytes, source, context)),
};

function rowsOf(bytes: Uint8Array, source: JsonMetadataSource, context: ReadingContext): KeyedRow[] {
  const document = parsed(decode(bytes, context.encoding));
  if (!Array.isArray(document)) throw unreadable("not an array of objects");
  const rows: KeyedRow[] = [];
  document.forEach((item, index) => {
    const key = atPath(item, source.key);
    if (typeof key !== "string" || !key.startsWith("s")) return;
    rows.push({
      row: index + 1,
      key: textOf(key).trim(),
      repeats: repeatedKey(item),
      textOf: (field) => statedText(item, source, field),
    });
  });
  return rows;
}

function parsed(text: string): MarkedJson {
  try {
    return parseMarked(text);
  } catch (fault) {
    if (fault instanceof SyntaxError) throw unreadable("not JSON");
    if (fault instanceof RangeError) throw unreadable("nested too deep");
    throw fault;
  }
}

function statedText(item: MarkedJson, source: JsonMetadataSource, field: MetadataField) {
  const value = atPath(item, source.fields[field]!.path);
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? textOf(value) : { conflict: "neither a text nor a number" };
}

function atPath(item: MarkedJson, path: string): MarkedJson | undefined {
  const direct = member(item, path);
  if (direct !== undefined) return direct;
  let value: MarkedJson | undefined = item;
  for (const key of path.split(".")) value = member(value, key);
  return value;
}
