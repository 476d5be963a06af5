/**
 * Whether each text that the channel's policy demands of this card can be read on the page, whole and unaltered. It
 * compares what is drawn with the policy's words and judges neither whether the words suffice nor where they stand.
 */
import { requiredDisclosures } from "../schema/card-terms.ts";
import type { LayoutBox } from "../schema/layout.ts";
import { defineGate } from "./gate.ts";

export const disclosures = defineGate({
  id: "disclosures",
  version: 1,
  family: "compliance",
  stage: "page",
  question: "Does the page show every text that the policy demands of this card, whole and unaltered?",
  needs: ["layout", "card_terms", "instrument", "rules"],
  codes: {
    DISCLOSURE_MISSING: {
      severity: "BLOCK",
      meaning: "a text that the policy demands cannot be read on the page as the policy words it",
      remedy: "draw the policy's text whole, in the card's language, where nothing hides it",
    },
  },
  check({ layout, card_terms, instrument, rules }, report, examined) {
    const texts = textsOf(layout.boxes);
    for (const id of requiredDisclosures(rules.page.disclosures, instrument, card_terms)) {
      examined(id);
      const wanted = rules.page.texts[id]?.[card_terms.locale];
      const drawn = texts.get(id) ?? [];
      if (wanted === undefined) report("EVIDENCE_MISSING", id, `the policy has no text in ${card_terms.locale}`);
      else if (!drawn.some(({ text, hidden }) => hidden === null && text === collapse(wanted))) {
        report("DISCLOSURE_MISSING", id, whatIsWrong(drawn, collapse(wanted)));
      }
    }
  },
});

interface DrawnText {
  text: string;
  hidden: LayoutBox["hidden"];
}

/** Runs of boxes of one disclosure, joined as they are read. A run of which any part is hidden is hidden. */
function textsOf(boxes: readonly LayoutBox[]): Map<string, DrawnText[]> {
  const found = new Map<string, DrawnText[]>();
  let before: string | null = null;
  for (const { disclosure, text, hidden } of boxes) {
    if (disclosure !== null) {
      const runs = found.get(disclosure) ?? [];
      found.set(disclosure, runs);
      const run = runs.at(-1);
      if (before === disclosure && run !== undefined) {
        run.text = `${run.text} ${text}`;
        run.hidden ??= hidden;
      } else runs.push({ text, hidden });
    }
    before = disclosure;
  }
  return found;
}

function whatIsWrong(drawn: readonly DrawnText[], wanted: string): string {
  const hidden = drawn.find(({ text }) => text === wanted);
  if (hidden !== undefined) return `it is on the page and cannot be read: ${hidden.hidden}`;
  const [other] = drawn;
  return other === undefined ? "it is not on the page" : `it reads otherwise: ${other.text.slice(0, 120)}`;
}

function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
