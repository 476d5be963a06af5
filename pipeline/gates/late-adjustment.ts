/** A payout after the day up to which a source has adjusted would read as a loss. */
import type { DateText } from "../domain/date.ts";
import { figureId } from "../schema/fact.ts";
import { defineGate, examples } from "./gate.ts";

export const lateAdjustment = defineGate({
  id: "late-adjustment",
  version: 1,
  family: "data",
  stage: "data",
  question: "Had the source applied every payout up to the end of the windows?",
  needs: ["sources", "facts"],
  codes: {
    LATE_ADJUSTMENT: {
      severity: "REVIEW",
      meaning: "figures end after the day through which the source declares its adjustment",
      remedy: "check for payouts since that day, or collect the series again once they are applied",
    },
  },
  check({ sources, facts }, report, examined) {
    // The product and its benchmark are often files of one source: one cause, one finding.
    const through = new Map<string, { day: DateText; evidence: Set<string> }>();
    for (const { source_id, adjusted_through, version } of sources) {
      examined(source_id);
      if (adjusted_through === null || version === null) continue;
      const known = through.get(source_id) ?? { day: adjusted_through, evidence: new Set() };
      known.evidence.add(version.evidence_id);
      through.set(source_id, known);
    }
    for (const [source_id, { day, evidence }] of through) {
      const late = facts.filter(
        ({ status, end_session, evidence: used }) =>
          status === "OK" && end_session !== null && end_session > day && used.some((id) => evidence.has(id)),
      );
      if (late.length === 0) continue;
      const figures = `${late.length} figures end later: ${examples(late.map(figureId), 3)}`;
      report("LATE_ADJUSTMENT", source_id, `adjusted through ${day}; ${figures}`);
    }
  },
});
