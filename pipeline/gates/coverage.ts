/** Whether every numeral that a reader can see is bound to a figure or equal to what its class says. */
import { defineGate, examples } from "./gate.ts";

export const coverage = defineGate({
  id: "coverage",
  version: 1,
  family: "numbers",
  stage: "page",
  question: "Is every numeral on the page bound or classified?",
  needs: ["comparison"],
  codes: {
    UNBOUND_NUMERAL: {
      severity: "BLOCK",
      meaning: "a numeral on the page is bound to no figure and equal to no field that it claims",
      remedy: "bind it to a fact, or remove it from the text",
    },
  },
  check({ comparison }, report, examined) {
    const { counts, unclassified } = comparison;
    const { unclassified: loose, ...classified } = counts.numerals_other;
    const seen = counts.numerals.shown + Object.values(classified).reduce((sum, count) => sum + count, 0) + loose;
    for (let index = 0; index < seen; index += 1) examined("numeral");
    const unbound = counts.numerals.shown - counts.numerals.bound;
    if (loose > 0 || unclassified.length > 0 || unbound > 0) {
      const shown = unclassified.map(({ text, where, why }) => `"${text}" at ${where}: ${why}`);
      const count = Math.max(loose, unclassified.length) + unbound;
      report("UNBOUND_NUMERAL", "page", `${count}${shown.length > 0 ? `: ${examples(shown)}` : ""}`);
    }
  },
});
