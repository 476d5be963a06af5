/** CSV text to rows of cells under a header. Row numbers count data rows from 1, blank lines left out. No meaning yet. */
import Papa from "papaparse";
import { unreadable } from "./decode.ts";

export interface Table {
  /** Position of a column; -1 when the header has none of that name. */
  column(name: string | undefined): number;
  /** Position of a column that must be there. */
  required(name: string): number;
  /** More filled cells than columns: most often unquoted thousands separators, so that values left their columns. */
  isShifted(cells: readonly string[]): boolean;
  /** `row` is the locator of `cells`. */
  rows: { row: number; cells: string[] }[];
}

export function readTable(text: string): Table {
  const lines = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  const parsed = Papa.parse<string[]>(lines, { delimiter: ",", newline: "\n" });
  // After an unclosed quote the rest of the file is one cell: nothing in it can be trusted to stand in its own column.
  const torn = parsed.errors.find((error) => error.type === "Quotes");
  if (torn !== undefined) throw unreadable(`a quote that is never closed, from row ${torn.row ?? 0}`);
  const records = parsed.data.filter((cells) => cells.length > 1 || cells[0]!.trim() !== "");
  const header = records[0]?.map((name) => name.trim());
  if (header === undefined) throw unreadable("no header row");
  const column = (name: string | undefined) => {
    const at = name === undefined ? -1 : header.indexOf(name);
    if (at >= 0 && header.lastIndexOf(name!) !== at) throw unreadable(`two columns are called ${JSON.stringify(name)}`);
    return at;
  };
  return {
    column,
    required(name) {
      const at = column(name);
      if (at < 0) throw unreadable(`no column ${JSON.stringify(name)}; the file has ${header.slice(0, 30).join(", ")}`);
      return at;
    },
    isShifted: (cells) => cells.length > header.length && cells.slice(header.length).some((cell) => cell.trim() !== ""),
    rows: records.slice(1).map((cells, index) => ({ row: index + 1, cells })),
  };
}
