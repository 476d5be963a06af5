/**
 * The last date that a dated file describes, from its header and its first and last rows (vendors write both orders).
 * Null where that cannot be told at a glance, as with quoted cells: this dates the version, readers judge the rows.
 */
import type { Source } from "../schema/batch.ts";
import { decode, type Encoding } from "./decode.ts";
import { readDate } from "./session-date.ts";
import { readAs } from "./synthetic.ts";

const HEAD_BYTES = 2_000;
const TAIL_BYTES = 1_000;

export function observedThrough(bytes: Uint8Array, source: Source, encoding: Encoding): string | null {
  const reading = source.contract === "synthetic" ? readAs(source) : source;
  if (!("columns" in reading)) return null;
  const { columns } = reading;
  const dated = "session" in columns ? columns.session : "ex_date" in columns ? columns.ex_date : columns.date;
  const head = linesOf(bytes.subarray(0, HEAD_BYTES), encoding);
  const column = cellsOf(head[0]).indexOf(dated);
  if (column < 0) return null;
  // The tail may begin in the middle of a row: only whole rows count.
  const tail = bytes.length > HEAD_BYTES ? linesOf(bytes.subarray(-TAIL_BYTES), encoding).slice(1) : head.slice(1);
  const dates = [head[1], tail.at(-1)]
    .map((line) => readDate(cellsOf(line)[column] ?? ""))
    .filter((date) => date !== null);
  return dates.sort().at(-1) ?? null;
}

function linesOf(bytes: Uint8Array, encoding: Encoding): string[] {
  // A cut inside a character must not make the whole unreadable: dates and separators are ASCII in every encoding read.
  const text = encoding === "utf-8" ? Buffer.from(bytes).toString("utf8") : lenient(bytes, encoding);
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
}

function lenient(bytes: Uint8Array, encoding: Encoding): string {
  try {
    return decode(bytes, encoding);
  } catch {
    return Buffer.from(bytes).toString("latin1");
  }
}

function cellsOf(line: string | undefined): string[] {
  return line === undefined || line.includes('"') ? [] : line.split(",").map((cell) => cell.trim());
}
