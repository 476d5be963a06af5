/** No target, promised or expected return. A maturity, a multiple of an index and the tracking of one are aims of another kind. */
import { BLOCKS_BY_RULE, defineGate, lexicalCheck } from "./gate.ts";

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
  check: lexicalCheck("TARGET_RETURN"),
});
