/**
 * Whether every text is large and dark enough to be read, as measured on the page that was drawn. Decoration is not
 * measured, and neither is taste.
 */
import { type Decimal, decimal } from "../domain/decimal.ts";
import type { LayoutBox } from "../schema/layout.ts";
import { defineGate, examples } from "./gate.ts";

export const legibility = defineGate({
  id: "legibility",
  version: 1,
  family: "compliance",
  stage: "page",
  question: "Is every text on the page, and every disclosure, as large and as dark as the policy demands?",
  needs: ["layout", "rules"],
  codes: {
    FONT_TOO_SMALL: {
      severity: "BLOCK",
      meaning: "a text is drawn smaller than the policy allows",
      remedy: "draw it at least at the size that the policy names for it",
    },
    CONTRAST_LOW: {
      severity: "REVIEW",
      meaning: "a text stands out from its ground less than the policy demands, or by an unknown amount",
      remedy: "draw it darker, or on a plain ground",
    },
  },
  check({ layout, rules }, report, examined) {
    const { text_px, disclosure_px, contrast } = rules.page.legibility;
    const least = decimal(contrast);
    const small: string[] = [];
    const faint: string[] = [];
    for (const box of layout.boxes) {
      if (box.hidden !== null) continue;
      examined(box.text);
      const wanted = box.disclosure === null ? text_px : disclosure_px;
      if (box.font_px < wanted) small.push(`${nameOf(box)} at ${box.font_px} of ${wanted} px`);
      if (isFaint(box, least)) faint.push(`${nameOf(box)} at ${box.contrast ?? "unknown"} of ${contrast}`);
    }
    if (small.length > 0) report("FONT_TOO_SMALL", subjectOf(small), examples(small));
    if (faint.length > 0) report("CONTRAST_LOW", subjectOf(faint), examples(faint));
  },
});

function isFaint({ contrast }: LayoutBox, least: Decimal): boolean {
  return contrast === null || decimal(contrast).lt(least);
}

function nameOf({ disclosure, figure, where, text }: LayoutBox): string {
  return disclosure ?? figure ?? `"${text.slice(0, 40)}"${where === null ? "" : ` (${where})`}`;
}

function subjectOf(items: readonly string[]): string {
  return items[0]!.replace(/ at \S+ of .*$/, "");
}
