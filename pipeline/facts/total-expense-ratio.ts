/**
 * total_expense_ratio, REPORTED. Two sources agree when the one with fewer decimals equals the other rounded or
 * truncated to as many; the finest is the value. Decimals are those that the source wrote: 0.70 says more than 0.7, and
 * 0.74 contradicts it. Otherwise CONFLICT: nobody here picks the one to believe.
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
      .map((found) => ({ found, value: decimal(found.value as string), decimals: decimalsOf(found.value as string) }));
    if (statements.length === 0) return unavailable("SOURCE_MISSING");
    const evidence = statements.flatMap(({ found }) => found.evidence);
    const agree = statements.every((one, index) => statements.slice(index + 1).every((two) => agrees(one, two)));
    if (!agree) return { ...unavailable("CONFLICT"), evidence };
    const finest = statements.reduce((best, one) => (one.decimals > best.decimals ? one : best));
    return { ...finest.found, value: finest.value, evidence };
  },
});

interface Statement {
  value: Decimal;
  decimals: number;
}

function agrees(one: Statement, two: Statement): boolean {
  const [coarse, fine] = one.decimals <= two.decimals ? [one, two] : [two, one];
  const scale = decimal(10).pow(coarse.decimals);
  const isRounded = coarse.value.eq(toFixed(fine.value, coarse.decimals));
  return isRounded || coarse.value.eq(fine.value.times(scale).trunc().div(scale));
}

function decimalsOf(numeral: string): number {
  return numeral.split(".")[1]?.length ?? 0;
}
