/** Each formula on a few numbers that a person can work out. Cutoff 2026-04-30 (a Thursday) unless said otherwise. */
import { describe, expect, test } from "vitest";
import { decimal } from "../../pipeline/domain/decimal.ts";
import { computeFacts } from "../../pipeline/facts/compute.ts";
import { FORMULAS } from "../../pipeline/facts/index.ts";
import { CATALOGUE } from "../../pipeline/schema/catalogue.ts";
import type { Instrument } from "../../pipeline/schema/instrument.ts";
import type { Observations } from "../../pipeline/schema/observation.ts";
import {
  bars,
  inputs,
  type Level,
  metadata,
  NO_PAYOUTS,
  navs,
  payouts,
  rates,
  shown,
  terms,
  weekdays,
} from "./support.ts";

function facts(series: readonly Observations[], change: Partial<Instrument> = {}) {
  return computeFacts(terms(), inputs(series, change), null);
}

/** A year and a bit of closes at 100, but for those named. */
function yearOf(named: Record<string, string>, from = "2025-04-28"): Level[] {
  return weekdays(from, "2026-04-30").map((session) => [session, named[session] ?? "100", "10"]);
}

test("the registry follows the catalogue, but for the peer facts", () => {
  const expected = CATALOGUE.map(({ fact }) => fact).filter((fact) => !fact.startsWith("peer_"));
  expect(FORMULAS.map(({ id }) => id)).toEqual(expected);
});

describe("returns", () => {
  const series = [
    bars(yearOf({ "2025-04-30": "80", "2026-03-30": "125", "2026-04-29": "160", "2026-04-30": "200" })),
    payouts([
      ["2025-04-30", "7"],
      ["2026-03-30", "25"],
    ]),
  ];
  test.each([
    // price: from the start session's close to the last; the payout of the start session's own day is not earned
    ["price_return.1d", "0.25"],
    ["total_return.1d", "0.25"],
    ["price_return.1m", "0.6"],
    ["total_return.1m", "0.6"],
    ["price_return.1y", "1.5"],
    // 200/80 × (125 + 25)/125 − 1
    ["total_return.1y", "2"],
    ["price_return.3y", "INSUFFICIENT_HISTORY"],
    ["total_return_annualised.3y", "INSUFFICIENT_HISTORY"],
    ["start_session.1y", "2025-04-30"],
    ["start_session.1m", "2026-03-30"],
    ["end_session", "2026-04-30"],
    ["cutoff_on", "2026-04-30"],
    ["known_at", "2026-05-03T23:00:00.000Z"],
  ])("%s is %s", (figure, expected) => {
    expect(shown(facts(series), figure)).toBe(expected);
  });

  test("a distribution on a day without a session falls on the next session", () => {
    const saturday = [bars(yearOf({ "2026-04-27": "50" })), payouts([["2026-04-25", "50"]])];
    // Monday: (50 + 50)/100 = 1, then 100/50 = 2
    expect(shown(facts(saturday), "total_return.1w")).toBe("1");
  });

  test("two distributions that fall on one session both count", () => {
    const both = payouts([
      ["2026-04-25", "10"],
      ["2026-04-27", "15"],
    ]);
    expect(shown(facts([bars(yearOf({})), both]), "total_return.1w")).toBe("0.25");
  });

  test("growth of 33.1 % in three years is 10 % a year", () => {
    const levels: Level[] = [
      ["2023-04-28", "1000"],
      ["2026-04-30", "1331"],
    ];
    expect(shown(facts([bars(levels), NO_PAYOUTS]), "total_return_annualised.3y")).toBe("0.1");
  });

  test("growth of 61.051 % in five years is 10 % a year", () => {
    const levels: Level[] = [
      ["2021-04-30", "100000"],
      ["2026-04-30", "161051"],
    ];
    const found = decimal(shown(facts([bars(levels), NO_PAYOUTS]), "total_return_annualised.5y")!);
    expect(found.minus("0.1").abs().lt("1e-29")).toBe(true);
  });
});

