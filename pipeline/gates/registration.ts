/** Whether the universe names the product once, completely, and compares it with something that exists. */
import { defineGate } from "./gate.ts";

/** Codes of faults that a reader of the universe gives to one instrument. */
const OF_THE_UNIVERSE = /^(UNIVERSE|BENCHMARK)_/;

export const registration = defineGate({
  id: "registration",
  version: 1,
  family: "data",
  stage: "admission",
  question: "Does the universe name this product once, with a sound row and a benchmark that exists?",
  needs: ["faults"],
  codes: {
    IDENTITY_MISMATCH: {
      severity: "BLOCK",
      meaning: "the universe's row is malformed, repeated, or names an impossible benchmark",
      remedy: "correct the row in the universe file, then run again",
    },
  },
  check({ faults }, report, examined) {
    examined("universe row");
    for (const { code, detail } of faults.filter((fault) => OF_THE_UNIVERSE.test(fault.code))) {
      report("IDENTITY_MISMATCH", "universe", `${code}: ${detail}`);
    }
  },
});
