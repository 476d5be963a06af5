/**
 * Whether the card describes the cutoff. A stale price series leaves a card without its substance and blocks; a stale
 * side series (NAV, benchmark) leaves a gap that the card says in words, and asks for a look.
 */
import { daysBetween } from "../domain/date.ts";
import { figureId } from "../schema/fact.ts";
import { byFigure, defineGate, examples, okValue } from "./gate.ts";

const OF_THE_PRICE = /^(price_return|total_return|last_close|end_session|high_52w|low_52w)$/;

export const freshness = defineGate({
  id: "freshness",
  version: 1,
  family: "data",
  stage: "data",
  question: "Do the series reach the cutoff?",
  needs: ["facts", "terms", "rules"],
  codes: {
    STALE: {
      severity: "REVIEW",
      blocks_when: "the product's own price series is stale",
      meaning: "a series ends too long before the cutoff, so figures that rest on it are withheld",
      remedy: "collect the series again up to the cutoff, or move the cutoff back for the whole batch",
    },
  },
  check({ facts, terms, rules }, report, examined) {
    for (const fact of facts) examined(figureId(fact));
    const stale = facts.filter(({ reason }) => reason === "STALE");
    const own = stale.filter(({ fact }) => OF_THE_PRICE.test(fact)).map(figureId);
    const end = okValue(byFigure(facts), "end_session");
    const age = end === null ? 0 : daysBetween(end, terms.cutoff);
    if (own.length > 0) {
      report("STALE", "price series", `${own.length} figures withheld: ${examples(own)}`, { blocks: true });
    } else if (age > rules.stale_days) {
      report("STALE", "price series", `ends ${end}, ${age} days before ${terms.cutoff}`, { blocks: true });
    }
    const side = stale.filter(({ fact }) => !OF_THE_PRICE.test(fact)).map(figureId);
    if (side.length > 0 && own.length === 0) report("STALE", "side series", `withheld: ${examples(side)}`);
    const compared = facts.filter(({ reason }) => reason === "BENCHMARK_STALE").map(figureId);
    if (compared.length > 0) report("STALE", "benchmark", `withheld: ${examples(compared)}`);
  },
});
