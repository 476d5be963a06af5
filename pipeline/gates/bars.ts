/**
 * Rows that a reader could not trust, inside the longest window that the card uses: an old defect that no figure rests
 * on is not a finding. One finding for each source and code, with the rows as examples.
 */
import { defineGate, examples } from "./gate.ts";

export const bars = defineGate({
  id: "bars",
  version: 1,
  family: "data",
  stage: "data",
  question: "Are the rows that the card rests on whole and unambiguous?",
  needs: ["sources", "defects", "moves", "terms"],
  codes: {
    DUPLICATE_SESSION: {
      severity: "REVIEW",
      meaning: "a session has rows that differ; none of them is used",
      remedy: "find the right row in the source and have the other removed",
    },
    BAR_INVALID: {
      severity: "REVIEW",
      meaning: "a row is half-filled, not a number, or contradicts itself",
      remedy: "collect the session again after the source has completed it, or confirm the close elsewhere",
    },
  },
  check({ sources, defects, moves, terms }, report, examined) {
    for (const { kind, serves, source_id } of sources) {
      if (kind === "bars" && serves === "instrument") examined(source_id);
    }
    const from = moves[0]?.previous_session ?? "";
    // Up to the cutoff, not to the last good session: a bad last bar moves that session without a word.
    const to = terms.cutoff;
    for (const code of ["DUPLICATE_SESSION", "BAR_INVALID"] as const) {
      const inside = defects.filter(
        ({ code: found, session }) => found === code && (session === null || (session >= from && session <= to)),
      );
      for (const source_id of new Set(inside.map((defect) => defect.source_id))) {
        const rows = inside.filter((defect) => defect.source_id === source_id);
        const [first] = rows;
        const subject = first?.row == null ? source_id : `${source_id}@${first.row}`;
        const shown = rows.map(({ row, session, detail }) =>
          row === null ? detail : `${session ?? "no date"} (row ${row}): ${detail}`,
        );
        report(code, subject, `${rows.length} in the card's window: ${examples(shown, 3)}`);
      }
    }
  },
});
