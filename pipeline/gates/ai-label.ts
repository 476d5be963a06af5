/**
 * Whether a card with sentences that a machine composed says so, near them and legibly. A card without any is examined
 * for that statement, and passes.
 */
import { type LayoutBox, verticalGap } from "../schema/layout.ts";
import { defineGate } from "./gate.ts";

/** Section of the page in which composed sentences stand (templates/card). */
const SENTENCES = "claims";

export const aiLabel = defineGate({
  id: "ai-label",
  version: 1,
  family: "compliance",
  stage: "page",
  question: "Do composed sentences bear the policy's label, near them and large enough to be read?",
  needs: ["layout", "card_terms", "rules"],
  codes: {
    AI_LABEL_MISSING: {
      severity: "BLOCK",
      meaning: "composed sentences stand on the page without the label that the policy demands beside them",
      remedy: "draw the label's text whole beside the sentences, at the policy's size",
    },
  },
  check({ layout, card_terms, rules }, report, examined) {
    examined("composed");
    if (card_terms.composed.count === 0) return;
    const { id, min_px, max_distance_px } = rules.page.ai_label;
    const drawn = layout.boxes.filter(({ hidden }) => hidden === null);
    const labels = drawn.filter(({ disclosure }) => disclosure === id);
    const sentences = drawn.filter(({ where, disclosure }) => where === SENTENCES && disclosure === null);
    const missing = (detail: string) => report("AI_LABEL_MISSING", id, detail);
    const wanted = rules.page.texts[id]?.[card_terms.locale]?.replace(/\s+/g, " ").trim();
    if (sentences.length === 0) return missing(`${card_terms.composed.count} composed sentences are not on the page`);
    const near = labels.filter((label) => isNear(label, sentences, max_distance_px));
    if (labels.length === 0) return missing("the label is not on the page");
    if (near.length === 0) return missing(`no label stands within ${max_distance_px} px of the sentences`);
    if (near.map(({ text }) => text).join(" ") !== wanted)
      return missing("the label beside the sentences reads otherwise");
    const least = Math.min(...near.map(({ font_px }) => font_px));
    if (least < min_px) missing(`the label is drawn at ${least} of ${min_px} px`);
  },
});

function isNear(label: LayoutBox, sentences: readonly LayoutBox[], limit_px: number): boolean {
  return sentences.some((sentence) => verticalGap(label, sentence) <= limit_px);
}
