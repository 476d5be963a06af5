/** A benchmark at a product's sessions: never a close of the future, never an old one, in the product's currency. */
import { describe, expect, test } from "vitest";
import { addDays } from "../../pipeline/domain/date.ts";
import { decimal } from "../../pipeline/domain/decimal.ts";
import { computeFacts } from "../../pipeline/facts/compute.ts";
import type { Instrument } from "../../pipeline/schema/instrument.ts";
import type { FxSeries } from "../../pipeline/schema/observation.ts";
import { bars, CUTOFF, factOf, inputs, type Level, NO_PAYOUTS, rates, shown, terms, weekdays } from "./support.ts";

const DAYS = weekdays("2025-04-28", CUTOFF);

function compare(
  own: Level[],
  other: Level[],
  self: Partial<Instrument> = {},
  benchmark: Partial<Instrument> = {},
  fx: FxSeries[] = [],
) {
  const from = (levels: Level[], source: string, currency: string) =>
    bars(levels, "distribution_adjusted", { source_id: "bars", evidence_id: source, currency });
  const one = { benchmark: "US:BBB", ...self };
  const two = { instrument: "US:BBB", ticker: "BBB", ...benchmark };
  return computeFacts(
    terms(),
    inputs([from(own, "own", one.currency ?? "USD"), ...fx], one),
    inputs([from(other, "other", two.currency ?? "USD")], two),
  );
}

const flat: Level[] = DAYS.map((day) => [day, "100"]);
/** Rises and falls by turns, with a drift. */
const waves: Level[] = DAYS.map((day, index) => [day, String(100 + (index % 7) * 3 + index)]);

describe("alignment", () => {
  const KR = { instrument: "KR:AAA", market: "KR", currency: "KRW" } as const;
  const rate = rates(DAYS.map((day): [string, string] => [day, day === CUTOFF ? "1500" : "1000"]));
  const jump: Level[] = DAYS.map((day) => [day, day >= "2026-04-29" ? (day === CUTOFF ? "400" : "200") : "100"]);
  test.each([
    ["one market: the same day", {}, {}, [], "3"],
    ["a Korean close sees the American one of the night before", { ...KR, fx_hedged: true }, {}, [], "1"],
    ["an American close sees the Korean one of the same day", { fx_hedged: true }, KR, [], "3"],
    ["converted at the product's own session", KR, {}, [rate], "2"],
    ["a hedged product is not converted", { ...KR, fx_hedged: true }, {}, [rate], "1"],
    [
      "the other direction of the pair",
      {},
      KR,
      [rates(DAYS.map((day): [string, string] => [day, day === CUTOFF ? "2000" : "1000"]))],
      "1",
    ],
    ["no rate, no comparison", KR, {}, [], "SOURCE_MISSING"],
  ])("%s", (_name, self, other, fx, expected) => {
    expect(shown(compare(flat, jump, self, other, fx), "benchmark_return.1y")).toBe(expected);
  });

  test("bars of the benchmark after its cutoff change nothing", () => {
    const beyond: Level[] = [...waves, ["2026-05-01", "9999"]];
    expect(compare(flat, beyond).facts).toEqual(compare(flat, waves).facts);
  });
});

describe("what is missing", () => {
  const goneFor = (days: number): Level[] =>
    flat.filter(([day]) => day <= "2025-04-30" || day >= addDays("2025-04-30", days));
  const late = (from: string): Level[] => flat.filter(([day]) => day >= from);
  test.each([
    ["no benchmark named", () => compare(flat, flat, { benchmark: "" }), "NO_BENCHMARK", "NO_BENCHMARK"],
    [
      "named but not in the universe",
      () => computeFacts(terms(), inputs([bars(flat), NO_PAYOUTS], { benchmark: "US:ZZZ" }), null),
      "NO_BENCHMARK",
      "NO_BENCHMARK",
    ],
    ["a benchmark without any level", () => compare(flat, []), "NO_DATA", "NO_DATA"],
    [
      "a benchmark that ended six days before the cutoff",
      () =>
        compare(
          flat,
          flat.filter(([day]) => day <= "2026-04-24"),
        ),
      "STALE",
      "STALE",
    ],
    [
      "a benchmark that begins after the start session",
      () => compare(waves, late("2025-05-02")),
      "INSUFFICIENT_HISTORY",
      "OK",
    ],
    [
      "fewer than 200 common returns",
      () => compare(waves, late("2025-12-01")),
      "INSUFFICIENT_HISTORY",
      "INSUFFICIENT_HISTORY",
    ],
    ["a gap inside the window that no kept pair falls into", () => compare(waves, goneFor(20)), "OK", "OK"],
  ])("%s", (_name, compute, benchmarkReturn, trackingError) => {
    const found = compute();
    const say = (figure: string) => factOf(found.facts, figure).reason ?? "OK";
    expect([say("benchmark_return.1y"), say("tracking_error.1y")]).toEqual([benchmarkReturn, trackingError]);
  });

  test.each([
    ["ten days old at the start", 10, "OK"],
    ["eleven days old at the start", 11, "BENCHMARK_STALE"],
  ])("%s", (_name, days, expected) => {
    const before = addDays("2025-04-30", -days);
    const other: Level[] = [[before, "100"], ...flat.filter(([day]) => day > "2025-04-30")];
    const found = compare(flat, other);
    expect(factOf(found.facts, "benchmark_return.1y").reason ?? "OK").toBe(expected);
    expect(factOf(found.facts, "tracking_error.1y").reason ?? "OK").toBe(expected);
  });
});

