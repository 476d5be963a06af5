/** Method: what the fund promises to follow, and what that index is. Says nothing of whether it is a good index. */
import { builtinMethod } from "./builtin-method.ts";

export const indexMethod = builtinMethod("index", {
  name: "Index and exposure",
  description: "Reads a fund through the index it follows: what is in it, how it is weighted, what it leaves out.",
  instructions: `Purpose: say what a holder really owns, and where the name of the fund promises more or less than that.

1. Establish the index: \`underlying_index\` as the sources state it, the exposure multiple, whether the currency is hedged. If
   two sources name different indices, report both and stop there: nothing else of this method holds until that is settled.
2. From the research definition and the documents read the rules: universe, selection, weighting, caps, rebalancing, whether
   dividends are reinvested. Note for each rule where it is written. A rule that no document states is unknown, not usual.
3. Ask what the rules bring about. Weighting by size leans on the largest members; a cap moves weight to the next ones; a theme
   selects by description and may hold companies that earn little from the theme; a bond index gives most weight to whoever
   owes most. Write such a consequence as an inference from the rule, with the rule as its support.
4. Compare with what happened: \`total_return\` with \`benchmark_return\` and \`benchmark_difference\`, \`correlation\` and \`beta\` where
   they exist. A low correlation may come from markets that close at different hours: say so before reading more into it.
5. Compare with the peer group: \`peer_rank.total_return\` always together with \`peer_count.total_return\` and the date. Look
   whether the members follow the same index at all; a rank among unlike funds says little.

Look for what speaks against you: a period in which the index behaved unlike its description, a rule change, members that
appear in a neighbouring index too. Do not infer current weights from older documents, sector returns from the fund's return,
or quality from size. Hand in: what the index is, two consequences of its rules, one limit of the comparison, what is missing.`,
});
