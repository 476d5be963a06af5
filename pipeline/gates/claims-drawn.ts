/**
 * Whether the page says each composed sentence exactly as the host printed it, once, and no other as one of them. What the
 * figures in it say is the recalculation's question; whether the sentence may stand is the sentence gates'.
 */
import type { ClaimLine } from "./evidence.ts";
import { defineGate } from "./gate.ts";

export const claimsDrawn = defineGate({
  id: "claims-drawn",
  version: 1,
  family: "evidence",
  stage: "page",
  question: "Does the page say every composed sentence exactly as it was printed and judged, and no other?",
  needs: ["drawn_claims"],
  codes: {
    CLAIM_ALTERED: {
      severity: "BLOCK",
      meaning:
        "a sentence of the page differs from the claim that was judged, is missing, repeated, or was never judged",
      remedy: "draw the claim as it was printed, with each figure in its place, and nothing that is no claim as one",
    },
  },
  check({ drawn_claims }, report, examined) {
    examined("page");
    for (const { claim, expected, drawn } of drawn_claims) {
      examined(claim);
      const altered = (detail: string) => report("CLAIM_ALTERED", claim, detail);
      const [line, ...more] = drawn;
      if (expected === null) altered("the page says it, and no such claim was to be drawn");
      else if (line === undefined) altered("it is not on the page");
      else if (more.length > 0) altered(`it stands on the page ${drawn.length} times, or in as many pieces`);
      else if (line.text !== expected.text) altered(`the page says: ${line.text.slice(0, 200)}`);
      else if (figuresIn(line) !== figuresIn(expected)) altered(`its places hold ${figuresIn(line)}`);
    }
  },
});

function figuresIn({ slots }: ClaimLine): string {
  return slots.map(({ figure }) => figure).join(", ");
}
