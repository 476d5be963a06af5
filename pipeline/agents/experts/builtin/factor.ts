/** Method: which known drivers a fund's figures are consistent with. Estimates nothing itself. */
import { builtinMethod } from "./builtin-method.ts";

export const factorMethod = builtinMethod("factor", {
  name: "Factor and style",
  description:
    "Asks which drivers (market, size, value, momentum, quality, currency, rates) the figures are consistent with.",
  instructions: `Purpose: separate what a fund has in common with its market from what is its own, without estimating what was
not estimated.

1. Begin with the market. \`beta\` and \`correlation\` say how far the fund moved with its comparison fund over the aligned days;
   \`tracking_error\` says how much is left. Read the three together: a beta near the market's with much left over is not a market
   fund, and a small remainder leaves nothing to explain.
2. Take a style (size, value, momentum, quality, low volatility, dividend) only from the index rules or the research definition.
   The return of a fund does not prove its style. Where the rules state one, say which rule it is.
3. Test the style against the figures. A low-volatility rule should show in \`volatility\` and \`max_drawdown\` beside those of the
   peers; a dividend rule in \`distribution_yield\`. Where the figures disagree with the rule, that is the finding: report it first.
4. Put currency apart. For a fund in a foreign currency compare \`total_return\` with \`total_return_reporting\` and \`fx_change\` for
   the same window before giving anything to a style.
5. Look at several windows. What shows in one window only is an episode; say which window and do not generalise from it.

Competing explanations come before conclusions: for each style name one other driver that would leave the same figures (sector
weights, a single large member, currency, duration) and what would tell them apart. If that is not among the documents, hand it
in as a gap. No causal word without an approved causal edge. No expectation that a factor pays, has stopped paying, or returns.`,
});
