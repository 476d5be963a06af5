/**
 * Holes in the sessions that the card rests on: too many calendar days between two of them, a session that the rest of
 * the market had, a window that starts in a hole, a rate too old to convert with. A market's long holiday is no hole.
 */
import { daysBetween } from "../domain/date.ts";
import { figureId } from "../schema/fact.ts";
import { defineGate, examples } from "./gate.ts";

export const gaps = defineGate({
  id: "gaps",
  version: 1,
  family: "data",
  stage: "data",
  question: "Are the sessions that the card rests on complete?",
  needs: ["moves", "facts", "defects", "absent_sessions", "rules"],
  codes: {
    GAP: {
      severity: "REVIEW",
      meaning: "sessions are missing inside the card's window",
      remedy: "collect the missing sessions, or confirm with the exchange that there was no trade",
    },
  },
  check({ moves, facts, defects, absent_sessions, rules }, report, examined) {
    const holes: string[] = [];
    for (const { session, previous_session } of moves) {
      examined(session);
      const days = daysBetween(previous_session, session);
      if (days > rules.gap_days) holes.push(`${previous_session} to ${session}, ${days} days`);
    }
    if (holes.length > 0) report("GAP", "sessions", `more than ${rules.gap_days} days apart: ${examples(holes)}`);
    const [from, to] = [moves[0]?.previous_session ?? "", moves.at(-1)?.session ?? ""];
    // A session whose rows were refused is told by `bars`; saying it again would be two findings of one cause.
    const refused = new Set(
      defects
        .filter(({ code }) => code === "DUPLICATE_SESSION" || code === "BAR_INVALID")
        .map(({ session }) => session),
    );
    // Of a stale series the missing end is told as such; of another, a last session that is absent moves every window.
    const isStale = facts.some(({ reason }) => reason === "STALE");
    const absent = (absent_sessions ?? []).filter(
      (session) => session > from && (session < to || !isStale) && !refused.has(session),
    );
    if (absent.length > 0) {
      report("GAP", "market sessions", `${absent.length} that the market had: ${examples(absent)}`);
    }
    for (const fact of facts) examined(figureId(fact));
    const starts = facts.filter(({ reason }) => reason === "GAP_AT_START").map(figureId);
    if (starts.length > 0) report("GAP", "window start", `withheld: ${examples(starts)}`);
    const rates = facts.filter(({ reason }) => reason === "FX_GAP").map(figureId);
    if (rates.length > 0) report("GAP", "exchange rate", `withheld: ${examples(rates)}`);
    const read = defects.filter(({ code }) => code === "GAP").map(({ source_id, detail }) => `${source_id}: ${detail}`);
    if (read.length > 0) report("GAP", "rows", examples(read));
  },
});
