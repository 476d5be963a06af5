/** The comparison finds every difference between what a page shows and what was recalculated. */
import { describe, expect, test } from "vitest";
import { agrees, toAxisLevel, toAxisPercent } from "../../pipeline/recalculate/agree.ts";
import { compareCard, type PageDocument } from "../../pipeline/recalculate/compare.ts";
import type { Readback } from "../../pipeline/schema/readback.ts";
import type { Recalculated } from "../../pipeline/schema/recalculated.ts";

const RECALCULATED: Recalculated = {
  schema: "recalculated/v1",
  instrument: "US:AAA",
  figures: [
    {
      figure: "total_return.1y",
      status: "OK",
      reason: null,
      value: "0.155",
      printed: { "ko-KR": "+15.50%", "en-US": "+15.50%" },
      formula: "total_return",
    },
    {
      figure: "end_session",
      status: "OK",
      reason: null,
      value: "2026-04-30",
      printed: { "ko-KR": "2026-04-30", "en-US": "2026-04-30" },
      formula: "end_session",
    },
    { figure: "beta.1y", status: "UNAVAILABLE", reason: "NO_BENCHMARK", value: null, printed: null, formula: "beta" },
    {
      figure: "underlying_index",
      status: "OK",
      reason: null,
      value: "코스피 200",
      printed: { "ko-KR": "코스피 200", "en-US": "코스피 200" },
      formula: "underlying_index",
    },
  ],
  chart: {
    window: "1m",
    start_session: "2026-03-30",
    end_session: "2026-04-29",
    lines: [
      {
        series: "total_return",
        points: [
          { session: "2026-03-30", level: "100" },
          { session: "2026-04-14", level: "150" },
          { session: "2026-04-29", level: "200" },
        ],
      },
      {
        series: "drawdown",
        points: [
          { session: "2026-03-30", level: "0" },
          { session: "2026-04-14", level: "-0.05" },
          { session: "2026-04-29", level: "0" },
        ],
      },
    ],
  },
};
const DOCUMENT: PageDocument = {
  identifiers: { ticker: "AAA3" },
  entities: { issuer: "Issuer 9" },
  labels: (figure) => (figure === "total_return.1y" ? "1년" : null),
  legal: { past_performance: "과거  1년의\n수익" },
};
const SCALE = {
  x_domain: ["2026-03-30", "2026-04-29"] as [string, string],
  x_range: [0, 300] as [number, number],
  thinning: "every-nth/v1",
};
const middle = Math.round((300 - (Math.log(1.5) / Math.log(2)) * 300) * 100) / 100;
function page(): Readback {
  return {
    lines: [],
    figures: [
      {
        figure: "total_return.1y",
        where: "tiles/1",
        kind: "fact",
        printed: "+15.50%",
        value: "0.155",
        is_tile: true,
        window_labels: ["1년"],
      },
      {
        figure: "end_session",
        where: "tiles/2",
        kind: "date",
        printed: "2026-04-30",
        value: "2026-04-30",
        is_tile: true,
        window_labels: ["1년"],
      },
      {
        figure: "underlying_index",
        where: "structure/1",
        kind: "fact",
        printed: "코스피 200",
        value: "코스피 200",
        is_tile: false,
        window_labels: [],
      },
    ],
    numerals: [
      { text: "1", element_text: "1년", claimed: "label", of: "total_return.1y", where: "tiles/1" },
      { text: "9", element_text: "Issuer 9", claimed: "entity", of: "issuer", where: "header/1" },
      { text: "3", element_text: "AAA3", claimed: "identifier", of: "ticker", where: "header/2" },
      { text: "1", element_text: "1", claimed: "ordinal", of: "1", where: "claims/1" },
      { text: "1", element_text: "과거 1년의 수익", claimed: "legal", of: "past_performance", where: "foot/1" },
    ],
    axis_labels: [
      { axis: "y", chart: "total_return", text: "100", value: "100", position: 300, where: "chart/1" },
      { axis: "y", chart: "drawdown", text: "−5%", value: "-0.05", position: 500, where: "chart/2" },
      { axis: "x", chart: "total_return", text: "2026-04", value: "2026-04-01", position: 20, where: "chart/3" },
    ],
    paths: [
      {
        ...SCALE,
        chart: "total_return",
        series: "total_return",
        points: [
          [0, 300],
          [150, middle],
          [300, 0],
        ],
        y_domain: ["100", "200"],
        y_range: [300, 0],
        y_scale: "log",
        where: "chart/1",
      },
      {
        ...SCALE,
        chart: "drawdown",
        series: "drawdown",
        points: [
          [0, 400],
          [150, 500],
          [300, 400],
        ],
        y_domain: ["-0.05", "0"],
        y_range: [500, 400],
        y_scale: "linear",
        where: "chart/2",
      },
    ],
  };
}
const compare = (change: (page: Readback) => void) => {
  const readback = page();
  change(readback);
  return compareCard({ readback, recalculated: RECALCULATED, locale: "ko-KR", document: DOCUMENT });
};

