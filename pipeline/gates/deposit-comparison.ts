/** No comparison with deposits. That the product is none, and what it holds of them, may be said. */
import { BLOCKS_BY_RULE, defineGate, lexicalCheck } from "./gate.ts";

export const depositComparison = defineGate({
  id: "deposit-comparison",
  version: 1,
  family: "compliance",
  stage: "sentences",
  question: "Is nothing compared with a deposit?",
  needs: ["sentences", "rules"],
  codes: {
    COMPARISON_TO_DEPOSIT: {
      severity: "REVIEW",
      blocks_when: BLOCKS_BY_RULE,
      meaning: "a sentence sets the product beside a bank deposit or savings account",
      remedy: "take the comparison out; say that it is not a deposit, as the disclosure does",
    },
  },
  check: lexicalCheck("COMPARISON_TO_DEPOSIT"),
});
