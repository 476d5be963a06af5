/** No assurance of returns or principal, in words or in what they amount to. A denial is no assurance. */
import { BLOCKS_BY_RULE, defineGate, lexicalCheck } from "./gate.ts";

export const guarantee = defineGate({
  id: "guarantee",
  version: 1,
  family: "compliance",
  stage: "sentences",
  question: "Does no sentence assure a return or the principal?",
  needs: ["sentences", "rules"],
  codes: {
    GUARANTEE: {
      severity: "REVIEW",
      blocks_when: BLOCKS_BY_RULE,
      meaning: "a sentence assures a return, the principal, or the absence of loss",
      remedy: "take the assurance out; say what can be lost",
    },
  },
  check: lexicalCheck("GUARANTEE"),
});
