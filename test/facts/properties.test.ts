/** Laws that hold for any series: scale, order, what lies after the cutoff, and how figures follow from each other. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays } from "../../pipeline/domain/date.ts";
import { decimal } from "../../pipeline/domain/decimal.ts";
import { computeFacts } from "../../pipeline/facts/compute.ts";
import type { Fact } from "../../pipeline/schema/fact.ts";
import type { Observations } from "../../pipeline/schema/observation.ts";
import { bars, CUTOFF, factOf, inputs, type Level, NO_PAYOUTS, payouts, rates, terms, weekdays } from "./support.ts";

const DAYS = weekdays("2025-04-01", CUTOFF);
const RUNS = { numRuns: 25 };

const closes = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: DAYS.length, maxLength: DAYS.length });
const paid = fc.array(fc.tuple(fc.integer({ min: 0, max: DAYS.length - 1 }), fc.integer({ min: 1, max: 5000 })), {
  maxLength: 6,
});

const levelsOf = (prices: readonly number[], scale = 1): Level[] =>
  DAYS.map((day, index) => [day, String(prices[index]! * scale), "100"]);
const payoutsOf = (rows: readonly (readonly [number, number])[], scale = 1) =>
  payouts(rows.map(([index, amount]): [string, string] => [DAYS[index]!, String(amount * scale)]));
const facts = (...series: Observations[]) => computeFacts(terms(), inputs(series), null).facts;
const value = (found: readonly Fact[], figure: string) => decimal(factOf(found, figure).value!);
const isNear = (one: ReturnType<typeof decimal>, other: ReturnType<typeof decimal>) =>
  one.minus(other).abs().lte(other.abs().plus(1).times("1e-25"));

describe("for any series", () => {
  test("a unit ten times smaller changes no ratio and no date", () => {
    fc.assert(
      fc.property(closes, paid, (prices, rows) => {
        const one = facts(bars(levelsOf(prices)), payoutsOf(rows));
        const ten = facts(bars(levelsOf(prices, 10)), payoutsOf(rows, 10));
        for (const fact of one.filter(({ unit }) => unit === "ratio" || unit === "date")) {
          const other = factOf(ten, fact.window === "" ? fact.fact : `${fact.fact}.${fact.window}`);
          expect(other.reason).toBe(fact.reason);
          if (fact.unit === "date") expect(other.value).toBe(fact.value);
          else if (fact.value !== null) expect(isNear(decimal(other.value!), decimal(fact.value))).toBe(true);
        }
      }),
      RUNS,
    );
  });

  test("without distributions the total return is the price return", () => {
    fc.assert(
      fc.property(closes, (prices) => {
        const found = facts(bars(levelsOf(prices)), NO_PAYOUTS);
        for (const window of ["1d", "1w", "1m", "3m", "6m", "ytd", "1y"]) {
          expect(factOf(found, `total_return.${window}`).value).toBe(factOf(found, `price_return.${window}`).value);
        }
      }),
      RUNS,
    );
  });

  test("distributions never lower a total return", () => {
    fc.assert(
      fc.property(closes, paid, (prices, rows) => {
        const found = facts(bars(levelsOf(prices)), payoutsOf(rows));
        for (const window of ["1d", "1m", "1y"]) {
          expect(
            value(found, `total_return.${window}`)
              .plus("1e-28")
              .gte(value(found, `price_return.${window}`)),
          ).toBe(true);
        }
      }),
      RUNS,
    );
  });

  test("a drawdown lies between −1 and 0, and its dates stand in order", () => {
    fc.assert(
      fc.property(closes, paid, (prices, rows) => {
        const found = facts(bars(levelsOf(prices)), payoutsOf(rows));
        const depth = value(found, "max_drawdown.1y");
        expect(depth.lte(0) && depth.gt(-1)).toBe(true);
        const [peak, trough, recovery] = ["peak", "trough", "recovery"].map(
          (one) => factOf(found, `max_drawdown_${one}_on.1y`).value,
        );
        if (depth.isZero()) expect([peak, trough, recovery]).toEqual([null, null, null]);
        else expect(peak! < trough! && (recovery === null || trough! < recovery!)).toBe(true);
      }),
      RUNS,
    );
  });

  test("the last close lies in its range of 52 weeks", () => {
    fc.assert(
      fc.property(closes, (prices) => {
        const position = factOf(facts(bars(levelsOf(prices)), NO_PAYOUTS), "position_52w");
        if (position.value !== null)
          expect(decimal(position.value).gte(0) && decimal(position.value).lte(1)).toBe(true);
      }),
      RUNS,
    );
  });

  test("the order of rows changes nothing", () => {
    fc.assert(
      fc.property(closes, paid, fc.integer({ min: 1, max: DAYS.length - 1 }), (prices, rows, cut) => {
        const levels = levelsOf(prices);
        const turned = [...levels.slice(cut), ...levels.slice(0, cut)].reverse();
        expect(facts(bars(turned), payoutsOf([...rows].reverse()))).toEqual(facts(bars(levels), payoutsOf(rows)));
      }),
      RUNS,
    );
  });

  test("what is dated after the cutoff changes nothing", () => {
    fc.assert(
      fc.property(closes, paid, fc.integer({ min: 1, max: 30 }), (prices, rows, days) => {
        const later = addDays(CUTOFF, days);
        const fx: [string, string][] = DAYS.map((day) => [day, "1400"]);
        const distributions = payoutsOf(rows);
        const before = facts(bars(levelsOf(prices)), distributions, rates(fx));
        const after = facts(
          bars([...levelsOf(prices), [later, "7", "7"]]),
          { ...distributions, rows: [...distributions.rows, { row: 99, ex_date: later, amount: "5" }] },
          rates([...fx, [later, "1"]]),
        );
        expect(after).toEqual(before);
      }),
      RUNS,
    );
  });

  test("annualised returns compound back to the whole", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 1_000_000 }), (first, last) => {
        const found = facts(
          bars([
            ["2021-04-30", String(first)],
            ["2023-04-28", String(first)],
            [CUTOFF, String(last)],
          ]),
          NO_PAYOUTS,
        );
        for (const [window, years] of [
          ["3y", 3],
          ["5y", 5],
        ] as const) {
          const whole = value(found, `total_return_annualised.${window}`).plus(1).pow(years).minus(1);
          expect(isNear(whole, value(found, `total_return.${window}`))).toBe(true);
        }
      }),
      RUNS,
    );
  });

  test("a return in the reporting currency is the return of the level in that currency", () => {
    fc.assert(
      fc.property(
        closes,
        fc.integer({ min: 500, max: 2000 }),
        fc.integer({ min: 500, max: 2000 }),
        (prices, first, last) => {
          const fx = rates([
            ["2025-04-30", String(first)],
            [CUTOFF, String(last)],
          ]);
          const found = facts(bars(levelsOf(prices)), NO_PAYOUTS, fx);
          const start = decimal(prices[DAYS.indexOf("2025-04-30")]!).times(first);
          const direct = decimal(prices.at(-1)!).times(last).div(start).minus(1);
          expect(isNear(value(found, "total_return_reporting.1y"), direct)).toBe(true);
        },
      ),
      RUNS,
    );
  });

  test("an OK row has a value and sessions, an UNAVAILABLE one a reason and no value", () => {
    fc.assert(
      fc.property(closes, fc.boolean(), (prices, isPaying) => {
        for (const fact of facts(bars(levelsOf(prices)), ...(isPaying ? [payouts([])] : []))) {
          expect(fact.status === "OK").toBe(fact.value !== null);
          expect(fact.status === "OK").toBe(fact.reason === null);
          if (fact.start_session !== null) expect(fact.start_session <= fact.end_session!).toBe(true);
        }
      }),
      RUNS,
    );
  });
});
