/** Sums of coverage counts: what was shown, bound, recalculated and matched, over all cards. */
import type { CoverageCounts } from "../../schema/recalculated.ts";

export function emptyCoverage(): CoverageCounts {
  return {
    tiles: { shown: 0, recalculated: 0, matched: 0 },
    numerals: { shown: 0, bound: 0, recalculated: 0, matched: 0 },
    numerals_other: { label: 0, entity: 0, identifier: 0, ordinal: 0, legal: 0, unclassified: 0 },
    chart_points: { drawn: 0, recalculated: 0, matched: 0 },
  };
}

export function addCoverage(total: CoverageCounts, counts: CoverageCounts): void {
  for (const part of Object.keys(total) as (keyof CoverageCounts)[]) {
    const into = total[part] as Record<string, number>;
    for (const [name, count] of Object.entries(counts[part])) into[name] = (into[name] ?? 0) + count;
  }
}
