/**
 * Dated rows to one row per date, ascending. A date said twice alike counts once; said twice differently it is not used at
 * all, since nothing tells which is right (DUPLICATE_SESSION). Rows that are unusable for another reason take part: a
 * blank and a price for one date differ too.
 */
import type { DefectLog } from "./defects.ts";

export function settleRepeats<Row extends { row: number }>(
  rows: readonly Row[],
  dateOf: (row: Row) => string,
  isSame: (one: Row, other: Row) => boolean,
  defects: DefectLog,
): Row[] {
  const isAscending = rows.every((row, index) => index === 0 || dateOf(rows[index - 1]!) < dateOf(row));
  if (isAscending) return [...rows];
  const byDate = new Map<string, Row[]>();
  for (const row of rows) {
    const same = byDate.get(dateOf(row));
    if (same === undefined) byDate.set(dateOf(row), [row]);
    else same.push(row);
  }
  const settled: Row[] = [];
  for (const [date, group] of [...byDate].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const [first, ...others] = group as [Row, ...Row[]];
    if (others.every((other) => isSame(first, other))) {
      settled.push(first);
      continue;
    }
    const locators = group
      .slice(0, 10)
      .map(({ row }) => row)
      .join(", ");
    defects.add("DUPLICATE_SESSION", others[0]!.row, date, `rows ${locators} differ on ${date}: none of them is used`);
  }
  return settled;
}
