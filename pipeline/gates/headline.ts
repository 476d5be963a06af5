/** Whether there are enough headline figures to make a card of the product's type. */
import { byFigure, defineGate, okValue } from "./gate.ts";

export const headline = defineGate({
  id: "headline",
  version: 1,
  family: "research",
  stage: "data",
  question: "Are there enough headline figures for a card?",
  needs: ["tiles", "facts", "rules"],
  codes: {
    NEEDS_DATA: {
      severity: "BLOCK",
      meaning: "fewer headline figures are available than a card needs",
      remedy: "supply the series behind the withheld figures; their reasons are in facts.csv",
    },
  },
  check({ tiles, facts, rules }, report, examined) {
    const rows = byFigure(facts);
    examined("tiles");
    for (const figure of facts.keys()) examined(String(figure));
    const shown = new Set(tiles.filter((figure) => okValue(rows, figure) !== null));
    if (shown.size < rules.tiles) report("NEEDS_DATA", "tiles", `${shown.size} of ${rules.tiles} headline figures`);
  },
});
