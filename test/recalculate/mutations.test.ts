/** Laws of the second path on small files, and that a change of any input is seen in the figures it belongs to. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Recalculated } from "../../pipeline/schema/recalculated.ts";
import { answerOf, BARS, bars, connect, PAYOUTS, RATES, recalculateSmall, type SmallBatch } from "./support.ts";

let database: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  database = await connect();
});
afterAll(() => database.close());

const fx = (days: number, change: (date: string) => string | null = () => null) => {
  const lines = ["date,rate"];
  for (let back = days; back >= 0; back--) {
    const date = new Date(Date.UTC(2026, 3, 30) - back * 86_400_000).toISOString().slice(0, 10);
    lines.push(change(date) ?? `${date},${1300 + ((back * 37) % 50)}.5`);
  }
  return `${lines.join("\n")}\n`;
};
const PAID = "ex_date,amount\n2025-06-07,0.5\n2025-12-15,0.25\n";
const good = (): Record<string, string> => ({
  "bars US:AAA": bars(800),
  "payouts US:AAA": PAID,
  "bars US:BBB": bars(800, ({ date }, back) => `${date},${50 + (back % 7)},1,10`),
  rates: fx(900),
});
const tickers = { AAA: { benchmark: "US:BBB" }, BBB: {} };
const run = (changed: Record<string, string>, more: Partial<SmallBatch> = {}) =>
  recalculateSmall(database.client, { tickers, files: { ...good(), ...changed }, scope: ["US:AAA"], ...more });

function changedFigures(before: Map<string, Recalculated>, after: Map<string, Recalculated>): string[] {
  return before
    .get("US:AAA")!
    .figures.filter(({ figure }) => answerOf(before, figure) !== answerOf(after, figure))
    .map(({ figure }) => figure);
}

describe("a hand-worked series", () => {
  const FEW = "date,close,adj,volume\n2025-04-29,90,,1\n2025-04-30,100,,1\n2026-04-29,120,,1\n2026-04-30,110,,1\n";

  test("total return counts the payout on the next session, price return does not", async () => {
    // Ex-date 2026-04-26 is a Sunday: it falls on the 29th. (120 + 6) / 100 × 110 / 120 − 1.
    const answers = await run({ "bars US:AAA": FEW, "payouts US:AAA": "ex_date,amount\n2026-04-26,6\n" });
    expect(answerOf(answers, "price_return.1y")).toBe("0.1");
    expect(answerOf(answers, "total_return.1y")).toBe("0.155");
    expect(answerOf(answers, "price_return.1d")).toBe("-0.083333333333333333333333333333");
    expect(answerOf(answers, "max_drawdown.1y")).toBe("-0.083333333333333333333333333333");
    expect(answerOf(answers, "max_drawdown_peak_on.1y")).toBe("2026-04-29");
    expect(answerOf(answers, "max_drawdown_recovery_on.1y")).toBe("NOT_RECOVERED");
    expect(answerOf(answers, "volatility.1y")).toBe("INSUFFICIENT_HISTORY");
    expect(answerOf(answers, "total_return.3y")).toBe("INSUFFICIENT_HISTORY");
    expect(answerOf(answers, "position_52w")).toBe("0");
    expect(answerOf(answers, "distribution_count.ttm")).toBe("1");
  });

  test("an exact half prints away from zero although the factors before it have no end", async () => {
    // Close 30, payouts of 1 make factors of 31/30; the last day moves by 1.0005 exactly.
    const rows = ["2025-04-30,30", "2026-04-28,30", "2026-04-29,20000", "2026-04-30,20001"];
    const text = `date,close,adj,volume\n${rows.map((row) => `${row},,1`).join("\n")}\n`;
    const answers = await run({ "bars US:AAA": text, "payouts US:AAA": "ex_date,amount\n2026-04-28,1\n" });
    expect(answerOf(answers, "total_return.1d")).toBe("0.00005");
    expect(answers.get("US:AAA")!.figures.find(({ figure }) => figure === "total_return.1d")!.printed!["ko-KR"]).toBe(
      "+0.01%",
    );
  });

  test.each([
    ["2026-04-25", "110"],
    ["2026-04-24", "STALE"],
  ])("a series that ends on %s: %s", async (end, expected) => {
    const answers = await run({ "bars US:AAA": FEW.replace("2026-04-30", end).replace("2026-04-29", "2026-04-20") });
    expect(answerOf(answers, "last_close")).toBe(expected);
  });

  test.each([
    ["2025-04-20", "0.1"],
    ["2025-04-19", "GAP_AT_START"],
  ])("a window that starts on %s: %s", async (start, expected) => {
    const text = FEW.replace("2025-04-29,90", "2024-01-02,90").replace("2025-04-30", start);
    expect(answerOf(await run({ "bars US:AAA": text }), "price_return.1y")).toBe(expected);
  });

  test.each([
    ["2026-04-23", /^0\.|^-0\.|^0$/],
    ["2026-04-22", /^FX_GAP$/],
  ])("a last rate of %s", async (last, expected) => {
    const answers = await run({ rates: fx(900, (date) => (date > last ? `${date},` : null)) });
    expect(answerOf(answers, "fx_change.1y")).toMatch(expected);
  });

  test.each([
    // The level at the start session, 2025-04-30, is then 10 or 11 days old.
    ["2025-04-20", /^-?0\./],
    ["2025-04-19", /^BENCHMARK_STALE$/],
  ])("a benchmark without sessions from %s to the start", async (last, expected) => {
    const kept = good()
      ["bars US:BBB"]!.split("\n")
      .filter((line) => !(line.slice(0, 10) >= "2025-04-17" && line.slice(0, 10) <= "2025-05-02"));
    const text = `${kept.join("\n").trim()}\n${last},51,,10\n`;
    expect(answerOf(await run({ "bars US:BBB": text }), "benchmark_return.1y")).toMatch(expected);
  });

  test("a benchmark that is stale itself gives its reason", async () => {
    const kept = good()
      ["bars US:BBB"]!.split("\n")
      .filter((line) => line.slice(0, 10) <= "2026-04-20" || line.startsWith("date"));
    expect(answerOf(await run({ "bars US:BBB": kept.join("\n") }), "benchmark_return.1y")).toBe("STALE");
  });
});

test("a missing payout file leaves no total return, one under pays_nothing has none to miss", async () => {
  const { "payouts US:AAA": _gone, ...files } = good();
  const answers = await recalculateSmall(database.client, { tickers, files });
  expect(answerOf(answers, "total_return.1y")).toBe("SOURCE_MISSING");
  expect(answerOf(answers, "price_return.1y")).toMatch(/^0\./);
  expect(answerOf(answers, "distribution_yield.ttm")).toBe("SOURCE_MISSING");
  expect(answerOf(answers, "total_return.1y", "US:BBB")).toBe(answerOf(answers, "price_return.1y", "US:BBB"));
  expect(answerOf(answers, "distribution_yield.ttm", "US:BBB")).toBe("0");
});

describe("one change is seen where it belongs", () => {
  const swap = (text: string, date: string, change: (line: string) => string) =>
    text.replace(new RegExp(`^${date}.*$`, "m"), change);
  const cases: [name: string, changed: () => Record<string, string>, more: Partial<SmallBatch>, seen: string[]][] = [
    [
      "one digit of the last close",
      () => ({
        "bars US:AAA": swap(good()["bars US:AAA"]!, "2026-04-30", (line) =>
          line.replace(/\.(\d)/, (_m, d) => `.${(Number(d) + 1) % 10}`),
        ),
      }),
      {},
      ["last_close", "price_return.1y", "total_return.1y", "volatility.1y"],
    ],
    [
      "an ex-date across the window's start",
      () => ({ "payouts US:AAA": PAID.replace("2025-06-07", "2025-04-07") }),
      {},
      ["total_return.1y", "distribution_yield.ttm", "distribution_count.ttm"],
    ],
    [
      "one digit of a payout",
      () => ({ "payouts US:AAA": PAID.replace("0.25", "0.26") }),
      {},
      ["total_return.1y", "distribution_yield.ttm", "benchmark_difference.1y"],
    ],
    [
      "the rate of the end session",
      () => ({ rates: fx(900, (date) => (date === "2026-04-30" ? `${date},1301.0` : null)) }),
      {},
      ["fx_change.1y", "total_return_reporting.1y"],
    ],
    [
      "the rates' dates by a day",
      () => ({}),
      { sources: [BARS, PAYOUTS, { ...RATES, label_shift: { zone: "Europe/London", days_in_summer_time: 1 } }] },
      ["fx_change.1y"],
    ],
    [
      "the benchmark's close",
      () => ({ "bars US:BBB": swap(good()["bars US:BBB"]!, "2026-04-30", (line) => line.replace(/,\d+,/, ",57,")) }),
      {},
      ["benchmark_return.1y", "benchmark_difference.1y", "beta.1y", "tracking_error.1y"],
    ],
    [
      "the basis",
      () => ({}),
      {
        sources: [{ ...BARS, basis: { close: "as_traded", adjusted_close: "distribution_adjusted" } }, PAYOUTS, RATES],
      },
      ["price_return.1y", "total_return.1y"],
    ],
    [
      "the multiple",
      () => ({}),
      { tickers: { AAA: { benchmark: "US:BBB", exposure_multiple: "2" }, BBB: {} } },
      ["benchmark_difference.1y", "multiple_compounded.1y", "tracking_error.1y"],
    ],
  ];
  test.each(cases)("%s", async (_name, changed, more, seen) => {
    const figures = changedFigures(await run({}), await run(changed(), more));
    expect(figures).toEqual(expect.arrayContaining(seen));
    if (_name.startsWith("the rate")) expect(figures).not.toContain("total_return.1y");
  });

  test("bars after the cutoff and the order of rows change nothing", async () => {
    const [header, ...rows] = good()["bars US:AAA"]!.trim().split("\n");
    const text = [header, "2026-05-04,1,1,1", ...rows.reverse()].join("\n");
    const [before, after] = [await run({}), await run({ "bars US:AAA": text })];
    expect(changedFigures(before, after)).toEqual([]);
    expect(after.get("US:AAA")!.chart).toEqual(before.get("US:AAA")!.chart);
  });
});

test("peers: rank, count, median of an even group, and the median line without the product itself", async () => {
  const four = Object.fromEntries(["AAA", "CCC", "DDD", "EEE", "FFF"].map((ticker) => [ticker, { peer_group: "G" }]));
  const closes = { AAA: 110, CCC: 120, DDD: 130, EEE: 140, FFF: 150 } as const;
  const files = Object.fromEntries(
    Object.entries(closes).flatMap(([ticker, last]) => [
      [`bars US:${ticker}`, `date,close,adj,volume\n2026-03-27,100,,1\n2026-03-30,100,,1\n2026-04-30,${last},,1\n`],
      [`payouts US:${ticker}`, "ex_date,amount\n"],
    ]),
  );
  const rates = "date,rate\n2026-03-30,1000\n2026-04-30,1000\n";
  const answers = await recalculateSmall(database.client, {
    tickers: four,
    files: { ...files, rates },
    scope: ["US:AAA", "US:FFF"],
  });
  expect(answerOf(answers, "peer_median.total_return.1m")).toBe("0.3");
  expect(answerOf(answers, "peer_rank.total_return.1y")).toBe("INSUFFICIENT_HISTORY");
  expect(answerOf(answers, "peer_count.total_return.1y")).toBe("PEER_GROUP_TOO_SMALL");
  const lineOf = (instrument: string) =>
    answers
      .get(instrument)!
      .chart!.lines.find(({ series }) => series === "peer_median")!
      .points.at(-1);
  expect(lineOf("US:AAA")).toEqual({ session: "2026-04-30", level: "135" });
  expect(lineOf("US:FFF")).toEqual({ session: "2026-04-30", level: "125" });
});
