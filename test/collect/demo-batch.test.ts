/** The demonstration batch: invented throughout, plausible throughout, and faulty exactly where faults were planted. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { toDays } from "../../pipeline/domain/date.ts";
import { PRODUCT_TYPES, type ProductType } from "../../pipeline/schema/instrument.ts";
import {
  againstBenchmark,
  annualVolatility,
  correlation,
  type Kind,
  type Levels,
  ofKind,
  readInvented,
  returnsOf,
  slope,
  totalReturnLevels,
} from "./invented.ts";

const SHARED = resolve(import.meta.dirname, "../../../shared");
const isSharedAbsent = !existsSync(`${SHARED}/data/metadata`);
if (isSharedAbsent) console.warn("skipped: ../shared/data/metadata is not there, so no list of real names");

let demo: Awaited<ReturnType<typeof readInvented>>;
let bars: Map<string, Kind<"bars">>;
let payouts: Map<string, Kind<"distributions">>;
let levels: Map<string, Levels>;
let rates: Levels;

/** Products whose bars were tampered with: no law of plausibility holds for them. */
let tampered: Set<string>;

beforeAll(async () => {
  demo = await readInvented("demo-2026-08-28");
  bars = new Map(ofKind(demo.observations, "bars").map((series) => [series.instrument, series]));
  payouts = new Map(ofKind(demo.observations, "distributions").map((series) => [series.instrument, series]));
  levels = new Map([...bars].map(([id, series]) => [id, totalReturnLevels(series, payouts.get(id))]));
  rates = new Map(ofKind(demo.observations, "fx")[0]!.rows.map(({ date, rate }) => [date, Number(rate)]));
  tampered = new Set(
    demo.request.batch.sources.flatMap((source) =>
      source.contract === "synthetic" && source.produces === "bars"
        ? source.defects
            .filter(({ kind }) => kind !== "half_filled_bar" && kind !== "stale")
            .map(({ ticker }) => `${source.market}:${ticker}`)
        : [],
    ),
  );
});

const sound = () => demo.request.instruments.filter(({ instrument }) => !tampered.has(instrument));

describe("the universe", () => {
  test("has 44 Korean and 56 US products over every product type, and no faulty row", () => {
    const { instruments, universeFaults } = demo.request;
    const count = (market: string) => instruments.filter((one) => one.market === market).length;
    expect([count("KR"), count("US"), universeFaults]).toEqual([44, 56, []]);
    expect(new Set(instruments.map(({ product_type }) => product_type))).toEqual(new Set(PRODUCT_TYPES));
  });

  test("Korean products have both names; hedged ones say so in theirs", () => {
    for (const { market, name_ko, name_en, fx_hedged } of demo.request.instruments) {
      if (market === "KR") expect([name_ko, name_en].every((name) => name !== "")).toBe(true);
      if (fx_hedged) expect(name_ko).toMatch(/\(H\)$/);
    }
  });

  test.skipIf(isSharedAbsent)("no ticker, name or issuer is one of a real product", () => {
    const real = realWords();
    for (const { ticker, name_ko, name_en, issuer, isin } of demo.request.instruments) {
      const words = [ticker, name_ko, name_en, issuer, isin].filter((word) => word !== "");
      expect(words.filter((word) => real.has(word.toLowerCase()))).toEqual([]);
    }
    expect(real.has("069500")).toBe(true);
  });
});

describe("what was planted", () => {
  test("is found by the readers, and nothing else is", () => {
    const found = demo.observations.flatMap((one) =>
      one.defects.map(({ code, session }) => `${"instrument" in one ? one.instrument : one.kind} ${code} ${session}`),
    );
    expect(found.sort()).toEqual(["KR:90C010 BAR_INVALID 2026-08-28", "US:ZSROB DUPLICATE_SESSION 2026-08-05"]);
    expect(demo.frozen.faults.map(({ instrument, code }) => [instrument, code])).toEqual([
      ["US:ZBREI", "SOURCE_MISSING"],
    ]);
  });

  test("a scale break is a tenth overnight, a jump is above 15 %, a stale series ends weeks early", () => {
    const ratio = (id: string, session: string) => {
      const { rows } = bars.get(id)!;
      const at = rows.findIndex((row) => row.session === session);
      return Number(rows[at]!.close) / Number(rows[at - 1]!.close);
    };
    expect(Math.abs(ratio("KR:90D020", "2026-07-14") * 10 - 1)).toBeLessThan(0.03);
    expect(ratio("KR:90C0B0", "2026-05-20")).toBeGreaterThan(1.15);
    expect(bars.get("US:ZTMIC")!.rows.at(-1)!.session).toBe("2026-08-07");
  });

  test("two metadata sources differ in one fee, and one ISIN is another product's", () => {
    const stated = new Map<string, Set<string>>();
    for (const record of ofKind(demo.observations, "metadata")) {
      for (const { field, value } of record.fields) {
        const key = `${record.instrument} ${field}`;
        stated.set(key, (stated.get(key) ?? new Set()).add(value));
      }
    }
    const conflicts = [...stated].filter(([, values]) => values.size > 1).map(([key]) => key);
    expect(conflicts.sort()).toEqual(["KR:90F020 total_expense_ratio", "KR:90H040 isin"]);
  });
});

