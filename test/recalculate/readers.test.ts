/** What the SQL readers make of hostile bytes: a coded absence, never a failed statement, never a guess. */
import iconv from "iconv-lite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readField } from "../../pipeline/collect/stated-field.ts";
import type { AssayError } from "../../pipeline/domain/outcome.ts";
import { answerOf, BARS, bars, connect, META, PAYOUTS, RATES, recalculateSmall } from "./support.ts";

let database: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  database = await connect();
});
afterAll(() => database.close());

const NONE = { "payouts US:AAA": "ex_date,amount\n" };
const onLast = (line: string) => bars(500, ({ date }, back) => (back === 0 ? line.replace("DATE", date) : null));

describe("a bar file", () => {
  const cases: [name: string, bytes: string | Uint8Array, lastClose: string][] = [
    ["plain", onLast("DATE,123.45,123.45,10"), "123.45"],
    [
      "byte order mark",
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(onLast("DATE,123.45,1,10"))]),
      "123.45",
    ],
    ["carriage returns", onLast("DATE,123.45,1,10").replaceAll("\n", "\r\n"), "123.45"],
    ["quotes and thousands", onLast('"DATE","1,123.45","1,123.45","1,000"'), "1123.45"],
    ["thousands in wrong groups are no close", onLast('DATE,"1,12.45",1,10'), bars500Close()],
    ["exponent of a float", onLast("DATE,1.5e-05,1,10"), "0.000015"],
    ["leading plus", onLast("DATE,+123.45,1,10"), "123.45"],
    ["dates with slashes", onLast("DATE,123.45,1,10").replace(/(\d{4})-(\d\d)-(\d\d)/g, "$1/$2/$3"), "123.45"],
    ["dates without separators", onLast("DATE,123.45,1,10").replace(/(\d{4})-(\d\d)-(\d\d)/g, "$1$2$3"), "123.45"],
    [
      "an identical repeat counts once",
      onLast("DATE,123.45,1,10\nDATE,123.45,1,10".replaceAll("DATE", "2026-04-30")),
      "123.45",
    ],
    [
      "differing repeats: no bar of that date",
      onLast("2026-04-30,123.45,1,10\n2026-04-30,123.46,1,10"),
      bars500Close(),
    ],
    ["NaN", onLast("DATE,NaN,1,10"), bars500Close()],
    ["blank", onLast("DATE,,1,10"), bars500Close()],
    ["zero", onLast("DATE,0,1,10"), bars500Close()],
    ["negative", onLast("DATE,-5,1,10"), bars500Close()],
    ["Infinity", onLast("DATE,Infinity,1,10"), bars500Close()],
    ["an exponent that overflows", onLast("DATE,1e999999,1,10"), bars500Close()],
    ["hexadecimal and underscores", onLast("DATE,0x10,1,10"), bars500Close()],
    ["forty digits", onLast(`DATE,${"9".repeat(40)},1,10`), bars500Close()],
    ["an impossible date", onLast("2026-02-30,123.45,1,10"), bars500Close()],
    ["a bar after the cutoff", `${bars(500)}2026-05-01,999,999,10\n`, bars500Close(0)],
    ["an empty file", "", "NO_DATA"],
    ["a header alone", "date,close,adj,volume\n", "NO_DATA"],
    ["binary", Buffer.from([0, 1, 2, 255, 254, 0, 13, 10, 0]), "SOURCE_MISSING"],
    ["more filled cells than columns", onLast("DATE,123.45,1,10,,9"), bars500Close()],
    ["more cells, all of them blank", onLast("DATE,123.45,1,10,, "), "123.45"],
    ["fewer cells than columns", onLast("DATE,123.45"), "123.45"],
    ["dates with a leading blank", onLast("DATE,123.45,1,10").replaceAll("\n20", "\n 20"), "123.45"],
    ["a header behind blank lines", `\n\n${onLast("DATE,123.45,1,10")}`, "123.45"],
    ["a column of sessions alone", onLast("DATE").replace("date,close,adj,", "date,a,b,"), "NO_DATA"],
  ];
  test.each(cases)("%s", async (_name, bytes, expected) => {
    const answers = await recalculateSmall(database.client, { files: { "bars US:AAA": bytes, ...NONE } });
    expect(answerOf(answers, "last_close")).toBe(expected);
  });

  test("without a close column serves total return alone", async () => {
    const text = bars(500).replace("date,close,adj,volume", "date,other,adj,volume");
    const answers = await recalculateSmall(database.client, { files: { "bars US:AAA": text, ...NONE } });
    expect(answerOf(answers, "last_close")).toBe("BASIS_NOT_AVAILABLE");
    expect(answerOf(answers, "total_return.1y")).toMatch(/^0\.1/);
  });
});

