/**
 * A sentence that says why something moved names a causal edge that is approved, with estimand and identification. Whether
 * that edge holds for the product at hand is the causal-edge gate's question.
 */
import { BLOCKS_BY_RULE, defineGate, hitsOf, reportHits } from "./gate.ts";

export const cause = defineGate({
  id: "cause",
  version: 1,
  family: "causality",
  stage: "sentences",
  question: "Does every sentence that says why name an approved causal edge?",
  needs: ["sentences", "causal_edges", "rules"],
  codes: {
    CAUSE_WITHOUT_EDGE: {
      severity: "REVIEW",
      blocks_when: `a claim names an edge that is not approved, or ${BLOCKS_BY_RULE}`,
      meaning: "a sentence says why something moved or performed, and no approved causal edge says so",
      remedy:
        "say what happened without saying why, or name an approved edge; an explanatory edge cannot carry a cause",
    },
  },
  check({ sentences, causal_edges, rules }, report, examined) {
    const edges = new Map(causal_edges.map((edge) => [edge.id, edge]));
    for (const sentence of sentences) {
      examined(sentence.id);
      const edge = edges.get(sentence.causal_edge ?? "");
      const isApproved =
        edge !== undefined &&
        edge.history.at(-1)?.state === "APPROVED" &&
        edge.estimand !== null &&
        edge.identification !== null;
      if (isApproved) continue;
      reportHits(sentence, hitsOf(sentence, rules.lexicons, "CAUSE_WITHOUT_EDGE"), report, "CAUSE_WITHOUT_EDGE");
      if (sentence.kind === "claim" && sentence.causal_edge !== null) {
        const state = edge?.history.at(-1)?.state ?? "unknown";
        report("CAUSE_WITHOUT_EDGE", sentence.id, `names ${sentence.causal_edge}, which is ${state}`, { blocks: true });
      }
    }
  },
});
