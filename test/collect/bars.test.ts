/** Each case is a defect of a real file (its number in the list of real defects where it has one), made small. */
import { describe, expect, test } from "vitest";
import { csvBars } from "../../pipeline/collect/csv-bars.ts";
import { isUnreadable } from "../../pipeline/collect/defects.ts";
import type { BarSeries } from "../../pipeline/schema/observation.ts";
import { barsSource, bytesOf, context } from "./support.ts";

const HEADER = "date,open,high,low,close,adj,volume";
function read(lines: string | string[], header = HEADER): BarSeries {
  const body = typeof lines === "string" ? lines : lines.join("\n");
  return csvBars.normalise(bytesOf(`${header}\n${body}`), barsSource, context())[0] as BarSeries;
}
const GOOD = "2026-04-29,100,110,95,105,104,1000";

describe("one row", () => {
  test.each([
    ["a good bar", GOOD, "105", []],
    ["5: half-filled, open 0", "2026-04-30,0,105,105,105,105,12", "105", ["half-filled"]],
    ["half-filled, open blank", "2026-04-30,,105,105,105,105,12", "105", ["half-filled"]],
    ["17: open 0.0 in an otherwise full bar", "2009-08-18,0.0,12,10,11,11,5", "11", ['open is "0.0"']],
    ["close zero (an untraded ETF of defect 36)", "2026-04-30,0,0,0,0,0,0", null, ['close is "0"']],
    ["close negative", "2026-04-30,1,1,1,-5,1,1", null, ['close is "-5"']],
    ["close NaN", "2026-04-30,1,1,1,NaN,1,1", null, ["close is blank"]],
    ["close blank", "2026-04-30,1,1,1,,1,1", null, ["close is blank"]],
    ["close is a formula", "2026-04-30,1,1,1,=A1,1,1", null, ['close is "=A1"']],
    ["high far below close", "2026-04-30,100,90,80,100,100,1", "100", ["high is below"]],
    ["low far above open", "2026-04-30,100,120,110,115,115,1", "115", ["low is above"]],
    ["9: high 11 won below close of 9,990, rounding", "2026-04-30,9980,9979,9900,9990,9990,1", "9990", []],
    ["9: one whole won on a price of 169", "2026-04-30,168,168,168,169,169,1", "169", []],
    [
      "beyond rounding: 0.6 % of a price with decimals",
      "2026-04-30,99.0,99.4,99.0,100.0,100.0,1",
      "100.0",
      ["high is"],
    ],
    ["10: zero volume is a fact, not a defect", "2026-04-30,100,100,100,100,100,0", "100", []],
    ["6: volume beyond 2^31", "2026-04-30,100,100,100,100,100,3503434315", "100", []],
    ["volume that is no number", "2026-04-30,100,100,100,100,100,many", "100", ['volume is "many"']],
    ["negative volume", "2026-04-30,100,100,100,100,100,-1", "100", ['volume is "-1"']],
    ["quoted thousands separators", '2026-04-30,"1,000","1,100","1,000","1,050","1,050","10,000"', "1050", []],
    ["unquoted thousands separators move columns", "2026-04-30,1,000,1,100,1,000,1,050", null, ["more values"]],
    ["a row cut short", "2026-04-30,100,110", null, ["close is blank"]],
    ["21: floating-point tails are kept", "2026-04-30,121,122,121,121.55999755859375,121,1", "121.55999755859375", []],
    ["exponent form", "2026-04-30,1e2,1.1e2,1e2,1.05e+02,1e2,1e3", "105", []],
    ["S4: dates as YYYYMMDD", "20231222,100,110,95,105,104,1", "105", []],
    ["an impossible date", "2026-02-30,100,110,95,105,104,1", null, ["not a date"]],
    ["a total line", "Total,100,110,95,105,104,1", null, ["not a date"]],
  ])("%s", (_name, line, close, defects) => {
    const series = read(line);
    expect(series.rows.map((row) => row.close)).toEqual(close === null ? [] : [close]);
    expect(series.defects.map(({ code }) => code)).toEqual(defects.map(() => "BAR_INVALID"));
    defects.forEach((detail, index) => {
      expect(series.defects[index]!.detail).toContain(detail);
    });
  });
});

