/** Measuring numerals in prose. Those of maturities, design multiples, trading units and registered names measure nothing here; numerals of the page are the coverage gate's. */
import { BLOCKS_BY_RULE, defineGate, lexicalCheck } from "./gate.ts";

export const proseNumerals = defineGate({
  id: "prose-numerals",
  version: 1,
  family: "numbers",
  stage: "sentences",
  question: "Does no prose measure anything in numerals of its own?",
  needs: ["sentences", "rules"],
  codes: {
    UNBOUND_NUMERAL: {
      severity: "REVIEW",
      blocks_when: BLOCKS_BY_RULE,
      meaning:
        "a numeral in prose, in digits or in words, measures a return, price, size, fee, rank or count and is bound to no fact",
      remedy: "put a slot in its place and bind it to the fact; the host prints the number",
    },
  },
  check: lexicalCheck("UNBOUND_NUMERAL"),
});
