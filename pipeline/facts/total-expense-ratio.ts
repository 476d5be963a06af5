/**
 * total_expense_ratio, REPORTED. Two sources agree when the one with fewer decimals equals the other rounded or
 * truncated to as many; the finest is the value. Otherwise CONFLICT: nobody here picks the one to believe.
 */
import { type Decimal, decimal, toFixed } from "../domain/decimal.ts";
import { unavailable } from "../domain/outcome.ts";
import { defineFact } from "./fact.ts";

export const totalExpenseRatio = defineFact({
  id: "total_expense_ratio",
  version: 1,
  needs: [],
  epistemic_type: "REPORTED",
  compute(series) {
    const statements = series
      .stated("total_expense_ratio")
      .map((found) => ({ found, value: decimal(found.value as string) }));
    if (statements.length === 0) return unavailable("SOURCE_MISSING");
    const evidence = statements.flatMap(({ found }) => found.evidence);
    const agree = statements.every((one, index) =>
      statements.slice(index + 1).every((two) => agrees(one.value, two.value)),
    );
    if (!agree) return { ...unavailable("CONFLICT"), evidence };
    const finest = statements.reduce((best, one) => (one.value.dp() > best.value.dp() ? one : best));
    return { ...finest.found, value: finest.value, evidence };
  },
});

function agrees(one: Decimal, two: Decimal): boolean {
  const [coarse, fine] = one.dp() <= two.dp() ? [one, two] : [two, one];
  const decimals = coarse.dp();
  const scale = decimal(10).pow(decimals);
  return coarse.eq(toFixed(fine, decimals)) || coarse.eq(fine.times(scale).trunc().div(scale));
}
