/** Amounts in prose name their currency, and a converted figure is not told as an unconverted one. */
import { BLOCKS_BY_RULE, defineGate, hitsOf, reportHits } from "./gate.ts";

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
  check({ sentences, rules }, report, examined) {
    for (const sentence of sentences) {
      examined(sentence.id);
      reportHits(sentence, hitsOf(sentence, rules.lexicons, "CURRENCY_CONFLICT"), report, "CURRENCY_CONFLICT");
    }
  },
});
