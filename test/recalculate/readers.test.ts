/** What the SQL readers make of hostile bytes: a coded absence, never a failed statement, never a guess. */
import iconv from "iconv-lite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

/** Close of the session `back` days before the cutoff in bars(500). */
function bars500Close(back = 1): string {
  const lines = bars(500).trim().split("\n");
  return lines
    .at(-1 - back)!
    .split(",")[1]!
    .replace(/\.?0+$/, "");
}

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
      for (const { text } of statementsOf(file).slice(0, file === "prelude.sql" ? undefined : 2))
        await database.client.query(text);
    }
    const { rows } = await database.client.query("SELECT pg_temp.belongs_to($1, 'Europe/London', 1)::text AS day", [
      label,
    ]);
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
