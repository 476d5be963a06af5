/** Language that no card may hold: urging, advice, suitability, hypothetical performance, gross without net, ratings without their date. */
import { BLOCKS_BY_RULE, defineGate, lexicalCheck } from "./gate.ts";

export const restrictedLanguage = defineGate({
  id: "restricted-language",
  version: 1,
  family: "compliance",
  stage: "sentences",
  question: "Is there no urging, advice, suitability or invented performance?",
  needs: ["sentences", "rules"],
  codes: {
    COMPLIANCE_BLOCK: {
      severity: "REVIEW",
      blocks_when: BLOCKS_BY_RULE,
      meaning:
        "a sentence urges, advises, says whom the product suits, shows performance that nobody had, or leaves out what must stand beside it",
      remedy: "describe the product; leave the decision to the reader and the advice to whom it is allowed",
    },
  },
  check: lexicalCheck("COMPLIANCE_BLOCK"),
});