describe("the series", () => {
  test("have no close at or under zero, no weekend, and OHLC in order", () => {
    const broken = [...bars.values()].flatMap(({ instrument, rows }) =>
      rows
        .filter(({ session, open, high, low, close }) => {
          const weekday = (toDays(session) + 4) % 7;
          const isHalfFilled = Number(open) === 0;
          const [top, bottom] = [Math.max(Number(open), Number(close)), Math.min(Number(open), Number(close))];
          const isOrdered = isHalfFilled || (Number(high) >= top && Number(low) <= bottom);
          return !(Number(close) > 0) || weekday === 0 || weekday === 6 || !isOrdered;
        })
        .map(({ session }) => `${instrument} ${session}`),
    );
    expect(broken).toEqual([]);
  });

  test("mostly reach back five years and more; some one to three; one a few months", () => {
    const years = [...bars.values()].map(({ rows }) => (toDays("2026-08-28") - toDays(rows[0]!.session)) / 365.25);
    expect(years.filter((age) => age > 5).length).toBeGreaterThan(75);
    expect(years.filter((age) => age >= 1 && age < 3).length).toBeGreaterThan(5);
    expect(years.filter((age) => age < 0.5).length).toBe(1);
  });

  const RANGES: Record<ProductType, [number, number]> = {
    EQUITY_INDEX: [0.1, 0.3],
    EQUITY_THEME: [0.14, 0.4],
    DIVIDEND: [0.08, 0.22],
    COVERED_CALL: [0.05, 0.2],
    BOND: [0.01, 0.22],
    MONEY_MARKET: [0, 0.005],
    COMMODITY: [0.08, 0.5],
    REIT: [0.08, 0.25],
    MULTI_ASSET: [0.04, 0.15],
    LEVERAGED: [0.2, 0.8],
    INVERSE: [0.08, 0.8],
    CRYPTO: [0.35, 0.9],
  };
  test.each(Object.entries(RANGES))("%s volatility lies in %j a year", (type, [low, high]) => {
    const ofType = sound().filter(({ product_type }) => product_type === type);
    expect(ofType.length).toBeGreaterThan(0);
    for (const { instrument } of ofType) {
      const volatility = annualVolatility(levels.get(instrument)!);
      expect([instrument, volatility >= low && volatility <= high, volatility]).toEqual([instrument, true, volatility]);
    }
  });

  test("no day moves by 15 % × the multiple but where that was planted", () => {
    for (const { instrument, exposure_multiple } of sound()) {
      const limit = 0.15 * Math.abs(Number(exposure_multiple));
      const largest = Math.max(...returnsOf([...levels.get(instrument)!.values()]).map(Math.abs));
      expect([instrument, largest < limit]).toEqual([instrument, true]);
    }
  });

  test("the adjusted close steps by each distribution and by nothing else", () => {
    let checked = 0;
    let largest = 0;
    for (const { instrument } of sound()) {
      const series = payouts.get(instrument);
      if (series === undefined) continue;
      const paid = new Map(series.rows.map(({ ex_date, amount }) => [ex_date, Number(amount)]));
      const { rows } = bars.get(instrument)!;
      for (let at = 1; at < rows.length; at++) {
        const [before, row] = [rows[at - 1]!, rows[at]!];
        const factor = (one: typeof row) => Number(one.adjusted_close) / Number(one.close);
        const distribution = paid.get(row.session) ?? 0;
        const expected = 1 - distribution / Number(before.close);
        largest = Math.max(largest, Math.abs(factor(before) / factor(row) - expected));
        if (distribution > 0) checked++;
      }
    }
    expect(checked).toBeGreaterThan(2_000);
    expect(largest).toBeLessThan(1e-4);
  });
});