describe("currency", () => {
  const closes = bars(yearOf({ "2026-03-30": "100", "2026-04-30": "110" }));
  test.each([
    [
      "KRW per USD as asked",
      rates([
        ["2026-03-30", "1000"],
        ["2026-04-30", "1200"],
      ]),
      "0.2",
      "0.32",
    ],
    [
      "only the other direction: its reciprocal",
      rates(
        [
          ["2026-03-30", "0.002"],
          ["2026-04-30", "0.001"],
        ],
        "KRW",
        "USD",
      ),
      "1",
      "1.2",
    ],
    [
      "the last rate before the session",
      rates([
        ["2026-03-28", "1000"],
        ["2026-04-29", "1100"],
        ["2026-05-01", "9999"],
      ]),
      "0.1",
      "0.21",
    ],
    [
      "seven days old is usable",
      rates([
        ["2026-03-23", "1000"],
        ["2026-04-23", "1100"],
      ]),
      "0.1",
      "0.21",
    ],
    [
      "eight days old at the start is a gap",
      rates([
        ["2026-03-22", "1000"],
        ["2026-04-30", "1100"],
      ]),
      "FX_GAP",
      "FX_GAP",
    ],
    [
      "eight days old at the end is a gap",
      rates([
        ["2026-03-30", "1000"],
        ["2026-04-22", "1100"],
      ]),
      "FX_GAP",
      "FX_GAP",
    ],
    ["another pair is no rate", rates([["2026-03-30", "1000"]], "EUR", "KRW"), "SOURCE_MISSING", "SOURCE_MISSING"],
  ])("%s", (_name, fx, change, reporting) => {
    const found = facts([closes, NO_PAYOUTS, fx]);
    expect([shown(found, "fx_change.1m"), shown(found, "total_return_reporting.1m")]).toEqual([change, reporting]);
  });

  test("in the reporting currency neither applies", () => {
    const found = computeFacts(terms({ reporting_currency: "USD" }), inputs([closes, NO_PAYOUTS]), null);
    expect(shown(found, "fx_change.1m")).toBe("NOT_APPLICABLE");
    expect(shown(found, "total_return_reporting.1m")).toBe("NOT_APPLICABLE");
  });
});

describe("52 weeks", () => {
  const named = {
    "2025-04-30": "999",
    "2025-05-01": "80",
    "2025-06-02": "120",
    "2025-07-01": "120",
    "2026-04-30": "90",
  };
  test.each([
    // the session on cutoff − 12 months itself is outside
    ["high_52w", "120"],
    ["low_52w", "80"],
    ["high_52w_on", "2025-07-01"],
    ["low_52w_on", "2025-05-01"],
    ["last_close", "90"],
    ["position_52w", "0.25"],
  ])("%s is %s", (figure, expected) => {
    expect(shown(facts([bars(yearOf(named)), NO_PAYOUTS]), figure)).toBe(expected);
  });

  test.each([
    ["first session on the anchor", "2025-04-30", "120"],
    ["first session a day later", "2025-05-01", "INSUFFICIENT_HISTORY"],
  ])("%s", (_name, from, expected) => {
    expect(shown(facts([bars(yearOf(named, from)), NO_PAYOUTS]), "high_52w")).toBe(expected);
  });

  test("a close that never moves has no position in its range", () => {
    expect(shown(facts([bars(yearOf({})), NO_PAYOUTS]), "position_52w")).toBe("FLAT_RANGE");
  });
});

describe("drawdown", () => {
  const table: [string, Record<string, string>, (string | null)[]][] = [
    ["rises only", { "2026-04-30": "101" }, ["0", "NOT_APPLICABLE", "NOT_APPLICABLE", "NOT_APPLICABLE"]],
    ["falls to half and back", { "2026-01-05": "50" }, ["-0.5", "2025-04-30", "2026-01-05", "2026-01-06"]],
    ["ends at the trough", { "2026-04-30": "75" }, ["-0.25", "2025-04-30", "2026-04-30", "NOT_RECOVERED"]],
    [
      "the deeper of two falls",
      {
        "2025-09-01": "200",
        "2025-09-02": "180",
        "2025-10-01": "300",
        "2025-10-02": "90",
        "2025-12-01": "600",
        "2025-12-02": "100",
      },
      // 600 → 100 is −5/6, deeper than 300 → 90
      [`-0.8${"3".repeat(29)}`, "2025-12-01", "2025-12-02", "NOT_RECOVERED"],
    ],
    [
      "equal falls from different peaks: the earlier",
      { "2026-04-27": "300", "2026-04-28": "90", "2026-04-29": "700", "2026-04-30": "210" },
      ["-0.7", "2026-04-27", "2026-04-28", "2026-04-29"],
    ],
    [
      "the same fall twice: the first, and the first session at the peak's level",
      {
        "2025-06-02": "200",
        "2025-06-03": "200",
        "2025-06-04": "50",
        "2025-06-05": "200",
        "2025-06-06": "50",
        "2025-06-09": "200",
      },
      ["-0.75", "2025-06-02", "2025-06-04", "2025-06-05"],
    ],
  ];
  test.each(table)("%s", (_name, named, expected) => {
    const found = facts([bars(yearOf(named, "2025-04-30")), NO_PAYOUTS]);
    const figures = [
      "max_drawdown.1y",
      "max_drawdown_peak_on.1y",
      "max_drawdown_trough_on.1y",
      "max_drawdown_recovery_on.1y",
    ];
    expect(figures.map((figure) => shown(found, figure))).toEqual(expected);
  });
});