test.each([
  ["close", "NO_DATA"],
  ["date", "NO_DATA"],
  ["note", "110"],
])("a column %s that is there twice", async (name, expected) => {
  const text = `date,close,adj,volume,note,${name}\n2026-04-29,100,1,1,x,1\n2026-04-30,110,1,1,x,1\n`;
  const answers = await recalculateSmall(database.client, { files: { "bars US:AAA": text, ...NONE } });
  expect(answerOf(answers, "last_close")).toMatch(new RegExp(`^(${expected}|SOURCE_MISSING)$`));
});

test("a member whose file has a column twice is no peer, and the others' figures stay", async () => {
  const group = Object.fromEntries(["AAA", "CCC", "DDD", "EEE"].map((ticker) => [ticker, { peer_group: "G" }]));
  const file = (last: string, head = "volume") => `date,close,adj,${head}\n2025-04-30,100,,1\n2026-04-30,${last},,1\n`;
  const files = {
    "bars US:AAA": file("110"),
    "bars US:CCC": file("120"),
    "bars US:DDD": file("130"),
    "bars US:EEE": file("140", "close"),
    ...Object.fromEntries(Object.keys(group).map((ticker) => [`payouts US:${ticker}`, "ex_date,amount\n"])),
    rates: "date,rate\n2025-04-30,1000\n2026-04-30,1000\n",
  };
  const answers = await recalculateSmall(database.client, { tickers: group, files, scope: ["US:AAA"] });
  expect(answerOf(answers, "peer_count.total_return.1y")).toBe("3");
  expect(answerOf(answers, "peer_rank.total_return.1y")).toBe("3");
});

/** Close of the session `back` days before the cutoff in bars(500). */
function bars500Close(back = 1): string {
  const lines = bars(500).trim().split("\n");
  return lines
    .at(-1 - back)!
    .split(",")[1]!
    .replace(/\.?0+$/, "");
}

const WIDE = {
  ...BARS,
  columns: { ...BARS.columns, open: "open", high: "high", low: "low" },
};
test.each([
  ["open 0 against a blank one", "0,2,1,123.45,1,10", ",2,1,123.45,1,10", "123.45"],
  ["low 0.0 against junk", "2,2,0.0,123.45,1,10", "2,2,x,123.45,1,10", "123.45"],
  ["numbers written otherwise", "2.0,2,1,123.450,1,10", "2,2,1,1.2345e2,1,10", "123.45"],
  ["another open", "2,2,1,123.45,1,10", "3,2,1,123.45,1,10", "122.45"],
  ["volume 0 against a blank one", "2,2,1,123.45,1,0", "2,2,1,123.45,1,", "122.45"],
  ["adjusted close 0 against a blank one", "2,2,1,123.45,0,10", "2,2,1,123.45,,10", "122.45"],
])("repeated rows: %s", async (_name, one, other, expected) => {
  const rows = ["2026-04-29,1,1,1,122.45,1,1", `2026-04-30,${one}`, `2026-04-30,${other}`];
  const answers = await recalculateSmall(database.client, {
    sources: [WIDE, PAYOUTS, RATES],
    files: { "bars US:AAA": `date,open,high,low,close,adj,volume\n${rows.join("\n")}\n`, ...NONE },
  });
  expect(answerOf(answers, "last_close")).toBe(expected);
});

