/** Peer facts over finished rows, and the lines of a chart at the sessions that the thinning keeps. */
import { describe, expect, test } from "vitest";
import { computeChart, computeFacts, computePeerFacts } from "../../pipeline/facts/compute.ts";
import { CATALOGUE } from "../../pipeline/schema/catalogue.ts";
import type { Instrument } from "../../pipeline/schema/instrument.ts";
import { bars, CUTOFF, inputs, type Level, NO_PAYOUTS, shown, terms, weekdays } from "./support.ts";

const USD = terms({ reporting_currency: "USD" });

function product(ticker: string, last: string | null, change: Partial<Instrument> = {}) {
  const levels: Level[] =
    last === null
      ? []
      : [
          ["2025-04-30", "100"],
          [CUTOFF, last],
        ];
  return inputs([bars(levels), NO_PAYOUTS], { instrument: `US:${ticker}`, ticker, ...change });
}

function peersOf(lasts: (string | null)[], own = 0, change: Partial<Instrument> = {}) {
  const members = lasts
    .map((last, index) => product(String.fromCharCode(65 + index), last, change))
    .map((self) => ({ instrument: self.instrument, facts: computeFacts(USD, self, null).facts }));
  const self = members[own]!;
  return { facts: computePeerFacts(USD, self.instrument, self.facts, members) };
}

describe("peers", () => {
  test.each([
    ["odd: the middle one", ["110", "130", "120"], ["3", "3", "0.2"]],
    ["even: the mean of the two in the middle", ["140", "110", "120", "150"], ["2", "4", "0.3"]],
    ["equal values share a rank", ["120", "120", "110"], ["1", "3", "0.2"]],
    [
      "two values are too few",
      ["110", "120"],
      ["PEER_GROUP_TOO_SMALL", "PEER_GROUP_TOO_SMALL", "PEER_GROUP_TOO_SMALL"],
    ],
    ["a member without a value does not count", ["110", "130", null, "120"], ["3", "3", "0.2"]],
    ["no rank without a value of one's own", [null, "110", "130", "120"], ["NO_DATA", "3", "0.2"]],
  ])("%s", (_name, lasts, expected) => {
    const found = peersOf(lasts);
    const figures = ["peer_rank.total_return.1y", "peer_count.total_return.1y", "peer_median.total_return.1y"];
    expect(figures.map((figure) => shown(found, figure))).toEqual(expected);
  });

  test("products without a group are no group", () => {
    expect(shown(peersOf(["110", "120", "130"], 0, { peer_group: "" }), "peer_count.total_return.1y")).toBe(
      "PEER_GROUP_TOO_SMALL",
    );
  });

  test("the rows are the catalogue's, in its order", () => {
    const rows = peersOf(["110", "120", "130"]).facts.map(({ fact, window }) => `${fact} ${window}`);
    expect(rows).toEqual(CATALOGUE.flatMap(({ fact, windows }) => windows.map((window) => `${fact} ${window}`)));
  });
});

describe("chart", () => {
  const days = weekdays("2021-04-30", CUTOFF);
  const levels = days.map((day, index): Level => [day, String(1000 + index)]);
  const spike = days[501]!;
  const dip = days[1001]!;
  const shaped = levels.map(([day, close]): Level => [day, day === spike ? "9000" : day === dip ? "10" : close]);
  const self = inputs([bars(shaped), NO_PAYOUTS]);

  test("every n-th session, the last, and each line's highest and lowest are kept, for every line alike", () => {
    const chart = computeChart(USD, self, null, [])!;
    const every = Math.ceil(days.length / 360);
    const expected = days.filter(
      (day, index) => index % every === 0 || day === days.at(-1) || day === spike || day === dip,
    );
    expect(chart).toMatchObject({
      window: "5y",
      start_session: "2021-04-30",
      end_session: CUTOFF,
      thinning: "every-nth/v1",
    });
    expect(chart.lines.map(({ kind }) => kind)).toEqual(["total_return", "drawdown"]);
    for (const line of chart.lines) expect(line.points.map(({ session }) => session)).toEqual(expected);
    expect(chart.lines[0]!.points[0]!.level).toBe("100");
    expect(chart.lines[0]!.points.find(({ session }) => session === spike)!.level).toBe("900");
    expect(chart.lines[1]!.points.find(({ session }) => session === dip)!.level).toBe(
      "-0.998888888888888888888888888889",
    );
  });

  test("the longest window that is OK", () => {
    const short = inputs([bars(shaped.slice(-300)), NO_PAYOUTS]);
    expect(computeChart(USD, short, null, [])!.window).toBe("1y");
    expect(computeChart(USD, inputs([bars(shaped.slice(-5)), NO_PAYOUTS]), null, [])).toBeNull();
  });

  test("a benchmark's line begins at 100; sessions on which it is too old have no point", () => {
    const gap = levels.filter(([day]) => day < "2025-01-01" || day > "2025-03-01");
    const other = inputs([bars(gap), NO_PAYOUTS], { instrument: "US:BBB" });
    const chart = computeChart(USD, { ...self, instrument: { ...self.instrument, benchmark: "US:BBB" } }, other, [])!;
    const line = chart.lines.find(({ kind }) => kind === "benchmark")!;
    expect(line.points[0]).toEqual({ session: "2021-04-30", level: "100" });
    const inGap = line.points.map(({ session }) => session).filter((day) => day > "2025-01-01" && day < "2025-03-01");
    expect(inGap.every((day) => day <= "2025-01-10")).toBe(true);
    expect(chart.lines[0]!.points.length).toBeGreaterThan(line.points.length);
  });

  test("a median needs three other members, and none where a benchmark is named", () => {
    const peer = (ticker: string, factor: number) =>
      inputs([bars(levels.map(([day, close]): Level => [day, String(Number(close) ** factor)])), NO_PAYOUTS], {
        instrument: `US:${ticker}`,
      });
    const three = [peer("B", 1), peer("C", 2), peer("D", 3)];
    const kinds = (peers: typeof three, benchmark = "") =>
      computeChart(USD, { ...self, instrument: { ...self.instrument, benchmark } }, null, peers)!.lines.map(
        ({ kind }) => kind,
      );
    expect(kinds(three)).toContain("peer_median");
    expect(kinds([...three.slice(0, 2), self])).not.toContain("peer_median");
    expect(kinds(three, "US:ZZZ")).not.toContain("peer_median");
    const median = computeChart(USD, self, null, three)!.lines.find(({ kind }) => kind === "peer_median")!;
    const last = (Number(levels.at(-1)![1]) ** 2 / 1000 ** 2) * 100;
    expect(Number(median.points.at(-1)!.level)).toBeCloseTo(last, 6);
  });
});
