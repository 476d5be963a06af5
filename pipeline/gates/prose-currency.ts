/** Amounts in prose name their currency, and a converted figure is not told as an unconverted one. */
import { BLOCKS_BY_RULE, defineGate, lexicalCheck } from "./gate.ts";

export const proseCurrency = defineGate({
  id: "prose-currency",
  version: 1,
  family: "numbers",
  stage: "sentences",
  question: "Does every amount in prose name one currency?",
  needs: ["sentences", "rules"],
  codes: {
    CURRENCY_CONFLICT: {
      severity: "REVIEW",
      blocks_when: BLOCKS_BY_RULE,
      meaning: "an amount is told without its currency, or a sentence mixes two of them",
      remedy: "name the currency next to the amount, once",
    },
  },
  check: lexicalCheck("CURRENCY_CONFLICT"),
});