describe("what lies behind the horizon of the windows", () => {
  const file = (...rows: string[]) => `date,close,adj,volume\n${rows.map((row) => `${row},1,10\n`).join("")}`;
  test.each([
    ["an old bar is a gap, not a short history", ["2011-03-01,1"], "GAP_AT_START"],
    ["an old bar without a close is no bar", ["2011-03-01,"], "INSUFFICIENT_HISTORY"],
    ["an old bar that is repeated otherwise is none", ["2011-03-01,1", "2011-03-01,2"], "INSUFFICIENT_HISTORY"],
    ["no old bar", [], "INSUFFICIENT_HISTORY"],
    ["the start's month alone", ["2021-04-20,50"], "1"],
  ])("%s", async (_name, old, expected) => {
    const files = { "bars US:AAA": file(...old, "2026-04-29,99", "2026-04-30,100"), ...NONE };
    expect(answerOf(await recalculateSmall(database.client, { files }), "price_return.5y")).toBe(expected);
  });

  test("a series that ended long ago is stale, not empty", async () => {
    const files = { "bars US:AAA": file("2011-03-01,1", "2011-03-02,2"), ...NONE };
    expect(answerOf(await recalculateSmall(database.client, { files }), "last_close")).toBe("STALE");
  });
});

test.each([
  ["one session without volume among few", 5, 2, "NO_DATA"],
  ["few sessions", 5, null, "INSUFFICIENT_HISTORY"],
  ["one session without volume among many", 60, 2, "NO_DATA"],
  ["a session without volume before the last 20", 60, 40, "1000"],
])("average daily value of %s", async (_name, days, blank, expected) => {
  const text = bars(days, ({ date }, back) => `${date},100,1,${back === blank ? "" : 10}`);
  const files = { "bars US:AAA": text, ...NONE };
  expect(answerOf(await recalculateSmall(database.client, { files }), "average_daily_value.20d")).toBe(expected);
});

const NAV = {
  ...BARS,
  id: "nav",
  contract: "csv-nav",
  files: "nav/{ticker}.csv",
  columns: { session: "date", nav: "nav", close: "close" },
  basis: { close: "as_traded" },
};
test.each([
  ["empty, then stale", "", "2026-01-02,100,101", "NO_DATA"],
  ["stale, then empty", "2026-01-02,100,101", "", "NO_DATA"],
  ["both stale", "2026-01-02,100,101", "2026-01-05,100,102", "STALE"],
  ["stale, then good", "2026-01-02,100,101", "2026-04-30,100,102", "0.02"],
  ["empty, then good", "", "2026-04-30,100,102", "0.02"],
  ["both good", "2026-04-29,100,101", "2026-04-30,100,102", "0.01"],
])("NAV sources %s", async (_name, one, other, expected) => {
  const file = (row: string) => `date,nav,close\n${row}\n`;
  const answers = await recalculateSmall(database.client, {
    sources: [BARS, NAV, { ...NAV, id: "nav-b" }],
    files: { "nav US:AAA": file(one), "nav-b US:AAA": file(other) },
  });
  expect(answerOf(answers, "premium.last")).toBe(expected);
});

describe("two sources of payouts in different bases", () => {
  const traded = { ...PAYOUTS, id: "traded", basis: "as_traded" };
  const files = {
    "bars US:AAA": bars(500),
    "payouts US:AAA": "ex_date,amount\n2025-12-15,1\n",
    "traded US:AAA": "ex_date,amount\n2025-12-15,7\n2025-12-16,7\n",
  };
  const OTHER = { ...BARS, basis: { close: "as_traded" } };
  test.each([
    ["split-adjusted closes", BARS, [PAYOUTS, traded], "1"],
    ["split-adjusted closes, the other source first", BARS, [traded, PAYOUTS], "1"],
    ["closes as traded", OTHER, [PAYOUTS, traded], "2"],
    ["closes as traded, that source alone missing", OTHER, [PAYOUTS], "BASIS_NOT_AVAILABLE"],
  ])("%s", async (_name, closes, sources, expected) => {
    const all = [closes, ...sources, RATES] as { id: string }[];
    const used = Object.entries(files).filter(([name]) => all.some(({ id }) => id === name.split(" ")[0]));
    const answers = await recalculateSmall(database.client, { sources: all, files: Object.fromEntries(used) });
    expect(answerOf(answers, "distribution_count.ttm")).toBe(expected);
    expect(answerOf(answers, "total_return.1y")).toMatch(closes === BARS ? /^0\./ : /^BASIS_NOT_AVAILABLE$/);
  });
});

