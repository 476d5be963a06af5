/** Which series a fact rests on, where windows begin and end, and which reason is given: the boundaries of facts.md. */
import { describe, expect, test } from "vitest";
import { addDays, addMonths } from "../../pipeline/domain/date.ts";
import { computeFacts } from "../../pipeline/facts/compute.ts";
import type { BatchTerms } from "../../pipeline/facts/select.ts";
import type { Observations } from "../../pipeline/schema/observation.ts";
import { bars, CUTOFF, factOf, inputs, type Level, NO_PAYOUTS, payouts, shown, terms, weekdays } from "./support.ts";

const facts = (series: readonly Observations[], change: Partial<BatchTerms> = {}) =>
  computeFacts(terms(change), inputs(series), null);
const year = (from = "2025-04-28", to = CUTOFF): Level[] => weekdays(from, to).map((session) => [session, "100"]);
const without = (source: string) => ({ sources: terms().sources.filter(({ id }) => id !== source) });

describe("window ends", () => {
  test.each([
    ["a month's end is clamped", "2026-05-31", "total_return.3m", "2026-02-27", "2026-02-27"],
    ["a leap year's February has 29 days", "2024-05-31", "total_return.3m", "2024-02-29", "2024-02-29"],
    ["one week is seven days", "2026-04-30", "total_return.1w", "2026-04-23", "2026-04-23"],
    ["year to date begins on 31 December", "2026-04-30", "total_return.ytd", "2025-12-31", "2025-12-31"],
    ["the anchor itself may be a start session", "2026-04-30", "total_return.1y", "2025-04-30", "2025-04-30"],
    [
      "without a session on the anchor, the last one before it",
      "2026-04-30",
      "total_return.6m",
      "2025-10-29",
      "2025-10-29",
    ],
  ])("%s", (_name, cutoff, figure, last, expected) => {
    // two sessions around the anchor, of which the second is a day too late
    const levels: Level[] = [
      [addDays(last, -1), "100"],
      [last, "100"],
      [figure.endsWith("1w") ? addDays(last, 1) : addDays(last, 4), "100"],
      [cutoff, "100"],
    ];
    const found = facts([bars(levels), NO_PAYOUTS], { cutoff: { KR: cutoff, US: cutoff } });
    expect(factOf(found.facts, figure)).toMatchObject({ status: "OK", start_session: expected, end_session: cutoff });
  });

  test("the anchor counts back from the cutoff, not from the end session", () => {
    const levels: Level[] = [
      ["2026-03-28", "50"],
      ["2026-03-30", "100"],
      ["2026-04-28", "200"],
    ];
    const found = facts([bars(levels), NO_PAYOUTS]);
    expect(factOf(found.facts, "price_return.1m")).toMatchObject({
      value: "1",
      start_session: "2026-03-30",
      end_session: "2026-04-28",
    });
  });

  test.each([
    ["ten days before the anchor", 10, "OK"],
    ["eleven days before the anchor", 11, "GAP_AT_START"],
  ])("%s: %s days", (_name, days, expected) => {
    const start = addDays(addMonths(CUTOFF, -12), -days);
    const fact = factOf(
      facts([
        bars([
          [start, "100"],
          [CUTOFF, "100"],
        ]),
        NO_PAYOUTS,
      ]).facts,
      "total_return.1y",
    );
    expect(fact.reason ?? fact.status).toBe(expected);
  });

  test.each([
    ["five days before the cutoff", 5, "OK"],
    ["six days before the cutoff", 6, "STALE"],
  ])("%s: %s days", (_name, days, expected) => {
    const found = facts([
      bars([
        ["2025-04-28", "100"],
        [addDays(CUTOFF, -days), "100"],
      ]),
      NO_PAYOUTS,
    ]);
    for (const figure of ["price_return.1y", "total_return.1y", "last_close", "end_session", "max_drawdown.1y"]) {
      const fact = factOf(found.facts, figure);
      expect(fact.reason ?? fact.status, figure).toBe(expected);
    }
  });

  test("a day's return needs a session before the last", () => {
    expect(shown(facts([bars([[CUTOFF, "100"]]), NO_PAYOUTS]), "total_return.1d")).toBe("INSUFFICIENT_HISTORY");
  });

  test.each([
    ["200 returns", 201, "0"],
    ["199 returns", 200, "INSUFFICIENT_HISTORY"],
  ])("volatility of a year from %s", (_name, sessions, expected) => {
    const levels: Level[] = [
      ["2025-04-30", "100"],
      ...weekdays("2025-05-01", CUTOFF)
        .slice(-sessions + 1)
        .map((day): Level => [day, "100"]),
    ];
    expect(shown(facts([bars(levels), NO_PAYOUTS]), "volatility.1y")).toBe(expected);
  });
});

