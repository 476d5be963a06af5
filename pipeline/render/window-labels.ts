/**
 * Which window labels stand for a figure, by where both are on the page: in one row (`data-row`: a tile, a line of a
 * section), or in a cell of a table and in the head of its column. What a label claims of itself plays no part.
 */
import { AssayError } from "../domain/outcome.ts";

export interface LabelScope {
  table: { heads: string[][]; column: number } | undefined;
  /** Labels of this row or cell, filled as they are met; undefined outside of any. */
  own: string[] | undefined;
  head: string[];
}

export const NO_SCOPE: LabelScope = { table: undefined, own: undefined, head: [] };

/** The scope inside an element, given the one around it; a table counts its cells. */
export function scopeOf(tagName: string, attributes: ReadonlyMap<string, string>, above: LabelScope): LabelScope {
  const { table } = above;
  if (tagName === "table") return { table: { heads: [], column: 0 }, own: undefined, head: [] };
  if (tagName === "tr" && table !== undefined) table.column = 0;
  if ((tagName === "td" || tagName === "th") && table !== undefined) {
    if (attributes.has("colspan") || attributes.has("rowspan")) {
      throw new AssayError("READBACK_UNREADABLE", "a table cell spans others, so that its column is in doubt");
    }
    table.heads[table.column] ??= [];
    const head = table.heads[table.column]!;
    table.column += 1;
    return attributes.get("scope") === "col" ? { table, own: head, head: [] } : { table, own: [], head };
  }
  return attributes.has("data-row") ? { table, own: [], head: [] } : above;
}

/** Complete once the whole page was visited. */
export function labelsOf({ own, head }: LabelScope): string[] {
  return [...(own ?? []), ...head];
}
