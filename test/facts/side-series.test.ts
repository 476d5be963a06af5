/** What of rates, net asset values and payouts the gates see: what the figures rest on, the farthest first. */
import { describe, expect, test } from "vitest";
import { addDays } from "../../pipeline/domain/date.ts";
import { computeFacts } from "../../pipeline/facts/compute.ts";
import type { SideSeries } from "../../pipeline/schema/fact.ts";
import type { Observations } from "../../pipeline/schema/observation.ts";
import { bars, CUTOFF, inputs, type Level, NO_PAYOUTS, navs, payouts, rates, terms, weekdays } from "./support.ts";

const START = "2025-04-30";
const YEAR: Level[] = weekdays(START, CUTOFF).map((session) => [session, "100"]);
const side = (series: readonly Observations[], change = {}): SideSeries[] =>
  computeFacts(terms(), inputs([bars(YEAR), ...series], change), null).side_series;
const of = (found: SideSeries[], kind: SideSeries["kind"]) => found.filter((one) => one.kind === kind);
const daily = (from: string, to: string, rateOn: (day: string) => string) =>
  rates(weekdays(from, to).map((day) => [day, rateOn(day)]));

describe("rates", () => {
  test("the move into a wrong day and the move out of it are the farthest, down as far as up", () => {
    const [moves] = of(side([daily(START, CUTOFF, (day) => (day === "2026-02-05" ? "12000" : "1200"))]), "rate_move");
    expect(moves!.extremes.slice(0, 2)).toEqual([
      { on: "2026-02-05", ratio: "10" },
      { on: "2026-02-06", ratio: "0.1" },
    ]);
    expect(moves!.extremes).toHaveLength(10);
    expect(moves!.count).toBe(weekdays(START, CUTOFF).length - 1);
  });

  test.each([
    ["a rate after the cutoff is not used", addDays(CUTOFF, 1), 0],
    ["a rate on the cutoff is", CUTOFF, 1],
    ["a rate a week before the longest window may be", addDays(START, -7), 1],
    ["an older one is not", addDays(START, -9), 0],
  ])("%s", (_name, wrong, expected) => {
    const rows = daily(addDays(START, -30), addDays(CUTOFF, 10), (day) => (day === wrong ? "12000" : "1200"));
    const [moves] = of(side([rows]), "rate_move");
    expect(moves!.extremes.filter(({ on, ratio }) => on === wrong && ratio === "10")).toHaveLength(expected);
  });

  test("a product in the reporting currency uses none", () => {
    expect(of(side([daily(START, CUTOFF, () => "1200")], { currency: "KRW" }), "rate_move")).toEqual([]);
  });
});

test("of a net asset value the last twenty premiums and the moves between them and the one before", () => {
  const sessions = weekdays("2026-03-02", CUTOFF);
  const found = side([navs(sessions.map((session) => [session, session === "2026-04-29" ? "1000" : "100", "101"]))]);
  const [[premium], [move]] = [of(found, "premium"), of(found, "nav_move")];
  expect([premium!.count, move!.count]).toEqual([20, 20]);
  expect(premium!.extremes[0]).toEqual({ on: "2026-04-29", ratio: "0.101" });
  expect(move!.extremes.slice(0, 2)).toEqual([
    { on: "2026-04-29", ratio: "10" },
    { on: "2026-04-30", ratio: "0.1" },
  ]);
});

describe("payouts", () => {
  test("each in parts of the close before its ex-date, the largest first, before the window none", () => {
    const rows: [string, string][] = [
      ["2024-01-02", "900"],
      ["2025-06-02", "1"],
      ["2026-01-05", "60"],
      ["2026-05-04", "70"],
    ];
    expect(of(side([payouts(rows)]), "payout")).toEqual([
      {
        kind: "payout",
        source_id: "payouts",
        count: 3,
        extremes: [
          { on: "2026-01-05", ratio: "0.6" },
          { on: "2025-06-02", ratio: "0.01" },
        ],
      },
    ]);
  });

  test("a statement that nothing is paid stands beside a file that says otherwise", () => {
    const other = payouts([["2026-01-05", "1"]], { source_id: "nav" });
    expect(side([NO_PAYOUTS, other]).map(({ kind, count }) => [kind, count])).toEqual([
      ["pays_nothing", 0],
      ["payout", 1],
    ]);
  });
});
