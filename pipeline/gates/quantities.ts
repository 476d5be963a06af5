/**
 * Whether each figure can be what it says: one row for each entry of the catalogue, a value when OK and a reason when
 * not, in the grammar of its unit and within the bounds that its definition sets.
 */
import { isDate } from "../domain/date.ts";
import { decimal, isPlainNumeral } from "../domain/decimal.ts";
import { CATALOGUE } from "../schema/catalogue.ts";
import { type Fact, figureId } from "../schema/fact.ts";
import { byFigure, defineGate, examples, type FactsByFigure, okValue } from "./gate.ts";

const NUMERIC = new Set(["ratio", "price", "money", "count", "rank", "number"]);
/** Least and greatest value; null is open. A return below −1 would be a loss of more than all. */
const BOUNDS: Record<string, readonly [string | null, string | null]> = {
  price_return: ["-1", null],
  total_return: ["-1", null],
  total_return_annualised: ["-1", null],
  total_return_reporting: ["-1", null],
  fx_change: ["-1", null],
  benchmark_return: ["-1", null],
  "peer_median.total_return": ["-1", null],
  position_52w: ["0", "1"],
  volatility: ["0", null],
  tracking_error: ["0", null],
  max_drawdown: ["-1", "0"],
  correlation: ["-1", "1"],
  distribution_yield: ["0", null],
  distribution_count: ["0", null],
  average_daily_value: ["0", null],
  premium: ["-1", null],
  total_expense_ratio: ["0", null],
  total_expense_ratio_stated: ["0", null],
  "peer_rank.total_return": ["1", null],
  "peer_count.total_return": ["3", null],
};
/** A fund of nothing is none: a vendor's blank, written as a number. */
const ABOVE_ZERO = new Set(["net_assets", "fund_net_assets"]);
/** Before the first exchange-traded fund of any market, and after the last day described, no product began. */
const BEGINNINGS = new Set(["listed_on", "inception_on"]);
const EARLIEST = "1985-01-01";
/** Figures that cannot be the other way round: left ≤ right. */
const ORDERED: readonly (readonly [string, string])[] = [
  ["low_52w", "last_close"],
  ["last_close", "high_52w"],
  ["peer_rank.total_return.1y", "peer_count.total_return.1y"],
  ...["1y", "3y", "5y"].flatMap((window): [string, string][] => [
    [`max_drawdown_peak_on.${window}`, `max_drawdown_trough_on.${window}`],
    [`max_drawdown_trough_on.${window}`, `max_drawdown_recovery_on.${window}`],
  ]),
];

export const quantities = defineGate({
  id: "quantities",
  version: 1,
  family: "numbers",
  stage: "data",
  question: "Is every figure complete, well formed and possible?",
  needs: ["facts", "terms"],
  codes: {
    QUANT_FAIL: {
      severity: "BLOCK",
      meaning: "a figure is malformed or impossible by its own definition",
      remedy: "report it: either the input rows or the formula is wrong, and the card must not be shown",
    },
  },
  check({ facts, terms }, report, examined) {
    const rows = byFigure(facts);
    const expected = CATALOGUE.flatMap(({ fact, windows }) => windows.map((window) => figureId({ fact, window })));
    const absent = expected.filter((figure) => !rows.has(figure));
    if (absent.length > 0) report("EVIDENCE_MISSING", "facts", `${absent.length} rows: ${examples(absent)}`);
    const wrong = rows.size === facts.length ? [] : ["a figure has more than one row"];
    for (const fact of facts) {
      examined(figureId(fact));
      const why = fault(fact, terms.cutoff);
      if (why !== null) wrong.push(`${figureId(fact)} ${why}`);
    }
    for (const [left, right] of ORDERED) {
      if (isAfter(rows, left, right)) wrong.push(`${left} is above ${right}`);
    }
    if (wrong.length > 0)
      report("QUANT_FAIL", wrong.length === 1 ? wrong[0]!.split(" ")[0]! : "facts", examples(wrong));
  },
});

function fault({ fact, status, value, reason, unit }: Fact, cutoff: string): string | null {
  if (status === "UNAVAILABLE") {
    if (value !== null) return "has a value though it is unavailable";
    return reason === null ? "is unavailable without a reason" : null;
  }
  if (value === null || value === "") return "has no value though it is OK";
  if (reason !== null) return `is OK and says ${reason}`;
  if (unit === "date") {
    if (!isDate(value)) return `is not a date: ${value.slice(0, 40)}`;
    return BEGINNINGS.has(fact) && (value < EARLIEST || value > cutoff) ? `is ${value}: no product began then` : null;
  }
  if (!NUMERIC.has(unit)) return null;
  if (!isPlainNumeral(value)) return `is not a plain numeral: ${value.slice(0, 40)}`;
  const number = decimal(value);
  if (ABOVE_ZERO.has(fact) && !number.gt(0)) return `is an amount of ${value}`;
  if (unit === "price" && !number.gt(0)) return `is a price of ${value}`;
  if ((unit === "count" || unit === "rank") && !number.isInteger()) return `is not whole: ${value}`;
  const [least, greatest] = BOUNDS[fact] ?? [null, null];
  if (least !== null && number.lt(least)) return `is below ${least}: ${value}`;
  if (greatest !== null && number.gt(greatest)) return `is above ${greatest}: ${value}`;
  return null;
}

function isAfter(rows: FactsByFigure, left: string, right: string): boolean {
  const [low, high] = [okValue(rows, left), okValue(rows, right)];
  if (low === null || high === null) return false;
  if (isDate(low) && isDate(high)) return low > high;
  return isPlainNumeral(low) && isPlainNumeral(high) && decimal(low).gt(decimal(high));
}
