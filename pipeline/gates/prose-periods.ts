/**
 * One statement, one period. In plain text two periods that do not match; in a claim every figure of a window stands beside
 * the label of that window, and a label stands beside a figure that it is the window of.
 */
import { WINDOWS } from "../domain/window.ts";
import type { Sentence } from "../schema/sentence.ts";
import { BLOCKS_BY_RULE, defineGate, hitsOf, reportHits } from "./gate.ts";

/** A slot that prints the label of a figure's window (3개월): `label/total_return.3m`. */
const LABEL = "label/";

export const prosePeriods = defineGate({
  id: "prose-periods",
  version: 1,
  family: "numbers",
  stage: "sentences",
  question: "Does every figure in prose stand beside its own period?",
  needs: ["sentences", "rules"],
  codes: {
    PERIOD_CONFLICT: {
      severity: "REVIEW",
      blocks_when: `a claim's figure lacks the label of its window, or ${BLOCKS_BY_RULE}`,
      meaning: "a sentence gives a figure another period than its own, or none",
      remedy: "name the figure's own window beside it",
    },
  },
  check({ sentences, rules }, report, examined) {
    for (const sentence of sentences) {
      examined(sentence.id);
      reportHits(sentence, hitsOf(sentence, rules.lexicons, "PERIOD_CONFLICT"), report, "PERIOD_CONFLICT");
      const odd = sentence.kind === "claim" ? oddWindow(sentence) : null;
      if (odd !== null) report("PERIOD_CONFLICT", sentence.id, odd, { blocks: true });
    }
  },
});

function oddWindow({ slots }: Sentence): string | null {
  const labels = slots.filter(({ figure }) => figure.startsWith(LABEL)).map(({ figure }) => windowOf(figure));
  const figures = slots.filter(({ figure }) => !figure.startsWith(LABEL)).map(({ figure }) => figure);
  const unnamed = figures.find((figure) => windowOf(figure) !== null && !labels.includes(windowOf(figure)));
  if (unnamed !== undefined) return `${unnamed} stands without the label of its window`;
  const idle = labels.find((window) => !figures.some((figure) => windowOf(figure) === window));
  return idle === undefined ? null : `the label ${idle} stands beside no figure of that window`;
}

/** The calendar window of a figure; null where it has none (a rank, a 52-week price, a fee). */
function windowOf(figure: string): string | null {
  const window = figure.slice(figure.lastIndexOf(".") + 1);
  return (WINDOWS as readonly string[]).includes(window) ? window : null;
}
