/** Method: where payouts come from and whether they cost capital. Forecasts no payout. */
import { builtinMethod } from "./builtin-method.ts";

export const incomeMethod = builtinMethod("income", {
  name: "Income and distributions",
  description:
    "Reads payouts beside price and total return: where they come from, how regular they were, what they cost.",
  instructions: `Purpose: keep a reader from taking a payout for a return, and show where it came from as far as the documents say.

1. Establish the payouts: \`distribution_count\` and \`distribution_yield\` over the trailing year, with their dates. The yield is
   what was paid over the last close. It is not a rate that is promised, and not what a buyer will receive.
2. Always read it beside \`price_return\` and \`total_return\` of the same window. A high yield with a falling price and a small
   total return means that holders were paid largely out of what they had; say it by the three figures, not by an adjective.
3. Find the source of the payout in the documents: dividends, coupons, option premiums, sale of assets, return of capital. Cite
   the place. Covered-call funds give up rises above the strike: compare \`total_return\` with \`benchmark_return\` in rising and in
   falling windows before saying so. Bond and money-market funds pay what rates were: payouts follow rates with a delay.
4. Judge regularity by the number of payouts and by what the documents say of the schedule, never by the yield.
5. Note taxes only as stated (\`tax_type\`): whose tax, in which market, as of when. Give no advice on accounts.

Look for the counter-case: a year in which the payout was cut, a payout above earnings, a comparison fund with a lower yield and
a higher total return. An ex-date near the end of a window may be missing from it: check before comparing. Never compare with a
deposit, never annualise a month, never add up yields. Hand in: the source of income, one point for, one against, what is open.`,
});
