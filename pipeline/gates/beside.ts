/**
 * Whether figures that mislead alone stand beside those that complete them: where the one is drawn largest, the others
 * are near and not much smaller, or say there why they cannot be given. Which figures is the policy's say.
 */
import { decimal } from "../domain/decimal.ts";
import { type LayoutBox, verticalGap } from "../schema/layout.ts";
import type { Policy } from "../schema/policy.ts";
import { defineGate } from "./gate.ts";

export const beside = defineGate({
  id: "beside",
  version: 1,
  family: "compliance",
  stage: "page",
  question: "Does each figure that misleads alone stand beside those that complete it?",
  needs: ["layout", "rules"],
  codes: {
    PERFORMANCE_PERIODS: {
      severity: "BLOCK",
      meaning: "a figure is shown without those that the policy wants near it, or far larger than they are",
      remedy: "draw the figures near each other at like size, or leave out the one that needs the others",
    },
  },
  check({ layout, rules }, report, examined) {
    const drawn = layout.boxes.filter(({ hidden }) => hidden === null);
    examined("page");
    for (const pair of rules.page.beside) {
      examined(pair.figure);
      const [first, ...rest] = drawn.filter(({ figure }) => figure === pair.figure);
      if (first === undefined) continue;
      const most = rest.reduce((largest, box) => (box.font_px > largest.font_px ? box : largest), first);
      for (const figure of pair.with) {
        const why = whatIsWrong(most, figure, pair, drawn);
        if (why !== null) report("PERFORMANCE_PERIODS", pair.figure, why);
      }
    }
  },
});

function whatIsWrong(
  most: LayoutBox,
  wanted: string,
  { max_distance_px, max_font_ratio }: Policy["beside"][number],
  drawn: readonly LayoutBox[],
): string | null {
  const places = drawn.filter(({ figure, absent }) => figure === wanted || absent === wanted);
  if (places.length === 0) return `${wanted} is not on the page`;
  const near = places.filter((place) => verticalGap(most, place) <= max_distance_px);
  if (near.length === 0) {
    const gap = Math.min(...places.map((place) => verticalGap(most, place)));
    return `${wanted} stands ${Math.round(gap)} px away; at most ${max_distance_px}`;
  }
  if (near.some(({ absent }) => absent === wanted)) return null;
  const size = Math.max(...near.map(({ font_px }) => font_px));
  return decimal(most.font_px).gt(decimal(max_font_ratio).times(size))
    ? `at ${most.font_px} px beside ${wanted} at ${size} px; at most ${max_font_ratio} times`
    : null;
}
