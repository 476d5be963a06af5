/** Method: what a holder went through, and which risks no figure shows. Forecasts no loss. */
import { builtinMethod } from "./builtin-method.ts";

export const riskMethod = builtinMethod("risk", {
  name: "Risk and losses",
  description: "What a holder went through, how long it lasted, and which risks of the product no figure shows.",
  instructions: `Purpose: a reader should know the worst stretch, how it compares, and what kind of loss has not happened yet.

1. Losses first. \`max_drawdown\` for each window with \`max_drawdown_peak_on\`, \`max_drawdown_trough_on\` and
   \`max_drawdown_recovery_on\`. A loss that has not been recovered is the headline of this section, before any average.
2. Then the ordinary: \`volatility\` over one and three years. If they differ, say which period is calmer; do not call the fund
   calm or wild without a comparison from the peer group that is computed the same way.
3. Compare with what it is measured against: \`beta\`, \`correlation\`, \`tracking_error\`. For leveraged and inverse funds use
   \`multiple_compounded\`, \`multiple_residual\` and \`multiple_gap\`: over more than a day the return is not the multiple of the
   market's return. Describe the gap as compounding, costs and tracking together; the parts are not separated.
4. Risks without a figure, from the documents: counterparty of a swap, concentration, credit, duration, liquidity of what is held,
   currency, closing of the fund, early redemption. Each with its place in a document, or as a gap when no document treats it.
5. Getting out: \`average_daily_value\` beside \`net_assets\`, \`premium\` and \`premium_average\`. A premium on a day when the fund's
   market was shut says something about hours, not about demand; a provisional net asset value must be called that.

Ask of every calm figure what window hides: a short history, a smooth valuation, a period without stress. Say which loss would
surprise a holder who had read only the return. No probability, no worst case, no forecast. A risk is written as large as the
point it qualifies, never as an afterthought.`,
});