describe("products agree with what they are compared with", () => {
  const pairOf = (id: string) => {
    const instrument = demo.request.instruments.find((one) => one.instrument === id)!;
    const converted = instrument.benchmark.startsWith(`${instrument.market}:`) || instrument.fx_hedged ? null : rates;
    return againstBenchmark(levels.get(id)!, levels.get(instrument.benchmark)!, instrument, converted);
  };

  test("a multiple's daily return follows the multiple of its benchmark's", () => {
    const multiples = sound().filter(({ exposure_multiple }) => exposure_multiple !== "1");
    expect(multiples.length).toBeGreaterThan(8);
    for (const { instrument, exposure_multiple } of multiples) {
      const { own, benchmark } = pairOf(instrument);
      const multiple = Number(exposure_multiple);
      expect(
        correlation(
          own,
          benchmark.map((move) => move * multiple),
        ),
      ).toBeGreaterThan(0.99);
      expect(slope(own, benchmark) / multiple).toBeCloseTo(1, 1);
    }
  });

  test("a Korean fund on a US one follows the close of the night before, in won unless it is hedged", () => {
    const abroad = sound().filter(({ market, benchmark }) => market === "KR" && benchmark.startsWith("US:"));
    expect(abroad.length).toBeGreaterThan(10);
    for (const { instrument, product_type } of abroad) {
      const { own, benchmark } = pairOf(instrument);
      expect(correlation(own, benchmark)).toBeGreaterThan(product_type === "COVERED_CALL" ? 0.95 : 0.98);
    }
  });

  test("a hedged fund lacks exactly the currency's move that its unhedged sibling has", () => {
    const siblings = [
      ["KR:90E010", "KR:90E030"],
      ["KR:90E0A0", "KR:90E0B0"],
      ["KR:90F010", "KR:90F030"],
    ] as const;
    for (const [unhedged, hedged] of siblings) {
      const own = levels.get(unhedged)!;
      const shared = [...own.keys()].filter((session) => levels.get(hedged)!.has(session) && rates.has(session));
      const moves = (of: Levels) => returnsOf(shared.map((session) => of.get(session)!));
      const [ownMoves, hedgedMoves, fxMoves] = [moves(own), moves(levels.get(hedged)!), moves(rates)];
      const gap = ownMoves.map((move, at) => move - hedgedMoves[at]!);
      expect(slope(gap, fxMoves)).toBeCloseTo(1, 1);
      expect(correlation(gap, fxMoves)).toBeGreaterThan(0.95);
    }
  });

  test("written calls earn less than their underlying on its best days, and lose less on its worst", () => {
    const { own, benchmark } = pairOf("US:ZSVCC");
    const days = benchmark.map((move, at) => ({ move, own: own[at]! })).sort((left, right) => left.move - right.move);
    const mean = (part: typeof days, key: "move" | "own") => part.reduce((sum, day) => sum + day[key], 0) / part.length;
    const [worst, best] = [days.slice(0, 50), days.slice(-50)];
    expect(mean(best, "own")).toBeLessThan(0.75 * mean(best, "move"));
    expect(mean(worst, "own")).toBeGreaterThan(mean(worst, "move"));
  });

  test("close and NAV stay within one per cent", () => {
    const premiums = ofKind(demo.observations, "nav").flatMap(({ rows }) =>
      rows.map(({ close, nav }) => Math.abs(Number(close) / Number(nav) - 1)),
    );
    expect(premiums.length).toBeGreaterThan(10_000);
    expect(premiums.reduce((most, premium) => Math.max(most, premium), 0)).toBeLessThan(0.01);
  });
});

function realWords(): Set<string> {
  const universe = readFileSync(`${SHARED}/batches/real-2026-04-30/universe.csv`, "utf8");
  const folder = `${SHARED}/data/metadata`;
  const texts = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, "utf8"));
  return new Set(
    [universe, ...texts].flatMap((text) => text.toLowerCase().split(/[,"\r\n:\t]+/)).map((word) => word.trim()),
  );
}
