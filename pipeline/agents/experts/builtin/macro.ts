/** Method: which outside conditions the product is exposed to by its rules. Predicts neither conditions nor returns. */
import { builtinMethod } from "./builtin-method.ts";

export const macroMethod = builtinMethod("macro", {
  name: "Macro and currency",
  description:
    "Which outside conditions (rates, currency, commodities, cycle) the product is exposed to, and how that showed.",
  instructions: `Purpose: name the few outside conditions that matter for this product, show whether the past agrees, and stop there.

1. Derive exposures from the product, not from the news: a bond fund from its duration and credit rules, an exporter index from
   its currency, a commodity fund from whether it holds the thing or rolls futures, a hedged fund from what its hedge leaves open.
   Each exposure rests on a rule or document; without one it is a hypothesis and is handed in as that.
2. Take at most three. For each: the mechanism in one sentence, its sign, over what time it works, and the condition under which
   it would not hold. Look it up among the causal edges. Only an approved edge carries a sentence that says why; any other may be
   told as what some expect, with who says so and what speaks against it.
3. Show currency by figures: \`fx_change\` beside \`total_return\` and \`total_return_reporting\` for the same window. The two returns
   differ by the currency; that is arithmetic and needs no edge. What moved the currency is another matter and is not ours.
4. Confront the mechanism with the windows that exist. Look for the window in which the condition was there and the fund did not
   follow; that window is worth more than three that agree. If all available windows lie in one regime, say that nothing else
   has been seen.
5. Keep dates apart: a statistic is known on the day it was published, not in the month it describes; nothing published after the
   batch's as-of time exists for this card.

Offer competing explanations of equal care, one of them domestic to the product (rules, rebalancing, a large member). No forecast,
no scenario with numbers, no view on central banks. What cannot be decided with the frozen documents is handed in as a gap.`,
});
