/** P4: every figure and date on the card prints the same when the second path recalculates it from the frozen bytes. */
import { defineGate, examples } from "./gate.ts";

export const recalculation = defineGate({
  id: "recalculation",
  version: 1,
  family: "numbers",
  stage: "page",
  question: "Does every figure print the same when recalculated from the frozen bytes?",
  needs: ["comparison", "figures", "tiles"],
  codes: {
    RECALC_MISSING: {
      severity: "BLOCK",
      meaning: "a figure of the card has no second calculation, or was not found on the page",
      remedy: "run the second path again; if it refuses the payload, look at the payload",
    },
    RECALC_MISMATCH: {
      severity: "BLOCK",
      meaning: "the two paths print differently",
      remedy: "find which path is wrong; recalculation.csv has both values and the formula",
    },
  },
  check({ comparison, figures, tiles }, report, examined) {
    const { rows, counts } = comparison;
    for (const { figure, where } of rows) examined(`${figure} ${where}`);
    const read = new Set(rows.map(({ figure }) => figure));
    const unread = [...new Set([...tiles, ...figures])].filter((figure) => !read.has(figure));
    const missing = [
      ...unread.map((figure) => `${figure} was not read back`),
      ...rows.filter(({ recalculated }) => recalculated === "").map(({ figure, where }) => `${figure} at ${where}`),
    ];
    if (missing.length > 0) report("RECALC_MISSING", subject(missing), `${missing.length}: ${examples(missing)}`);
    const different = rows
      .filter(({ match, recalculated }) => !match && recalculated !== "")
      .map((row) => `${row.figure} at ${row.where} prints ${row.printed}, recalculated ${row.recalculated}`);
    if (different.length > 0) {
      report("RECALC_MISMATCH", subject(different), `${different.length}: ${examples(different)}`);
    }
    for (const kind of ["tiles", "numerals"] as const) {
      const { shown, recalculated, matched } = counts[kind];
      if (missing.length + different.length === 0 && (matched !== shown || recalculated !== shown)) {
        report("RECALC_MISSING", kind, `${shown} shown, ${recalculated} recalculated, ${matched} matched`);
      }
    }
  },
});

function subject(found: readonly string[]): string {
  return found.length === 1 ? found[0]!.split(" ")[0]! : "figures";
}