test("a page that agrees is counted in full", () => {
  const { rows, counts, unclassified } = compare(() => undefined);
  expect(rows.filter(({ match }) => !match)).toEqual([]);
  expect(unclassified).toEqual([]);
  expect(counts).toEqual({
    tiles: { shown: 1, recalculated: 1, matched: 1 },
    numerals: { shown: 6, bound: 6, recalculated: 6, matched: 6 },
    numerals_other: { label: 1, entity: 1, identifier: 1, ordinal: 1, legal: 1, unclassified: 0 },
    chart_points: { drawn: 6, recalculated: 6, matched: 6 },
  });
});

describe("is a mismatch:", () => {
  test.each<[string, (page: Readback) => void, string]>([
    [
      "one digit of the text",
      (p) => {
        p.figures[0]!.printed = "+15.51%";
      },
      "total_return.1y",
    ],
    [
      "a hyphen or no sign",
      (p) => {
        p.figures[0]!.printed = "15.50%";
      },
      "total_return.1y",
    ],
    [
      "the machine value alone",
      (p) => {
        p.figures[0]!.value = "0.15500000000001";
      },
      "total_return.1y",
    ],
    [
      "a value in another notation",
      (p) => {
        p.figures[0]!.value = "1.55e-1";
      },
      "total_return.1y",
    ],
    [
      "a date",
      (p) => {
        p.figures[1]!.printed = "2026-04-29";
      },
      "end_session",
    ],
    [
      "a figure bound to another fact",
      (p) => {
        p.figures[0]!.figure = "end_session";
      },
      "end_session",
    ],
    [
      "a figure that is unavailable",
      (p) => {
        p.figures[0]!.figure = "beta.1y";
      },
      "beta.1y",
    ],
    [
      "a figure that nobody recalculated",
      (p) => {
        p.figures[0]!.figure = "alpha.1y";
      },
      "alpha.1y",
    ],
    [
      "a stated text, though its value agrees",
      (p) => {
        p.figures[2]!.printed = "코스피 100";
      },
      "underlying_index",
    ],
    [
      "a stated text's value",
      (p) => {
        p.figures[2]!.value = "코스피 100";
      },
      "underlying_index",
    ],
    [
      "a figure under the label of another window",
      (p) => {
        p.figures[0]!.window_labels = ["3년"];
      },
      "total_return.1y",
    ],
    [
      "a figure under its own label and another",
      (p) => {
        p.figures[0]!.window_labels.push("3년");
      },
      "total_return.1y",
    ],
    [
      "a figure whose window no label says",
      (p) => {
        p.figures[0]!.window_labels = [];
      },
      "total_return.1y",
    ],
    [
      "a figure without window under a label",
      (p) => {
        p.figures[2]!.window_labels = ["1년"];
      },
      "underlying_index",
    ],
    [
      "a point off by 0.02 px",
      (p) => {
        p.paths[0]!.points[1]![1] += 0.02;
      },
      "chart.total_return",
    ],
    [
      "a point of another day",
      (p) => {
        p.paths[1]!.points[1]![0] += 10;
      },
      "chart.drawdown",
    ],
    ["a missing point", (p) => void p.paths[0]!.points.pop(), "chart.total_return"],
    ["a point too many", (p) => void p.paths[0]!.points.push([300, 0]), "chart.total_return"],
    [
      "a domain that hides a fall",
      (p) => {
        p.paths[1]!.y_domain = ["-0.5", "0"];
      },
      "chart.drawdown",
    ],
    [
      "a scale upside down",
      (p) => {
        p.paths[0]!.y_range = [0, 300];
      },
      "chart.total_return",
    ],
    [
      "other sessions",
      (p) => {
        p.paths[0]!.x_domain = ["2026-03-29", "2026-04-29"];
      },
      "chart.total_return",
    ],
    [
      "another thinning",
      (p) => {
        p.paths[0]!.thinning = "every/v0";
      },
      "chart.total_return",
    ],
    [
      "a line that is not there",
      (p) => {
        p.paths[0]!.series = "benchmark";
      },
      "chart.benchmark",
    ],
    ["a chart left out", (p) => void p.paths.splice(0), "chart.drawdown"],
    [
      "an axis label's text",
      (p) => {
        p.axis_labels[0]!.text = "110";
      },
      "axis.total_return.y",
    ],
    [
      "an axis label's place",
      (p) => {
        p.axis_labels[1]!.position = 490;
      },
      "axis.drawdown.y",
    ],
    [
      "an axis label's month",
      (p) => {
        p.axis_labels[2]!.text = "2026-05";
      },
      "axis.total_return.x",
    ],
  ])("%s", (_name, change, figure) => {
    const wrong = compare(change).rows.filter(({ match }) => !match);
    expect(wrong.map((row) => row.figure)).toContain(figure);
  });
});

