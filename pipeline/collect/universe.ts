/**
 * universe.csv text to instruments. The file is refused whole only when it is unusable (not UTF-8, other columns, no
 * rows); a bad row is a fault of the instrument it names, and the rest goes on. An instrument listed twice is kept once,
 * with its fault, so that it ends in quarantine and is not silently one of the two.
 */
import Papa from "papaparse";
import { AssayError } from "../domain/outcome.ts";
import { type Instrument, instrumentSchema, UNIVERSE_COLUMNS } from "../schema/instrument.ts";
import type { SourceFault } from "../schema/observation.ts";
import { decode } from "./decode.ts";
import { quoted } from "./defects.ts";

const MAX_INSTRUMENTS = 100_000;

export interface Universe {
  instruments: Instrument[];
  universeFaults: SourceFault[];
}

export function readUniverse(bytes: Uint8Array, file: string): Universe {
  const records = recordsOf(bytes, file);
  const header = records[0]?.cells.map((name) => name.trim());
  if (header?.join(",") !== UNIVERSE_COLUMNS.join(",")) {
    throw unusable(
      `${file}:1: the columns must be ${UNIVERSE_COLUMNS.join(",")}`,
      `${file}:1`,
      "correct the first line",
    );
  }
  if (records.length === 1) throw unusable(`${file} lists no instruments`, file, "add a row per product");
  const universeFaults: SourceFault[] = [];
  const fault = (code: string, instrument: string | null, detail: string, hint: string) =>
    universeFaults.push({ source_id: "universe", instrument, code, detail, hint });
  const kept = new Map<string, { instrument: Instrument; line: number }>();
  for (const { line, cells } of records.slice(1)) {
    const reading = readRow(cells);
    const at = `${file}:${line}`;
    if ("mistakes" in reading) {
      fault("UNIVERSE_ROW_INVALID", reading.instrument, `${at}: ${reading.mistakes.join("; ")}`, "correct the row");
      continue;
    }
    const earlier = kept.get(reading.instrument);
    if (earlier === undefined) kept.set(reading.instrument, { instrument: reading, line });
    else
      fault(
        "UNIVERSE_DUPLICATE",
        reading.instrument,
        `${at}: already on line ${earlier.line}`,
        "leave one of the rows",
      );
  }
  const instruments = [...kept.values()].map(({ instrument }) => instrument);
  const cycles = benchmarkCycles(instruments);
  const hint = "name a comparison ETF of the universe, or leave it empty";
  for (const { instrument, line } of kept.values()) {
    const { instrument: id, benchmark } = instrument;
    const cycle = cycles.get(id);
    if (benchmark !== "" && !kept.has(benchmark)) {
      fault("BENCHMARK_UNKNOWN", id, `${file}:${line}: benchmark ${quoted(benchmark)} is not in the universe`, hint);
    } else if (cycle !== undefined) {
      const members = cycle.slice(0, 10).join(", ");
      fault("BENCHMARK_CYCLE", id, `${file}:${line}: compared with itself in the end, through ${members}`, hint);
    }
  }
  return { instruments, universeFaults };
}

function readRow(cells: readonly string[]): Instrument | { instrument: string | null; mistakes: string[] } {
  const named = instrumentSchema.shape.instrument.safeParse(cells[0]);
  const instrument = named.success ? named.data : null;
  if (cells.length !== UNIVERSE_COLUMNS.length) {
    const mistakes = [
      `${cells.length} values where ${UNIVERSE_COLUMNS.length} belong (quote a value with a comma in it)`,
    ];
    return { instrument, mistakes };
  }
  const row = Object.fromEntries(UNIVERSE_COLUMNS.map((column, index) => [column, cells[index]]));
  const parsed = instrumentSchema.safeParse(row);
  if (!parsed.success) {
    const said = (path: readonly PropertyKey[]) => `${path.join(".")} is ${quoted(row[String(path[0])])}`;
    return { instrument, mistakes: parsed.error.issues.map(({ path, message }) => `${said(path)}: ${message}`) };
  }
  const { market, ticker } = parsed.data;
  if (parsed.data.instrument !== `${market}:${ticker}`) {
    return { instrument, mistakes: [`instrument must be ${market}:${ticker}, as market and ticker say`] };
  }
  return parsed.data;
}

/**
 * The cycle that an instrument is a member of. Each names one benchmark at most, so a walk that meets its own track has
 * found a cycle from there on; what only leads into one is no member. Every instrument is walked once.
 */
function benchmarkCycles(instruments: readonly Instrument[]): Map<string, string[]> {
  const next = new Map(instruments.map(({ instrument, benchmark }) => [instrument, benchmark]));
  const walked = new Set<string>();
  const cycles = new Map<string, string[]>();
  for (const { instrument } of instruments) {
    const track = new Map<string, number>();
    let at = instrument;
    while (next.has(at) && !walked.has(at)) {
      walked.add(at);
      track.set(at, track.size);
      at = next.get(at)!;
    }
    const start = track.get(at);
    if (start === undefined) continue;
    const members = [...track.keys()].slice(start);
    for (const member of members) cycles.set(member, members);
  }
  return cycles;
}

/** Records with the line each begins on: a quoted value may hold line breaks. Blank lines are skipped. */
function recordsOf(bytes: Uint8Array, file: string): { line: number; cells: string[] }[] {
  const hint = "save it as CSV in UTF-8";
  let text: string;
  try {
    text = decode(bytes, "utf-8");
  } catch (fault) {
    throw unusable(`${file}: ${(fault as Error).message}`, file, hint);
  }
  const parsed = Papa.parse<string[]>(text.replace(/\r\n?/g, "\n"), { delimiter: ",", newline: "\n" });
  const torn = parsed.errors.find((error) => error.type === "Quotes");
  if (torn !== undefined)
    throw unusable(`${file}: a quote that is never closed, from row ${torn.row ?? 0}`, file, hint);
  if (parsed.data.length > MAX_INSTRUMENTS) throw unusable(`${file} has more than ${MAX_INSTRUMENTS} rows`, file, hint);
  let line = 1;
  const records: { line: number; cells: string[] }[] = [];
  for (const cells of parsed.data) {
    if (cells.length > 1 || cells[0]!.trim() !== "") records.push({ line, cells });
    line += 1 + cells.reduce((breaks, cell) => breaks + cell.split("\n").length - 1, 0);
  }
  return records;
}

function unusable(message: string, at: string, hint: string): AssayError {
  return new AssayError("UNIVERSE_INVALID", message, { at, hint });
}