describe("which source", () => {
  const other = (levels: Level[], basis: Parameters<typeof bars>[1] = "split_adjusted") =>
    bars(levels, basis, { source_id: "fx", evidence_id: "evidence of the other" });
  const table: [string, Observations[], Partial<BatchTerms>, [string, string]][] = [
    ["no bars", [NO_PAYOUTS], {}, ["SOURCE_MISSING", "SOURCE_MISSING"]],
    ["split-adjusted with distributions", [bars(year()), payouts([])], {}, ["0", "0"]],
    ["split-adjusted, distribution file missing", [bars(year())], {}, ["0", "SOURCE_MISSING"]],
    [
      "an adjusted column does not stand in for a missing distribution file",
      [bars(year().map(([day, close]): Level => [day, close, null, "90"]))],
      {},
      ["0", "SOURCE_MISSING"],
    ],
    [
      "where no source of distributions is declared, the adjusted column serves",
      [bars(year().map(([day, close]): Level => [day, close, null, "90"]))],
      without("payouts"),
      ["0", "0"],
    ],
    ["split-adjusted only, none declared", [bars(year())], without("payouts"), ["0", "SOURCE_MISSING"]],
    [
      "adjusted closes yield total return and nothing about prices",
      [bars(year(), "distribution_adjusted")],
      {},
      ["BASIS_NOT_AVAILABLE", "0"],
    ],
    [
      "closes as traded yield no return at all",
      [bars(year(), "as_traded"), NO_PAYOUTS],
      {},
      ["BASIS_NOT_AVAILABLE", "BASIS_NOT_AVAILABLE"],
    ],
    [
      "a stale source is passed over",
      [bars(year("2025-04-28", "2026-04-20")), other(year()), NO_PAYOUTS],
      {},
      ["0", "0"],
    ],
    ["all stale", [bars(year("2025-04-28", "2026-04-20")), NO_PAYOUTS], {}, ["STALE", "STALE"]],
    ["nothing up to the cutoff", [bars([["2026-05-04", "100"]]), NO_PAYOUTS], {}, ["NO_DATA", "NO_DATA"]],
    [
      "no usable close",
      [
        bars([
          [CUTOFF, "0"],
          ["2026-04-29", null],
        ]),
        NO_PAYOUTS,
      ],
      {},
      ["NO_DATA", "NO_DATA"],
    ],
    [
      "closes in another currency",
      [bars(year(), "split_adjusted", { currency: "KRW" }), NO_PAYOUTS],
      {},
      ["SOURCE_MISSING", "SOURCE_MISSING"],
    ],
  ];
  test.each(table)("%s", (_name, series, change, [price, total]) => {
    const found = facts(series, change);
    expect([shown(found, "price_return.1y"), shown(found, "total_return.1y")]).toEqual([price, total]);
  });

  test("the first of two fresh sources in batch order is taken, and named as evidence", () => {
    const found = facts([bars(year()), other(year()), NO_PAYOUTS]);
    expect(factOf(found.facts, "price_return.1y").evidence).toEqual(["evidence of bars"]);
    expect(found.price_basis).toMatchObject({ source_id: "bars", basis: "split_adjusted" });
  });

  test("an unreadable distribution file is a missing one, never a year without distributions", () => {
    const defects = [{ code: "PAYLOAD_UNREADABLE" as const, row: null, session: null, detail: "" }];
    const found = facts([bars(year()), payouts([], { defects })]);
    expect(shown(found, "total_return.1y")).toBe("SOURCE_MISSING");
    expect(shown(found, "distribution_yield.ttm")).toBe("SOURCE_MISSING");
  });

  test("an unreadable price file has the bases that its source declares, and no data", () => {
    const defects = [{ code: "PAYLOAD_UNREADABLE" as const, row: null, session: null, detail: "" }];
    const unread = bars([], "split_adjusted", { basis: { close: null, adjusted_close: null }, defects });
    const sources = terms().sources.map((source) =>
      source.id === "bars" ? { ...source, basis: { close: "distribution_adjusted" } } : source,
    );
    const found = facts([unread], { sources });
    expect([shown(found, "price_return.1y"), shown(found, "total_return.1y")]).toEqual([
      "BASIS_NOT_AVAILABLE",
      "NO_DATA",
    ]);
  });
});

describe("what the gates are given", () => {
  test("moves run over the longest window that is OK, and tell price from total return", () => {
    const levels = year().map(([day, close]): Level => [day, day >= "2026-04-30" ? "50" : close]);
    const { moves } = facts([bars(levels), payouts([["2026-04-30", "50"]])]);
    expect(moves[0]).toMatchObject({
      previous_session: "2025-04-30",
      session: "2025-05-01",
      price_ratio: "1",
      total_ratio: "1",
    });
    expect(moves.at(-1)).toEqual({
      previous_session: "2026-04-29",
      session: "2026-04-30",
      price_ratio: "0.5",
      total_ratio: "1",
    });
  });

  test("the cross-check tells both total returns of one year", () => {
    const levels = weekdays("2025-04-30", CUTOFF).map(
      (day): Level => [day, "100", null, day < "2026-01-05" ? "90" : "100"],
    );
    const found = facts([bars(levels), payouts([["2026-01-05", "20"]])]);
    expect(found.cross_check).toEqual({ computed: "0.2", adjusted: "0.111111111111111111111111111111" });
    expect(facts([bars(year()), NO_PAYOUTS]).cross_check).toBeNull();
  });

  test("the day through which an adjusted series is adjusted is told", () => {
    const series = bars(year(), "distribution_adjusted", { adjusted_through: "2026-04-28" });
    expect(facts([series]).total_return_basis).toMatchObject({
      basis: "distribution_adjusted",
      adjusted_through: "2026-04-28",
    });
  });
});
