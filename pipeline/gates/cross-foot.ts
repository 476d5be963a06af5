/**
 * Figures that must add up: the identities of the definitions to 1e-15, and two independent 1-year total returns within
 * the policy's limit. The identities catch a wrong fact, the second a wrong or unapplied payout.
 */
import { type Decimal, decimal, isPlainNumeral, ONE, toFixed } from "../domain/decimal.ts";
import { WINDOWS } from "../domain/window.ts";
import { byFigure, defineGate, examples, type FactsByFigure, okValue } from "./gate.ts";

const NEAR = decimal("0.000000000000001");

interface Identity {
  figure: string;
  parts: string[];
  from(parts: Decimal[], multiple: Decimal): Decimal;
}
const IDENTITIES: readonly Identity[] = [
  ...WINDOWS.map((window) => ({
    figure: `total_return_reporting.${window}`,
    parts: [`total_return.${window}`, `fx_change.${window}`],
    from: ([total, fx]: Decimal[]) => ONE.plus(total!).times(ONE.plus(fx!)).minus(ONE),
  })),
  ...(["1y", "3y"] as const).map((window) => ({
    figure: `benchmark_difference.${window}`,
    parts: [`total_return.${window}`, `benchmark_return.${window}`],
    from: ([total, benchmark]: Decimal[]) => total!.minus(benchmark!),
  })),
  {
    figure: "multiple_gap.1y",
    parts: ["total_return.1y", "benchmark_return.1y"],
    from: ([total, benchmark], multiple) => total!.minus(benchmark!.times(multiple)),
  },
  {
    figure: "position_52w",
    parts: ["last_close", "low_52w", "high_52w"],
    from: ([last, low, high]) => last!.minus(low!).div(high!.minus(low!)),
  },
];

export const crossFoot = defineGate({
  id: "cross-foot",
  version: 1,
  family: "numbers",
  stage: "data",
  question: "Do the figures add up with each other?",
  needs: ["facts", "instrument", "cross_check", "rules"],
  codes: {
    CROSS_FOOT: {
      severity: "REVIEW",
      blocks_when: "figures of the card contradict each other",
      meaning: "two ways to the same figure differ",
      remedy: "compare distributions and adjusted levels around each ex-date; a contradiction on the card is a fault",
    },
  },
  check({ facts, instrument, cross_check, rules }, report, examined) {
    const rows = byFigure(facts);
    const multiple = decimal(instrument.exposure_multiple);
    const wrong: string[] = [];
    for (const { figure, parts, from } of IDENTITIES) {
      if (!rows.has(figure)) continue;
      examined(figure);
      const stated = numeral(rows, figure);
      if (stated === null) continue;
      const values = parts.map((part) => numeral(rows, part));
      if (values.some((value) => value === null)) wrong.push(`${figure} is OK without ${parts.join(" and ")}`);
      else if (!isNear(stated, from(values as Decimal[], multiple))) {
        wrong.push(`${figure} is not what ${parts.join(" and ")} make`);
      }
    }
    for (const [window, years] of [
      ["3y", 3],
      ["5y", 5],
    ] as const) {
      const [total, annual] = [
        numeral(rows, `total_return.${window}`),
        numeral(rows, `total_return_annualised.${window}`),
      ];
      examined(`total_return_annualised.${window}`);
      if (annual === null) continue;
      if (total === null || !isNear(ONE.plus(annual).pow(years), ONE.plus(total))) {
        wrong.push(`total_return_annualised.${window} does not compound to total_return.${window}`);
      }
    }
    if (wrong.length > 0) report("CROSS_FOOT", "identities", examples(wrong), { blocks: true });
    if (cross_check === null) return;
    examined("cross_check");
    const difference = decimal(cross_check.adjusted).minus(decimal(cross_check.computed)).abs();
    if (difference.gt(decimal(rules.cross_check))) {
      const points = (text: string) => `${toFixed(decimal(text).times(100), 2)}%`;
      const detail = `adjusted levels give ${points(cross_check.adjusted)}, closes with distributions ${points(cross_check.computed)}`;
      report("CROSS_FOOT", "total_return.1y", detail);
    }
  },
});

function numeral(rows: FactsByFigure, figure: string): Decimal | null {
  const value = okValue(rows, figure);
  return value !== null && isPlainNumeral(value) ? decimal(value) : null;
}

/** Relative above one, absolute below: stored values carry 30 digits, so 1e-15 leaves room for rounding only. */
function isNear(left: Decimal, right: Decimal): boolean {
  const size = right.abs().gt(ONE) ? right.abs() : ONE;
  return left.minus(right).abs().lte(NEAR.times(size));
}
