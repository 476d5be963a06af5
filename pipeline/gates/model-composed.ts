/**
 * Whether a person has to read what a model composed. No rule knows every free word beside a figure, so such a card never
 * passes by itself; what the built-in composer says is worded in the code and was read there.
 */
import { defineGate } from "./gate.ts";

export const modelComposed = defineGate({
  id: "model-composed",
  version: 1,
  family: "research",
  stage: "page",
  question: "Were the composed sentences worded by a model, so that a person has to read them?",
  needs: ["card_terms"],
  codes: {
    MODEL_COMPOSED: {
      severity: "REVIEW",
      meaning: "sentences on the card were worded by a model, and words beside a figure may say what nothing bears out",
      remedy:
        "read each sentence beyond its figures: whose figure it says it is, facts and events that nothing on the card bears " +
        "out, advice or a request, a place to go to; approve the card when there is none, or compose again",
    },
  },
  check({ card_terms: { composed } }, report, examined) {
    examined("composed");
    if (composed.model === null || composed.count === 0) return;
    report("MODEL_COMPOSED", "claims", `${composed.count} sentences by ${composed.model}`);
  },
});
