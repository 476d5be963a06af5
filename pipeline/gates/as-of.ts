/** P1: only what was usable at as_of exists for the run. */
import { toInstant } from "../domain/instant.ts";
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
      meaning: "a file became usable only after the batch's as_of",
      remedy: "move as_of to after the file's retrieval, or supply the version that was known at as_of",
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
    if (late.length > 0) report("FIRST_USABLE_AFTER_AS_OF", "as_of", `known at ${limit}, but ${examples(late)}`);
  },
});
