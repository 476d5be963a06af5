/** Whether the universe names the product once, completely, without contradiction, and compares it with what exists. */
import type { Instrument } from "../schema/instrument.ts";
import { defineGate } from "./gate.ts";

/** Codes of faults that a reader of the universe gives to one instrument. */
const OF_THE_UNIVERSE = /^(UNIVERSE|BENCHMARK)_/;

export const registration = defineGate({
  id: "registration",
  version: 1,
  family: "data",
  stage: "admission",
  question: "Does the universe name this product once, with a sound row and a benchmark that exists?",
  needs: ["faults", "instrument"],
  codes: {
    IDENTITY_MISMATCH: {
      severity: "BLOCK",
      meaning: "the universe's row is malformed, repeated, contradicts itself, or names an impossible benchmark",
      remedy: "correct the row in the universe file, then run again",
    },
  },
  check({ faults, instrument }, report, examined) {
    examined("universe row");
    const wrong = contradiction(instrument);
    if (wrong !== null) report("IDENTITY_MISMATCH", "exposure_multiple", wrong);
    for (const { code, detail } of faults.filter((fault) => OF_THE_UNIVERSE.test(fault.code))) {
      report("IDENTITY_MISMATCH", "universe", `${code}: ${detail}`);
    }
  },
});

/** The multiple turns every comparison of the card, the type its warnings: they must speak of one product. */
function contradiction({ product_type: type, exposure_multiple: multiple }: Instrument): string | null {
  const isSound =
    type === "LEVERAGED" ? !/^-?1$/.test(multiple) : type === "INVERSE" ? multiple.startsWith("-") : multiple === "1";
  return isSound ? null : `product_type ${type} beside exposure_multiple ${multiple}`;
}