describe("statistics", () => {
  const twice: Level[] = [];
  let level = decimal(100);
  waves.forEach(([day, close], index) => {
    const move =
      index === 0
        ? decimal(0)
        : decimal(close!)
            .div(waves[index - 1]![1]!)
            .minus(1);
    level = level.times(move.times(2).plus(1)).toDP(36);
    twice.push([day, level.toFixed()]);
  });
  const isNear = (text: string | null, value: string) => decimal(text!).minus(value).abs().lt("1e-20");

  test("a product that is its benchmark: beta and correlation 1, no error, no difference", () => {
    const found = compare(waves, waves);
    const values = ["beta.1y", "correlation.1y", "tracking_error.1y", "benchmark_difference.1y"].map((figure) =>
      shown(found, figure),
    );
    expect(values.map((value, index) => isNear(value, index < 2 ? "1" : "0"))).toEqual([true, true, true, true]);
  });

  test("a product that doubles each day's move: beta 2, no error against its multiple, no residual", () => {
    const found = compare(twice, waves, { exposure_multiple: "2" });
    expect(isNear(shown(found, "beta.1y"), "2")).toBe(true);
    expect(isNear(shown(found, "tracking_error.1y"), "0")).toBe(true);
    expect(isNear(shown(found, "multiple_residual.1y"), "0")).toBe(true);
    expect(shown(found, "multiple_compounded.1y")).not.toBe(shown(found, "benchmark_return.1y"));
    expect(shown(found, "benchmark_difference.1y")).toBe("NOT_APPLICABLE");
  });

  test("a benchmark that never moves has no beta and no correlation", () => {
    const found = compare(waves, flat);
    expect([shown(found, "beta.1y"), shown(found, "correlation.1y")]).toEqual(["FLAT_RANGE", "FLAT_RANGE"]);
  });

  test.each([
    ["1", "200", "NOT_APPLICABLE"],
    // own return 0 against 2 × 100 %
    ["2", "200", "-2"],
    ["-2", "149", "0.98"],
    // −2 × 50 % is a loss of everything
    ["-2", "150", "NOT_APPLICABLE"],
  ] as const)("multiple gap of %s × against a benchmark at %s", (exposure_multiple, last, expected) => {
    const other = flat.map(([day, close]): Level => [day, day === CUTOFF ? last : close]);
    expect(shown(compare(flat, other, { exposure_multiple }), "multiple_gap.1y")).toBe(expected);
  });

  test("sessions on one benchmark session make one pair, the first", () => {
    // Weekends of the benchmark last four days: what the product does meanwhile is within one return.
    const isTrading = (index: number) => index % 5 !== 1;
    const other = waves.filter((_level, index) => isTrading(index));
    const own = waves.map(([day, close], index): Level => [day, isTrading(index) ? close : "1"]);
    const found = compare(own, other);
    expect(isNear(shown(found, "beta.1y"), "1")).toBe(true);
    expect(isNear(shown(found, "tracking_error.1y"), "0")).toBe(true);
  });

  test("a figure of noise is still a numeral that can be read back", () => {
    const found = compare(twice, waves, { exposure_multiple: "2" });
    for (const fact of found.facts) if (fact.unit === "ratio" && fact.value !== null) decimal(fact.value);
  });
});
