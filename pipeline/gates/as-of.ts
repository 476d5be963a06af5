/** P1: only what was usable at as_of exists for the run. */
import { closingInstant, toInstant } from "../domain/instant.ts";
import { defineGate, examples } from "./gate.ts";

export const asOf = defineGate({
  id: "as-of",
  version: 1,
  family: "data",
  stage: "data",
  question: "Was every file usable at the instant of knowledge?",
  needs: ["sources", "terms"],
  codes: {
    FIRST_USABLE_AFTER_AS_OF: {
      severity: "BLOCK",
      meaning: "a file, or the close that the card describes, became known only after the batch's as_of",
      remedy: "move as_of to after the retrieval and the close, or supply what was known at as_of",
    },
  },
  check({ sources, terms }, report, examined) {
    const limit = toInstant(terms.as_of);
    const late: string[] = [];
    for (const { source_id, version } of sources) {
      if (version === null) continue;
      examined(source_id);
      const usable = toInstant(version.first_usable_at);
      if (usable > limit) late.push(`${source_id} at ${usable}`);
    }
    const close = new Date(closingInstant(terms.market, terms.cutoff)).toISOString();
    if (close > limit) late.push(`the close of ${terms.cutoff} itself at ${close}`);
    if (late.length > 0) report("FIRST_USABLE_AFTER_AS_OF", "as_of", `known at ${limit}, but ${examples(late)}`);
  },
});
