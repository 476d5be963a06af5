/** The synthetic source: the same bytes for ever, one world per seed, and each defect exactly where it was planted. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { checkDigit } from "../../pipeline/collect/synthetic/metadata.ts";
import { sessionDays } from "../../pipeline/collect/synthetic/sessions.ts";
import { numeral, toQuanta } from "../../pipeline/collect/synthetic/write.ts";
import { readAs, synthesise } from "../../pipeline/collect/synthetic.ts";
import { toDays } from "../../pipeline/domain/date.ts";
import { type SyntheticSource, sourceSchema, syntheticSchema } from "../../pipeline/schema/batch.ts";
import { type Instrument, instrumentSchema } from "../../pipeline/schema/instrument.ts";

function product(id: string, changes: Partial<Record<keyof Instrument, string>> = {}): Instrument {
  const [market, ticker] = id.split(":");
  return instrumentSchema.parse({
    instrument: id,
    market,
    ticker,
    isin: "",
    name_ko: "",
    name_en: `Invented ${ticker} Growth ETF`,
    issuer: "Invented",
    currency: market === "KR" ? "KRW" : "USD",
    product_type: "EQUITY_INDEX",
    peer_group: "GROUP",
    benchmark: "",
    exposure_multiple: "1",
    fx_hedged: "false",
    ...changes,
  });
}
const UNIVERSE = [
  product("US:ZAAAA"),
  product("US:ZBBBB", { product_type: "INVERSE", benchmark: "US:ZAAAA", exposure_multiple: "-3" }),
  product("KR:90Z010", { benchmark: "US:ZAAAA" }),
  product("KR:90Z020", { product_type: "BOND", name_en: "Invented KTB 10-Year ETF", isin: "KR790Z020001" }),
];

function sourceOf(produces: SyntheticSource["produces"], changes: Record<string, unknown> = {}): SyntheticSource {
  return syntheticSchema.parse({
    id: "made",
    vendor: "Demonstration",
    contract: "synthetic",
    retrieved_at: "2026-08-29T00:00:00Z",
    rights: { internal: "ALLOW", client_delivery: "ALLOW" },
    produces,
    ...(produces === "fx" ? {} : { market: "US" }),
    seed: 7,
    from: "2024-01-02",
    to: "2026-08-28",
    ...changes,
  });
}
const text = (files: Map<string, Uint8Array>, id: string) => new TextDecoder().decode(files.get(id));
const linesOf = (source: SyntheticSource, id: string) => text(synthesise(source, UNIVERSE), id).trimEnd().split("\n");

describe("bytes", () => {
  test("are pinned: a change of any series is a change of every demonstration card", () => {
    const hash = createHash("sha256");
    const sources = [
      sourceOf("bars"),
      sourceOf("bars", { market: "KR" }),
      sourceOf("distributions"),
      sourceOf("nav", { market: "KR" }),
      sourceOf("fx"),
      sourceOf("metadata", { market: "KR" }),
    ];
    for (const source of sources) for (const bytes of synthesise(source, UNIVERSE).values()) hash.update(bytes);
    expect(hash.digest("hex")).toBe("1d4f24549b38e299afbd14b246a98af5b4a62eb361f47e4f22c1f9f71be44b11");
  });

  test("do not depend on the order of the universe or on what was made before", () => {
    const source = sourceOf("bars");
    const forwards = synthesise(source, UNIVERSE);
    synthesise(sourceOf("bars", { seed: 8 }), UNIVERSE);
    const backwards = synthesise(source, [...UNIVERSE].reverse());
    for (const [id, bytes] of forwards) expect(backwards.get(id)).toEqual(bytes);
  });

  test("differ with the seed", () => {
    expect(linesOf(sourceOf("bars"), "US:ZAAAA")).not.toEqual(linesOf(sourceOf("bars", { seed: 8 }), "US:ZAAAA"));
  });

  test("a later `from` only cuts rows off the front", () => {
    for (const produces of ["bars", "distributions"] as const) {
      const [header, ...rows] = linesOf(sourceOf(produces), "US:ZAAAA");
      const [laterHeader, ...laterRows] = linesOf(sourceOf(produces, { from: "2026-01-02" }), "US:ZAAAA");
      expect(laterHeader).toBe(header);
      expect(laterRows.length).toBeGreaterThan(0);
      expect(rows.slice(-laterRows.length)).toEqual(laterRows);
    }
  });

  test("a later `to` only appends what was traded", () => {
    const nav = sourceOf("nav", { market: "KR", to: "2026-08-21" });
    const rows = linesOf(nav, "KR:90Z010");
    expect(linesOf({ ...nav, to: "2026-08-28" }, "KR:90Z010").slice(0, rows.length)).toEqual(rows);
  });

  test("stop at `to` and come for the source's market only", () => {
    const files = synthesise(sourceOf("bars"), UNIVERSE);
    expect([...files.keys()]).toEqual(["US:ZAAAA", "US:ZBBBB"]);
    expect(text(files, "US:ZAAAA").trimEnd().split("\n").at(-1)).toMatch(/^2026-08-28,/);
  });

  test("a product that pays nothing has a file that says so: a header and no row", () => {
    const universe = [product("US:ZCCCC", { product_type: "COMMODITY", name_en: "Invented Gold Trust" })];
    expect(text(synthesise(sourceOf("distributions"), universe), "US:ZCCCC")).toBe("ex_date,amount\n");
  });

  test("a benchmark ring or one that is not there is no benchmark, and the product has bars all the same", () => {
    const ring = [product("US:ZA", { benchmark: "US:ZB" }), product("US:ZB", { benchmark: "US:ZA" })];
    const lost = [product("US:ZC", { benchmark: "US:ZQ", exposure_multiple: "2", product_type: "LEVERAGED" })];
    expect(synthesise(sourceOf("bars"), [...ring, ...lost]).size).toBe(3);
  });
});

test("a split moves the traded close and its NAV by the ratio, and the split-adjusted close not at all", () => {
  const cells = (produces: "nav" | "bars", column: number) =>
    linesOf(sourceOf(produces, { from: "2014-01-02", seed: 11 }), "US:ZBBBB")
      .slice(1)
      .map((line) => Number(line.split(",")[column]));
  const [traded, nav, adjusted] = [cells("nav", 2), cells("nav", 1), cells("bars", 4)];
  const step = (levels: number[]) => levels.slice(1).map((level, at) => level / levels[at]!);
  const [tradedSteps, navSteps, adjustedSteps] = [step(traded), step(nav), step(adjusted)];
  const ratios = tradedSteps.map((ratio, at) => ratio / adjustedSteps[at]!);
  const splits = ratios.flatMap((ratio, at) => (Math.abs(ratio - 1) > 0.01 ? [at] : []));
  expect(splits.map((at) => ratios[at]!.toFixed(6))).toEqual(["0.250000", "5.000000", "5.000000"]);
  for (const at of splits) {
    expect(navSteps[at]! / tradedSteps[at]!).toBeCloseTo(1, 1);
  }
  expect(Math.max(...adjustedSteps.map((ratio) => Math.abs(ratio - 1)))).toBeLessThan(0.45);
  expect(traded.at(-1)).toBe(adjusted.at(-1));
});

describe("the reading contract", () => {
  const sources = (["bars", "distributions", "nav", "metadata", "fx"] as const).map((produces) => sourceOf(produces));
  test.each(sources)("of $produces is a source of the batch format, with the same rights and clocks", (source) => {
    const read = sourceSchema.parse(readAs(source));
    expect(read).toMatchObject({ id: "made", rights: source.rights, retrieved_at: source.retrieved_at });
    expect(read.contract).toBe(`csv-${source.produces}`);
  });

  test("names columns that are in the file", () => {
    for (const source of [...sources, sourceOf("metadata", { market: "KR" })]) {
      const header = text(synthesise(source, UNIVERSE), [...synthesise(source, UNIVERSE).keys()][0]!).split("\n")[0]!;
      const read = readAs(source);
      const named =
        read.contract === "csv-metadata"
          ? [read.key, ...Object.values(read.fields).map((field) => field!.column)]
          : Object.values(read.columns);
      expect(header.split(",").sort()).toEqual([...named].sort());
    }
  });
});

describe("planted defects", () => {
  const clean = linesOf(sourceOf("bars"), "US:ZAAAA");
  const planted = (kind: string, on?: string) =>
    linesOf(sourceOf("bars", { defects: [{ ticker: "ZAAAA", kind, on }] }), "US:ZAAAA");
  const changed = (lines: string[]) => lines.filter((line) => !clean.includes(line));
  const lost = (lines: string[]) => clean.filter((line) => !lines.includes(line));
  const close = (line: string | undefined) => Number(line!.split(",")[4]);
  const at = (lines: string[], session: string) => lines.findIndex((line) => line.startsWith(session));

  test("scale_break: a tenth from that session on", () => {
    const lines = planted("scale_break", "2026-08-24");
    expect(changed(lines).map((line) => line.slice(0, 10))).toEqual(clean.slice(-5).map((line) => line.slice(0, 10)));
    expect(close(lines.at(-1)) / close(clean.at(-1))).toBeCloseTo(0.1, 3);
  });
  test("unexplained_jump: one session, back on the next", () => {
    const lines = planted("unexplained_jump", "2026-08-05");
    expect(changed(lines)).toHaveLength(1);
    expect(close(changed(lines)[0]) / close(clean[at(clean, "2026-08-05")])).toBeCloseTo(1.23, 3);
  });
  test("duplicate_session: a second, differing row", () => {
    const lines = planted("duplicate_session", "2026-08-05");
    expect([lines.length - clean.length, lost(lines).length, changed(lines).length]).toEqual([1, 0, 1]);
    expect(changed(lines)[0]).toMatch(/^2026-08-05,/);
  });
  test("half_filled_bar: no open, high = low = close, next to no volume; by default the last", () => {
    const last = planted("half_filled_bar").at(-1)!.split(",");
    expect([last[0], last[1], last[2], last[3], last[6]]).toEqual(["2026-08-28", "0.00", last[4], last[4], "17"]);
  });
  test("stale: nothing after that session", () => {
    expect(planted("stale", "2026-08-05")).toEqual(clean.slice(0, at(clean, "2026-08-05") + 1));
  });
  test("gap: more than ten calendar days without a session, and all rows after it", () => {
    const lines = planted("gap", "2026-07-06");
    const after = lines[at(lines, "2026-07-06") + 1]!;
    expect(toDays(after.slice(0, 10)) - toDays("2026-07-06")).toBeGreaterThan(10);
    expect(lines.at(-1)).toBe(clean.at(-1));
    expect(changed(lines)).toEqual([]);
  });
  test("blank_close: that session's closes are empty", () => {
    expect(changed(planted("blank_close", "2026-08-05"))[0]).toMatch(/^2026-08-05,[^,]+,[^,]+,[^,]+,,,\d+$/);
  });
  test("missing_file: that product has no file and the others have theirs", () => {
    const source = sourceOf("bars", { defects: [{ ticker: "ZAAAA", kind: "missing_file" }] });
    expect([...synthesise(source, UNIVERSE).keys()]).toEqual(["US:ZBBBB"]);
  });
  test("fee_conflict and wrong_isin: that cell alone, and the ISIN has a right check digit", () => {
    const stated = (kind?: string) => {
      const defects = kind === undefined ? [] : [{ ticker: "90Z020", kind }];
      return linesOf(sourceOf("metadata", { market: "KR", defects }), "")
        .find((line) => line.startsWith("90Z020"))!
        .split(",");
    };
    const differing = (kind: string) =>
      stated(kind).flatMap((cell, index) => (cell === stated()[index] ? [] : [index]));
    expect(differing("fee_conflict")).toEqual([8]);
    expect(Number(stated("fee_conflict")[8]) - Number(stated()[8])).toBeCloseTo(0.11, 6);
    expect(differing("wrong_isin")).toEqual([1]);
    const isin = stated("wrong_isin")[1]!;
    expect(isin).toMatch(/^KR\d{10}$/);
    expect(checkDigit(isin.slice(0, 11))).toBe(Number(isin[11]));
  });
});

describe("refused", () => {
  const refusals: [string, SyntheticSource, string][] = [
    [
      "a defect that the file cannot carry",
      sourceOf("fx", { defects: [{ ticker: "ZAAAA", kind: "gap" }] }),
      "SYNTHETIC_DEFECT",
    ],
    [
      "a defect after the last session",
      sourceOf("bars", { defects: [{ ticker: "ZAAAA", kind: "gap", on: "2027-01-04" }] }),
      "SYNTHETIC_DEFECT",
    ],
    ["bars of no market", sourceOf("bars", { market: undefined }), "SYNTHETIC_MARKET_MISSING"],
    ["a pair of one currency", sourceOf("fx", { pair: { base: "USD", quote: "USD" } }), "SYNTHETIC_PAIR"],
    ["an end before the beginning", sourceOf("bars", { from: "2026-09-01" }), "SYNTHETIC_WINDOW"],
    ["an end before the origin", sourceOf("bars", { from: "2010-01-04", to: "2011-01-03" }), "SYNTHETIC_WINDOW"],
  ];
  test.each(refusals)("%s", (_, source, code) => {
    expect(() => synthesise(source, UNIVERSE)).toThrow(expect.objectContaining({ code }));
  });
});

test.each([
  [100, 0, "100"],
  [9999.5, 0, "9999.5"],
  [21, 2, "21.00"],
  [0.05, 2, "0.05"],
  [23.125, 2, "23.125"],
  [10.399375, 2, "10.399375"],
  [3000000.01, 2, "3000000.01"],
])("%d with at least %i decimals is written %s", (amount, decimals, written) => {
  expect(numeral(toQuanta(amount), decimals)).toBe(written);
});

test.each([
  ["US", "2026-07-03", false],
  ["US", "2026-04-03", false],
  ["US", "2026-05-25", false],
  ["US", "2026-11-26", false],
  ["US", "2026-08-17", true],
  ["KR", "2026-02-17", false],
  ["KR", "2026-09-25", false],
  ["KR", "2026-07-03", true],
  ["KR", "2026-08-29", false],
] as const)("%s on %s: trades %s", (market, date, trades) => {
  expect(sessionDays(market, date, date)).toHaveLength(trades ? 1 : 0);
});
