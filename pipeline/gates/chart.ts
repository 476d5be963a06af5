/** Whether the drawn chart is the one that the facts call for and each of its points lies where the second path puts it. */
import { CHART_WINDOWS } from "../domain/window.ts";
import { byFigure, defineGate, okValue } from "./gate.ts";

export const chart = defineGate({
  id: "chart",
  version: 1,
  family: "numbers",
  stage: "page",
  question: "Does every drawn point lie where the recalculated level puts it?",
  needs: ["chart", "comparison", "facts"],
  codes: {
    CHART_MISMATCH: {
      severity: "BLOCK",
      meaning: "points are misplaced, missing or without a second calculation, or the window is not the one called for",
      remedy: "compare the path's points with the recalculated levels; redraw from the facts",
    },
  },
  check({ chart: computed, comparison, facts }, report, examined) {
    const rows = byFigure(facts);
    const called = CHART_WINDOWS.find((window) => okValue(rows, `total_return.${window}`) !== null) ?? null;
    examined("window");
    if (called !== (computed?.window ?? null)) {
      report("CHART_MISMATCH", "window", `facts call for ${called ?? "none"}, computed ${computed?.window ?? "none"}`);
    }
    const { drawn, recalculated, matched } = comparison.counts.chart_points;
    if (drawn !== matched || drawn !== recalculated) {
      report("CHART_MISMATCH", "points", `${drawn} drawn, ${recalculated} recalculated, ${matched} matched`);
    }
    const expected = computed?.lines.find(({ kind }) => kind === "total_return")?.points.length ?? 0;
    if (drawn < expected) report("CHART_MISMATCH", "points", `${drawn} drawn of ${expected} on the first line alone`);
    if (computed === null && drawn > 0) report("CHART_MISMATCH", "points", `${drawn} drawn without a chart`);
  },
});