test("Korean text is read in the encoding that it is in", async () => {
  const text = '코드,지수,보수,순자산,상장일\nAAA,"코스피, 200 똠",0.15,"16조 5,475억",2002.10.14\n';
  for (const bytes of [Buffer.from(text), iconv.encode(text, "cp949")]) {
    const answers = await recalculateSmall(database.client, {
      sources: [BARS, PAYOUTS, RATES, META],
      files: { meta: bytes },
    });
    expect(answerOf(answers, "underlying_index")).toBe("코스피, 200 똠");
    expect(answerOf(answers, "total_expense_ratio")).toBe("0.0015");
    expect(answerOf(answers, "net_assets")).toBe("16547500000000");
    expect(answerOf(answers, "listed_on")).toBe("2002-10-14");
  }
});

test.each([
  ["0.7", "0.0068", "CONFLICT"],
  ["0.15", "0.1549", "0.001549"],
  ["0.15", "0.1459", "0.001459"],
  ["0.15", "0.1600", "CONFLICT"],
  ["0.70", "0.74", "CONFLICT"],
  ["0.7", "0.74", "0.0074"],
  ["0.70%", "0.704", "0.00704"],
  ["7.0e-1", "0.74", "CONFLICT"],
  ["N/A", "0.16", "0.0016"],
  ["", "", "SOURCE_MISSING"],
])("expense ratios %s and %s per cent give %s", async (one, other, expected) => {
  const second = { ...META, id: "meta-b" };
  const file = (ratio: string) => `코드,지수,보수,순자산,상장일\nAAA,x,${ratio},,\n`;
  const answers = await recalculateSmall(database.client, {
    sources: [BARS, META, second],
    files: { meta: file(one), "meta-b": file(other) },
  });
  expect(answerOf(answers, "total_expense_ratio")).toBe(expected);
});

const PROFILE = {
  ...META,
  id: "profile",
  contract: "json-metadata",
  key: "code",
  fields: { total_expense_ratio: { path: "fees.total", unit: "percent" } },
};
test.each([
  ["a number", '[{"code":"AAA","fees":{"total":0.07}}]', "0.0007"],
  ["a text", '[{"code":" AAA ","fees":{"total":"0.07%"}}]', "0.0007"],
  ["the same twice", '[{"code":"AAA","fees":{"total":7}},{"fees":{"total":7},"code":"AAA"}]', "0.07"],
  ["two that differ", '[{"code":"AAA","fees":{"total":7}},{"code":"AAA","fees":{"total":8}}]', "SOURCE_MISSING"],
  ["a member twice", '[{"code":"AAA","fees":{"total":7},"fees":{"total":8}}]', "SOURCE_MISSING"],
  ["a member twice, alike", '[{"code":"AAA","fees":{"total":7,"tot\\u0061l":7}}]', "SOURCE_MISSING"],
  ["another product's member twice", '[{"code":"BBB","x":1,"x":2},{"code":"AAA","fees":{"total":7}}]', "0.07"],
  ["an object", '{"code":"AAA","fees":{"total":7}}', "SOURCE_MISSING"],
  ["no JSON", '[{"code":"AAA","fees":{"total":0.07}', "SOURCE_MISSING"],
  ["a NUL in a text", '[{"code":"AAA","fees":{"total":"\\u0000"}}]', "SOURCE_MISSING"],
  ["brackets without end", "[".repeat(200_000), "SOURCE_MISSING"],
  ["nothing", "", "SOURCE_MISSING"],
])("a JSON profile of %s", async (_name, text, expected) => {
  const answers = await recalculateSmall(database.client, { sources: [BARS, PROFILE], files: { profile: text } });
  expect(answerOf(answers, "total_expense_ratio")).toBe(expected);
});

test.each([
  ["a plain text", " KOSPI 200 ", "KOSPI 200"],
  ["blanks of other scripts around it", "\u00a0\u3000KOSPI 200\ufeff", "KOSPI 200"],
  ["200 characters", "😀".repeat(200), "😀".repeat(200)],
  ["201 characters", "x".repeat(201), "SOURCE_MISSING"],
  ["a turned direction", "KOSPI\u202e 200", "SOURCE_MISSING"],
  ["a second line", "KOSPI\n200", "SOURCE_MISSING"],
])("a stated text of %s is read as the first path reads it", async (_name, text, expected) => {
  const source = { ...PROFILE, fields: { underlying_index: { path: "index" } } };
  const answers = await recalculateSmall(database.client, {
    sources: [BARS, source],
    files: { profile: JSON.stringify([{ code: "AAA", index: text }]) },
  });
  expect(answerOf(answers, "underlying_index")).toBe(expected);
  const first = readField("underlying_index", text, undefined);
  expect(first !== null && "value" in first ? first.value : "SOURCE_MISSING").toBe(expected);
});

