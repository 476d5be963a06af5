/**
 * What a sentence says it is, it is: a forecast is marked as one, an observation rests on observed facts. Plain and fixed
 * sentences say nothing of themselves, so a forecast among them is unmarked.
 */
import type { EpistemicType } from "../schema/claim.ts";
import { BLOCKS_BY_RULE, byFigure, defineGate, hitsOf, reportHits } from "./gate.ts";

const MARKED: readonly (EpistemicType | null)[] = ["FORECAST", "OPINION"];
/** Types that a bound fact must itself be, at least one of them. */
const OF_FACTS: readonly (EpistemicType | null)[] = ["OBSERVED", "REPORTED", "DERIVED"];

export const epistemicType = defineGate({
  id: "epistemic-type",
  version: 1,
  family: "evidence",
  stage: "sentences",
  question: "Is every sentence of the kind that it says it is?",
  needs: ["sentences", "facts", "rules"],
  codes: {
    MISCLASSIFIED: {
      severity: "REVIEW",
      blocks_when: `a claim's type is not that of the facts it binds, or ${BLOCKS_BY_RULE}`,
      meaning: "a forecast or an opinion stands as a fact, or a claim is typed as what its facts are not",
      remedy: "mark the forecast as one with whose it is, or bind the fact that makes it an observation",
    },
  },
  check({ sentences, facts, rules }, report, examined) {
    const rows = byFigure(facts);
    for (const sentence of sentences) {
      examined(sentence.id);
      if (!MARKED.includes(sentence.type)) {
        reportHits(sentence, hitsOf(sentence, rules.lexicons, "MISCLASSIFIED"), report, "MISCLASSIFIED");
      }
      if (sentence.kind !== "claim" || !OF_FACTS.includes(sentence.type)) continue;
      const types = sentence.slots.flatMap(
        ({ figure }) => rows.get(figure.replace(/^label\//, ""))?.epistemic_type ?? [],
      );
      if (!types.some((type) => type === sentence.type)) {
        const bound = types.length === 0 ? "binds no fact" : `binds facts that are ${[...new Set(types)].join(", ")}`;
        report("MISCLASSIFIED", sentence.id, `typed ${sentence.type} and ${bound}`, { blocks: true });
      }
    }
  },
});