test("volatility of alternating +10 % and its way back is worked from two returns", () => {
  const sessions = weekdays("2025-04-30", "2026-04-30");
  const levels: Level[] = sessions.map((session, index) => [session, index % 2 === 0 ? "100" : "110"]);
  const found = decimal(shown(facts([bars(levels), NO_PAYOUTS]), "volatility.1y")!);
  // n returns, half 0.1 and half −1/11: deviation from their mean is ±d/2 with d = 0.1 + 1/11
  const n = sessions.length - 1;
  expect(n % 2).toBe(1);
  const up = (n + 1) / 2;
  const spread = decimal("0.1").plus(decimal(1).div(11));
  const variance = spread
    .pow(2)
    .times(up)
    .times(n - up)
    .div(n)
    .div(n - 1);
  expect(found.minus(variance.times(252).sqrt()).abs().lt("1e-25")).toBe(true);
});

describe("distributions of twelve months", () => {
  const closes = bars(yearOf({}));
  const rows = payouts([
    ["2025-04-30", "9"],
    ["2025-05-01", "1"],
    ["2026-04-30", "2"],
    ["2026-05-01", "9"],
  ]);
  test.each([
    ["after cutoff − 12 months, up to the cutoff", [closes, rows], "0.03", "2"],
    ["a product that pays nothing yields nothing", [closes, NO_PAYOUTS], "0", "0"],
    ["a missing file is no zero", [closes], "SOURCE_MISSING", "SOURCE_MISSING"],
    [
      "amounts as traded do not mix with split-adjusted closes",
      [closes, payouts([["2026-04-30", "2"]], { basis: "as_traded" })],
      "BASIS_NOT_AVAILABLE",
      "BASIS_NOT_AVAILABLE",
    ],
    [
      "amounts as traded go with closes as traded",
      [bars(yearOf({}), "as_traded"), payouts([["2026-04-30", "2"]], { basis: "as_traded" })],
      "0.02",
      "1",
    ],
    ["too short a history", [bars(yearOf({}, "2025-05-01")), rows], "INSUFFICIENT_HISTORY", "INSUFFICIENT_HISTORY"],
  ])("%s", (_name, series, yearly, count) => {
    const found = facts(series);
    expect([shown(found, "distribution_yield.ttm"), shown(found, "distribution_count.ttm")]).toEqual([yearly, count]);
  });
});

describe("traded value of 20 sessions", () => {
  const sessions = weekdays("2026-01-01", "2026-04-30");
  const last = (count: number, volume: string | null): Level[] =>
    sessions.slice(-count).map((session, index) => [session, String(index + 1), volume]);
  test.each([
    ["20 sessions: mean of close × volume", last(20, "10"), "105"],
    [
      "a session before them does not count",
      [[sessions.at(-21)!, "1000", "1000"], ...last(20, "10")] as Level[],
      "105",
    ],
    ["no trade is a value of zero", last(20, "0"), "0"],
    ["19 sessions", last(19, "10"), "INSUFFICIENT_HISTORY"],
    ["an unknown volume", last(20, null), "NO_DATA"],
  ])("%s", (_name, levels, expected) => {
    expect(shown(facts([bars(levels), NO_PAYOUTS]), "average_daily_value.20d")).toBe(expected);
  });
});

