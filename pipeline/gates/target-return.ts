/** No target, promised or expected return. A maturity, a multiple of an index and the tracking of one are aims of another kind. */
import { BLOCKS_BY_RULE, defineGate, hitsOf, reportHits } from "./gate.ts";

export const targetReturn = defineGate({
  id: "target-return",
  version: 1,
  family: "compliance",
  stage: "sentences",
  question: "Does no sentence aim at, promise or expect a return?",
  needs: ["sentences", "rules"],
  codes: {
    TARGET_RETURN: {
      severity: "REVIEW",
      blocks_when: BLOCKS_BY_RULE,
      meaning: "a sentence names a return that is aimed at, promised or expected",
      remedy: "say what the product holds and does; what it returned is the facts' to say",
    },
  },
  check({ sentences, rules }, report, examined) {
    for (const sentence of sentences) {
      examined(sentence.id);
      reportHits(sentence, hitsOf(sentence, rules.lexicons, "TARGET_RETURN"), report, "TARGET_RETURN");
    }
  },
});
