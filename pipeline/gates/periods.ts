/**
 * Whether a figure's sessions are those of the window it is named after: ordered, not after the cutoff, ending at it and
 * starting at the anchor. It recomputes no session; it checks that the ones given can be right.
 */
import { daysBetween } from "../domain/date.ts";
import { anchorOf, WINDOWS } from "../domain/window.ts";
import { type Fact, figureId } from "../schema/fact.ts";
import { defineGate, examples } from "./gate.ts";

/** Figures whose sessions are the product's own at both ends of the window. */
const OWN_SESSIONS =
  /^(price_return|total_return|total_return_annualised|total_return_reporting|volatility|max_drawdown|benchmark_return)$/;

export const periods = defineGate({
  id: "periods",
  version: 1,
  family: "numbers",
  stage: "data",
  question: "Does each figure cover the window that it is named after?",
  needs: ["facts", "terms", "rules"],
  codes: {
    PERIOD_CONFLICT: {
      severity: "BLOCK",
      meaning: "a figure's sessions do not fit its window",
      remedy: "find out which series and cutoff the figure was made from; a figure for another period is wrong",
    },
  },
  check({ facts, terms, rules }, report, examined) {
    const wrong: string[] = [];
    for (const fact of facts) {
      examined(figureId(fact));
      const why = fact.status === "OK" ? misfit(fact, terms.cutoff, rules) : null;
      if (why !== null) wrong.push(`${figureId(fact)} ${why}`);
    }
    if (wrong.length > 0) report("PERIOD_CONFLICT", wrong[0]!.split(" ")[0]!, examples(wrong));
  },
});

function misfit(fact: Fact, cutoff: string, rules: { stale_days: number; start_gap_days: number }): string | null {
  const { start_session: start, end_session: end } = fact;
  if (end !== null && end > cutoff) return `ends ${end}, after the cutoff ${cutoff}`;
  if (start !== null && end !== null && start > end) return `starts ${start}, after its end ${end}`;
  const window = WINDOWS.find((candidate) => candidate === fact.window);
  if (window === undefined || !OWN_SESSIONS.test(fact.fact)) return null;
  if (start === null || end === null) return "names no sessions";
  if (daysBetween(end, cutoff) > rules.stale_days) return `ends ${end}, long before the cutoff ${cutoff}`;
  const anchor = anchorOf(window, cutoff);
  if (anchor === undefined) return start < end ? null : "starts on its end session";
  if (start > anchor) return `starts ${start}, after ${anchor}`;
  if (daysBetween(start, anchor) > rules.start_gap_days) return `starts ${start}, long before ${anchor}`;
  return null;
}
