/**
 * A word that says up or down, above or below, stands only beside a figure that says so too: in a claim the nearest bound
 * figure that can bear a direction, in plain text the number written next to it.
 */
import type { Sentence } from "../schema/sentence.ts";
import {
  BLOCKS_BY_RULE,
  byFigure,
  defineGate,
  type FactsByFigure,
  type Hit,
  hitsOf,
  okValue,
  reportHits,
} from "./gate.ts";

/** Facts whose sign says up or down, and those whose sign says above or below. */
const CHANGES =
  /^(price_return|total_return|total_return_annualised|fx_change|total_return_reporting|benchmark_return|max_drawdown)\b/;
const DIFFERENCES = /^(benchmark_difference|multiple_gap|multiple_residual|premium|premium_average)\b/;

export const direction = defineGate({
  id: "direction",
  version: 1,
  family: "numbers",
  stage: "sentences",
  question: "Does every word of direction agree with the sign of its figure?",
  needs: ["sentences", "facts", "rules"],
  codes: {
    DIRECTION_CONFLICT: {
      severity: "REVIEW",
      blocks_when: `the figure beside the word says the contrary, a claim binds none, or ${BLOCKS_BY_RULE}`,
      meaning: "a word of direction or comparison has no figure beside it that supports it",
      remedy: "bind the figure that the word rests on, or choose the word that its sign allows",
    },
  },
  check({ sentences, facts, rules }, report, examined) {
    const rows = byFigure(facts);
    for (const sentence of sentences) {
      examined(sentence.id);
      const unsupported: Hit[] = [];
      for (const hit of hitsOf(sentence, rules.lexicons, "DIRECTION_CONFLICT")) {
        const figure = nearestFigure(sentence, hit, rows);
        if (figure === null || hit.rule.asserts === null) {
          unsupported.push(hit);
          continue;
        }
        const value = okValue(rows, figure) ?? "0";
        const isUp = hit.rule.asserts === "positive" || hit.rule.asserts === "above";
        const agrees = /[1-9]/.test(value) && value.startsWith("-") !== isUp;
        if (agrees) continue;
        const detail = `"${sentence.text.slice(...hit.span)}" beside ${figure} = ${value}`;
        report("DIRECTION_CONFLICT", sentence.id, detail, { blocks: true, span: hit.span });
      }
      const [loose] = unsupported;
      if (loose === undefined) continue;
      if (sentence.kind !== "claim") reportHits(sentence, unsupported, report, "DIRECTION_CONFLICT");
      else {
        const detail = `${loose.rule.says}: no figure of the claim supports "${sentence.text.slice(...loose.span)}"`;
        report("DIRECTION_CONFLICT", sentence.id, detail, { blocks: true, span: loose.span });
      }
    }
  },
});

function nearestFigure(sentence: Sentence, { rule, match }: Hit, rows: FactsByFigure): string | null {
  const fitting = rule.asserts === "above" || rule.asserts === "below" ? DIFFERENCES : CHANGES;
  const figures = new Map(sentence.slots.map(({ name, figure }) => [`{${name}}`, figure]));
  let nearest: { figure: string; distance: number } | null = null;
  for (const [index, token] of sentence.tokens.entries()) {
    const figure = token.tag === "SLOT" ? figures.get(token.text) : undefined;
    if (figure === undefined || !fitting.test(figure) || okValue(rows, figure) === null) continue;
    const distance = index < match.first ? match.first - index : index - match.after + 1;
    if (nearest === null || distance < nearest.distance) nearest = { figure, distance };
  }
  return nearest?.figure ?? null;
}
