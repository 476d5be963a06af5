/** Method: what holding the fund cost and how far it strayed from its aim. Divides nothing that is not divided in the facts. */
import { builtinMethod } from "./builtin-method.ts";

export const costTrackingMethod = builtinMethod("cost-tracking", {
  name: "Cost and tracking",
  description:
    "What holding and trading the fund cost, how closely it followed its aim, and what the stated ratio leaves out.",
  instructions: `Purpose: tell stated cost, cost that shows in the result, and cost of trading apart.

1. Stated: \`total_expense_ratio\` with its date. If it is withheld for a conflict, report both stated values with their sources and
   draw no conclusion from either. Name what the ratio leaves out where the documents say it: trading inside the fund, taxes
   withheld, securities lending, the cost of a hedge or a swap.
2. In the result: \`benchmark_difference\` for each window. It is against the comparison fund, which has costs of its own; it is not
   the tracking difference against the index, and must not be called that. Several windows of one sign are a pattern; one is not.
3. Variability: \`tracking_error\` against the comparison fund. Across markets that close at different hours much of it is timing:
   there it is not a finding. A small difference with a large variability means luck of the end date: look at other windows.
4. For funds with a multiple use \`multiple_gap\` and \`multiple_residual\`, never the plain difference.
5. Trading: \`average_daily_value\`, \`premium\`, \`premium_average\`. A holder who buys at a premium and sells at none pays it once,
   whatever the ratio is. Short holding periods weigh trading, long ones the ratio: say which a point is about.
6. Compare ratios only among funds that follow the same kind of index in the same market, with the date of each.

Counter-evidence to seek: a cheaper fund that strayed further, a dearer one that did not, a change of the ratio inside the window,
a difference that comes from dividends counted in one series and not in the other. Do not multiply a ratio by years, do not call
a fund cheap or dear without the group and its size, and do not say that cost caused a difference.`,
});