test("both paths call the same characters of Unicode hidden", async () => {
  await database.client.query("BEGIN");
  try {
    const { statementsOf } = await import("../../pipeline/recalculate/sql.ts");
    const isShown = statementsOf("readers/json-metadata.sql").find(({ text }) =>
      text.includes("FUNCTION pg_temp.is_shown"),
    );
    await database.client.query(isShown!.text);
    const { rows } = await database.client.query<{ point: number }>(
      "SELECT point FROM generate_series(1, 1114111) AS point WHERE point NOT BETWEEN 55296 AND 57343 AND NOT pg_temp.is_shown('x' || chr(point) || 'x')",
    );
    const hidden: number[] = [];
    for (let point = 1; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const reading = readField("tax_type", `x${String.fromCodePoint(point)}x`, undefined);
      if (reading !== null && "conflict" in reading) hidden.push(point);
    }
    expect(rows.map(({ point }) => point)).toEqual(hidden);
  } finally {
    await database.client.query("ROLLBACK");
  }
});

test.each([
  [["0.15", "0.1549", "0.1459"], "CONFLICT"],
  [["0.2", "0.15", "0.1549"], "0.001549"],
  [["0.2", "0.15", "0.1449"], "CONFLICT"],
  [["0.15", "0.154", "0.1549"], "0.001549"],
  // Both coarse ones agree with the finest, one rounded and one truncated, but not with each other.
  [["0.2", "0.1", "0.15"], "CONFLICT"],
])("expense ratios %s of three sources give %s", async (stated, expected) => {
  const ids = ["meta", "meta-b", "meta-c"];
  const answers = await recalculateSmall(database.client, {
    sources: [BARS, ...ids.map((id) => ({ ...META, id }))],
    files: Object.fromEntries(ids.map((id, at) => [id, `코드,지수,보수,순자산,상장일\nAAA,x,${stated[at]},,\n`])),
  });
  expect(answerOf(answers, "total_expense_ratio")).toBe(expected);
});

test.each([
  // A label in London's summer time is the day before its rate's day; the Sunday of the change is summer at noon.
  ["2026-04-29", "2026-04-30"],
  ["2026-03-29", "2026-03-30"],
  ["2026-03-27", "2026-03-27"],
  ["2026-01-15", "2026-01-15"],
])("a rate labelled %s belongs to %s", async (label, day) => {
  await database.client.query("BEGIN");
  try {
    const { statementsOf } = await import("../../pipeline/recalculate/sql.ts");
    for (const file of ["prelude.sql", "readers/csv-fx.sql"]) {
      for (const { text } of statementsOf(file).slice(0, file === "prelude.sql" ? undefined : 3))
        await database.client.query(text);
    }
    const { rows } = await database.client.query(
      "SELECT pg_temp.belongs_to($1, 'Europe/London', 1, pg_temp.winter_offset(2026, 'Europe/London'))::text AS day",
      [label],
    );
    expect(rows[0].day).toBe(day);
  } finally {
    await database.client.query("ROLLBACK");
  }
});

test("bytes that are not what was frozen fail their own instrument alone", async () => {
  const faults: [string, AssayError][] = [];
  const answers = await recalculateSmall(database.client, {
    tickers: { AAA: {}, BBB: {} },
    files: { "bars US:AAA": bars(500), "bars US:BBB": bars(500), ...NONE },
    tamper: (payload) =>
      payload.version.instrument === "US:BBB" ? { ...payload, bytes: async () => Buffer.from(bars(499)) } : payload,
    onFault: (instrument, fault) => faults.push([instrument, fault]),
  });
  expect([...answers.keys()]).toEqual(["US:AAA"]);
  expect(faults.map(([instrument, { code }]) => [instrument, code])).toEqual([["US:BBB", "PAYLOAD_DIFFERS"]]);
});

test("evidence first usable after as_of does not exist", async () => {
  const answers = await recalculateSmall(database.client, {
    files: { "bars US:AAA": bars(500), ...NONE },
    tamper: (payload) => ({ ...payload, version: { ...payload.version, first_usable_at: "2026-05-03T23:00:00.001Z" } }),
  });
  expect(answerOf(answers, "last_close")).toBe("SOURCE_MISSING");
});