describe("is unclassified:", () => {
  test.each<[string, (page: Readback) => void]>([
    [
      "a numeral without a class",
      (p) => {
        p.numerals[0]!.claimed = "unclassified";
      },
    ],
    [
      "a label of another window",
      (p) => {
        p.numerals[0]!.element_text = "3년";
      },
    ],
    [
      "a label of a figure without window",
      (p) => {
        p.numerals[0]!.of = "last_close";
      },
    ],
    [
      "a name with one digit changed",
      (p) => {
        p.numerals[1]!.element_text = "Issuer 8";
      },
    ],
    [
      "an identifier of no such field",
      (p) => {
        p.numerals[2]!.of = "constructor";
      },
    ],
    [
      "an ordinal that is another",
      (p) => {
        p.numerals[3]!.element_text = "2";
      },
    ],
    [
      "a legal text with one digit changed",
      (p) => {
        p.numerals[4]!.element_text = "과거 2년의 수익";
      },
    ],
    [
      "a fact that is not bound",
      (p) => {
        p.numerals[0]!.claimed = "fact";
      },
    ],
  ])("%s", (_name, change) => {
    const { unclassified, counts } = compare(change);
    expect(unclassified).toHaveLength(1);
    expect(counts.numerals_other.unclassified).toBe(1);
  });
});

test.each([
  ["0.1", "0.1000000000000000", true],
  ["0.1", "0.1000000000000001", true],
  ["0.1", "0.1000000000000002", false],
  ["0", "0.0000000000000000000001", false],
  ["-1", "1", false],
  ["NaN", "NaN", false],
])("%s and %s agree: %s", (a, b, expected) => {
  expect(agrees(a, b)).toBe(expected);
});

test.each([
  ["1234.5", "1,234.5", "123,450%"],
  ["-0.05", "−0.05", "−5%"],
  ["0", "0", "0%"],
  ["1e3", null, null],
])("%s on an axis is %s or %s", (value, level, percent) => {
  expect(toAxisLevel(value)).toBe(level);
  expect(toAxisPercent(value)).toBe(percent);
});