describe("premium", () => {
  const closes = bars(yearOf({}));
  const days = weekdays("2026-03-01", "2026-04-20");
  const rows = (count: number) => days.slice(-count).map((day): [string, string, string] => [day, "100", "102"]);
  test.each([
    ["last and average", rows(20), ["0.02", "2026-04-20", "0.02", "FINAL"]],
    ["nineteen make no average", rows(19), ["0.02", "2026-04-20", "INSUFFICIENT_HISTORY", "FINAL"]],
    [
      "a session without NAV is passed over",
      [...rows(20), ["2026-04-21", null, "90"] as [string, null, string]],
      ["0.02", "2026-04-20", "0.02", "FINAL"],
    ],
    [
      "eleven days before the cutoff",
      [["2026-04-19", "100", "102"] as [string, string, string]],
      ["STALE", "STALE", "STALE", "STALE"],
    ],
    [
      "nothing usable",
      [["2026-04-20", null, "102"] as [string, null, string]],
      ["NO_DATA", "NO_DATA", "NO_DATA", "NO_DATA"],
    ],
  ])("%s", (_name, nav, expected) => {
    const found = facts([closes, NO_PAYOUTS, navs(nav)]);
    expect(
      ["premium.last", "premium_on", "premium_average.20d", "premium_state"].map((figure) => shown(found, figure)),
    ).toEqual(expected);
  });

  test("closes of a NAV source are no price source", () => {
    const found = facts([navs(rows(20))]);
    expect(shown(found, "last_close")).toBe("SOURCE_MISSING");
    expect(shown(found, "premium.last")).toBe("0.02");
  });

  test.each([
    ["retrieved on the session's day in New York", "2026-04-21T03:00:00.000Z", "PROVISIONAL"],
    ["retrieved on the next day there", "2026-04-21T04:00:00.000Z", "FINAL"],
  ])("%s", (_name, retrievedAt, expected) => {
    expect(shown(facts([navs(rows(20), retrievedAt)]), "premium_state")).toBe(expected);
  });
});

describe("stated figures", () => {
  test.each([
    ["one source", ["0.0009"], "0.0009"],
    ["equal", ["0.0009", "0.00090"], "0.0009"],
    ["the coarser is the finer rounded", ["0.001", "0.000945"], "0.000945"],
    ["the coarser is the finer truncated", ["0.0068", "0.00689"], "0.00689"],
    ["rounded is not the value either way", ["0.0068", "0.00679"], "0.00679"],
    ["as many decimals, different", ["0.007", "0.006"], "CONFLICT"],
    ["neither rounded nor truncated", ["0.007", "0.0058"], "CONFLICT"],
    ["trailing zeros are decimals", ["0.0070", "0.0074"], "CONFLICT"],
    ["and fine ones agree with coarse ones", ["0.007", "0.0070"], "0.007"],
    ["none", [], "SOURCE_MISSING"],
  ])("total expense ratio: %s", (_name, stated, expected) => {
    const sources = stated.map((value, index) =>
      metadata(["register", "profile"][index]!, { total_expense_ratio: value }),
    );
    const found = facts(sources);
    expect(shown(found, "total_expense_ratio")).toBe(expected);
    const rows = found.facts.filter(({ fact }) => fact === "total_expense_ratio_stated");
    expect(rows.map(({ window, value }) => [window, decimal(value!).toFixed()])).toEqual(
      stated.map((value, index) => [["register", "profile"][index], decimal(value).toFixed()]),
    );
  });

  test("the first source in batch order is taken, with its date; the newest retrieval is the metadata date", () => {
    const found = facts([
      metadata("profile", { net_assets: "1200", listed_on: "2002-10-14" }),
      metadata("register", { net_assets: "1300", tax_type: "A" }),
    ]);
    expect(shown(found, "net_assets")).toBe("1200");
    expect(shown(found, "net_assets_on")).toBe("2026-05-03");
    expect(shown(found, "tax_type")).toBe("A");
    expect(shown(found, "metadata_retrieved_on")).toBe("2026-05-03");
    expect(shown(found, "inception_on")).toBe("SOURCE_MISSING");
    expect(found.facts.find(({ fact }) => fact === "net_assets")).toMatchObject({
      source_id: "profile",
      stated_on: "2026-05-03",
      currency: "USD",
      epistemic_type: "REPORTED",
      evidence: ["evidence of profile"],
    });
  });

  test("a conflict keeps the evidence of both sides", () => {
    const found = facts([
      metadata("register", { total_expense_ratio: "0.007" }),
      metadata("profile", { total_expense_ratio: "0.006" }),
    ]);
    const row = found.facts.find(({ fact }) => fact === "total_expense_ratio")!;
    expect(row).toMatchObject({ value: null, reason: "CONFLICT" });
    expect([...row.evidence].sort()).toEqual(["evidence of profile", "evidence of register"]);
  });
});
