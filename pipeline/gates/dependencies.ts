/**
 * Whether what the card compares with is sound itself. A blocked benchmark or peer is told by name; its levels and returns
 * stay in the figures, since taking them out would be another comparison without a word.
 */
import { defineGate, examples } from "./gate.ts";

export const dependencies = defineGate({
  id: "dependencies",
  version: 1,
  family: "data",
  stage: "data",
  question: "Are the series of the benchmark and of the peers sound themselves?",
  needs: ["dependencies"],
  codes: {
    DEPENDENCY_BLOCKED: {
      severity: "REVIEW",
      meaning: "the card compares with a product whose own series is blocked",
      remedy: "mend the series of the product named and run again, or confirm that the comparison stands without it",
    },
  },
  check({ dependencies: all }, report, examined) {
    if (all.length === 0) examined("card without comparison");
    for (const { instrument } of all) examined(instrument);
    const blocked = all.filter(({ blocked_by }) => blocked_by.length > 0);
    if (blocked.length === 0) return;
    const shown = blocked.map(({ instrument, role, blocked_by: [first] }) => {
      return `${role} ${instrument}: ${first!.code} ${first!.detail}`.slice(0, 200);
    });
    report("DEPENDENCY_BLOCKED", blocked[0]!.role, examples(shown, 3));
  },
});
