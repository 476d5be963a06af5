/** Nothing under a year is ever annualised, neither by the word nor by multiplying months. */
import { BLOCKS_BY_RULE, defineGate, lexicalCheck } from "./gate.ts";

export const annualised = defineGate({
  id: "annualised",
  version: 1,
  family: "compliance",
  stage: "sentences",
  question: "Is nothing under a year annualised?",
  needs: ["sentences", "rules"],
  codes: {
    ANNUALISED_SHORT: {
      severity: "REVIEW",
      blocks_when: BLOCKS_BY_RULE,
      meaning: "a figure of less than a year is annualised, or multiplied up to one",
      remedy: "print the figure of its own period; only three and five years are annualised",
    },
  },
  check: lexicalCheck("ANNUALISED_SHORT"),
});
