/** House style that a reader of research may expect, and no hidden characters. */
import { BLOCKS_BY_RULE, defineGate, lexicalCheck } from "./gate.ts";

export const style = defineGate({
  id: "style",
  version: 1,
  family: "compliance",
  stage: "sentences",
  question: "Is every sentence written as the house writes?",
  needs: ["sentences", "rules"],
  codes: {
    STYLE: {
      severity: "REVIEW",
      blocks_when: BLOCKS_BY_RULE,
      meaning: "a sentence shouts, decorates, uses slang, or holds characters that a reader cannot see",
      remedy: "write it plainly, in characters that are seen",
    },
  },
  check: lexicalCheck("STYLE"),
});