describe("dates", () => {
  test("an identical repeat counts once, however its numbers are written", () => {
    const series = read([GOOD, "2026-04-29,100.0,110,95,105.00,104,1000"]);
    expect(series.rows).toHaveLength(1);
    expect(series.defects).toEqual([]);
  });

  test("differing repeats leave no bar of that date", () => {
    const series = read([GOOD, "2026-04-30,1,1,1,1,1,1", "2026-04-29,100,110,95,106,104,1000"]);
    expect(series.rows.map((row) => row.session)).toEqual(["2026-04-30"]);
    expect(series.defects).toMatchObject([{ code: "DUPLICATE_SESSION", session: "2026-04-29", row: 3 }]);
  });

  test("a blank and a price for one date differ", () => {
    const series = read(["2026-04-29,,,,,,", GOOD]);
    expect(series.rows).toEqual([]);
    expect(series.defects.map(({ code }) => code)).toEqual(["BAR_INVALID", "DUPLICATE_SESSION"]);
  });

  test("rows come out ascending with the locators they had", () => {
    const series = read(["2026-04-30,1,1,1,1,1,1", "", "2026-04-28,1,1,1,1,1,1"]);
    expect(series.rows.map(({ row, session }) => [row, session])).toEqual([
      [2, "2026-04-28"],
      [1, "2026-04-30"],
    ]);
  });

  test("bars after any cutoff stay", () => {
    expect(read("2026-12-31,1,1,1,1,1,1").rows).toHaveLength(1);
  });
});

describe("columns", () => {
  test("19: a file with only an adjusted close serves that basis alone", () => {
    const series = read("2026-04-30,104.5", "date,adj");
    expect(series.basis).toEqual({ close: null, adjusted_close: "distribution_adjusted" });
    expect(series.rows).toMatchObject([{ close: null, adjusted_close: "104.5" }]);
  });

  test("a column that facts rest on, named by the contract and absent from the file, is told: it may be misspelt", () => {
    const absent = read("2026-04-30,104.5", "date,adj").defects;
    expect(absent.map(({ code, row }) => [code, row])).toEqual(absent.map(() => ["BAR_INVALID", null]));
    expect(absent.map(({ detail }) => detail)).toContain('no column "close"');
  });

  test("19: a file without an adjusted close serves its close", () => {
    expect(read("2026-04-30,105", "date,close").basis).toEqual({ close: "split_adjusted", adjusted_close: null });
  });

  test.each([
    ["empty", ""],
    ["only blank lines", "\n\n"],
    ["another table", "a,b\n1,2"],
    ["no close of any kind", "date,open\n2026-04-30,1"],
    ["no date", "close\n1"],
    ["two columns called close", "date,close,close\n2026-04-30,1,2"],
    ["a quote never closed", 'date,close\n2026-04-29,1\n"2026-04-30,2'],
    ["binary", "date,close\n\0\0"],
  ])("%s is PAYLOAD_UNREADABLE and has no rows", (_name, text) => {
    const [series] = csvBars.normalise(bytesOf(text), barsSource, context()) as [BarSeries];
    expect(series.rows).toEqual([]);
    expect(series.defects).toMatchObject([{ code: "PAYLOAD_UNREADABLE", row: null }]);
    expect(isUnreadable(series)).toBe(true);
  });

  test("line ends of any system, a byte order mark and padded names are read alike", () => {
    const plain = read([GOOD, "2026-04-30,1,1,1,1,1,1"]).rows;
    const text = `\uFEFF ${HEADER.replaceAll(",", " , ")}\r\n${GOOD}\r2026-04-30,1,1,1,1,1,1\r\n`;
    expect((csvBars.normalise(bytesOf(text), barsSource, context())[0] as BarSeries).rows).toEqual(plain);
  });
});

test("a million bad rows make a thousand findings and a count", () => {
  const series = read(Array.from({ length: 5000 }, () => "never,1,1,1,1,1,1"));
  expect(series.defects).toHaveLength(1001);
  expect(series.defects.at(-1)!.detail).toBe("and 4000 more rows with defects");
});

test("the same bytes say the same always", () => {
  expect(JSON.stringify(read([GOOD, "x"]))).toBe(JSON.stringify(read([GOOD, "x"])));
});
