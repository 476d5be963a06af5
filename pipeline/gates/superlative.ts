/**
 * No superlative and no place in a ranking without the rank, the number of those ranked and the universe. A claim that binds
 * the rank and the count of its peers has them; the superlative needs the first place.
 */
import { BLOCKS_BY_RULE, byFigure, defineGate, hitsOf, okValue, reportHits } from "./gate.ts";

export const superlative = defineGate({
  id: "superlative",
  version: 1,
  family: "compliance",
  stage: "sentences",
  question: "Does every superlative and ranking rest on a rank with its universe?",
  needs: ["sentences", "facts", "rules"],
  codes: {
    SUPERLATIVE: {
      severity: "REVIEW",
      blocks_when: BLOCKS_BY_RULE,
      meaning: "a superlative or a ranking stands without a rank fact that supports it, its universe and its date",
      remedy: "bind the rank and the number of peers, or leave the comparison out",
    },
  },
  check({ sentences, facts, rules }, report, examined) {
    const rows = byFigure(facts);
    for (const sentence of sentences) {
      examined(sentence.id);
      const bound = sentence.slots.map(({ figure }) => figure);
      const rank = bound.find((figure) => figure.startsWith("peer_rank.") && okValue(rows, figure) !== null);
      // The template prints the count and the date beside each rank of its own; a claim has to bind them itself.
      const isRanked =
        rank !== undefined && (sentence.kind === "fixed" || bound.includes(rank.replace("peer_rank.", "peer_count.")));
      const isFirst = isRanked && okValue(rows, rank) === "1";
      const hits = hitsOf(sentence, rules.lexicons, "SUPERLATIVE").filter(
        ({ rule }) => !(rule.asserts === "rank" && isRanked) && !(rule.asserts === "first" && isFirst),
      );
      reportHits(sentence, hits, report, "SUPERLATIVE");
    }
  },
});
