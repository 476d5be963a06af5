import { describe, expect, test } from "vitest";
import { readUniverse } from "../../pipeline/collect/universe.ts";
import { bytesOf, universeCsv } from "./support.ts";

function read(rows: (Record<string, string> | string)[]) {
  const { instruments, universeFaults } = readUniverse(bytesOf(universeCsv(rows)), "universe.csv");
  return {
    kept: instruments.map(({ instrument }) => instrument),
    faults: universeFaults.map(({ instrument, code, detail }) => [instrument, code, detail.slice(0, 15)]),
    details: universeFaults.map(({ detail }) => detail),
  };
}

describe("a bad row is a fault of its instrument, and the rest goes on", () => {
  test.each([
    [
      "listed twice",
      [{ instrument: "KR:A" }, { instrument: "KR:A", issuer: "B" }, { instrument: "KR:B" }],
      ["KR:A", "KR:B"],
      [["KR:A", "UNIVERSE_DUPLICATE", "universe.csv:3:"]],
    ],
    [
      "unknown type",
      [{ instrument: "KR:A", product_type: "ETN" }, { instrument: "KR:B" }],
      ["KR:B"],
      [["KR:A", "UNIVERSE_ROW_INVALID", "universe.csv:2:"]],
    ],
    [
      "prefix and market differ",
      [{ instrument: "KR:A", market: "US" }],
      [],
      [["KR:A", "UNIVERSE_ROW_INVALID", "universe.csv:2:"]],
    ],
    [
      "prefix and ticker differ",
      [{ instrument: "KR:A", ticker: "B" }],
      [],
      [["KR:A", "UNIVERSE_ROW_INVALID", "universe.csv:2:"]],
    ],
    [
      "a path for a ticker",
      [{ instrument: "KR:../../etc", ticker: "../../etc" }],
      [],
      [[null, "UNIVERSE_ROW_INVALID", "universe.csv:2:"]],
    ],
    [
      "too few values",
      ["KR:A,KR,A", { instrument: "KR:B" }],
      ["KR:B"],
      [["KR:A", "UNIVERSE_ROW_INVALID", "universe.csv:2:"]],
    ],
    [
      "no name in either language",
      [
        { instrument: "KR:A", name_ko: " ", name_en: "" },
        { instrument: "KR:B", name_ko: "" },
      ],
      ["KR:B"],
      [["KR:A", "UNIVERSE_ROW_INVALID", "universe.csv:2:"]],
    ],
    [
      "unknown benchmark",
      [{ instrument: "KR:A", benchmark: "US:NONE" }],
      ["KR:A"],
      [["KR:A", "BENCHMARK_UNKNOWN", "universe.csv:2:"]],
    ],
    [
      "benchmark dropped as invalid",
      [
        { instrument: "KR:A", benchmark: "KR:B" },
        { instrument: "KR:B", isin: "x" },
      ],
      ["KR:A"],
      [
        ["KR:B", "UNIVERSE_ROW_INVALID", "universe.csv:3:"],
        ["KR:A", "BENCHMARK_UNKNOWN", "universe.csv:2:"],
      ],
    ],
    [
      "its own benchmark",
      [{ instrument: "KR:A", benchmark: "KR:A" }],
      ["KR:A"],
      [["KR:A", "BENCHMARK_CYCLE", "universe.csv:2:"]],
    ],
    [
      "a cycle of two, with a third that only leads into it",
      [
        { instrument: "KR:A", benchmark: "KR:B" },
        { instrument: "KR:B", benchmark: "KR:A" },
        { instrument: "KR:C", benchmark: "KR:A" },
      ],
      ["KR:A", "KR:B", "KR:C"],
      [
        ["KR:A", "BENCHMARK_CYCLE", "universe.csv:2:"],
        ["KR:B", "BENCHMARK_CYCLE", "universe.csv:3:"],
      ],
    ],
    [
      "a chain is no cycle",
      [{ instrument: "KR:A", benchmark: "KR:B" }, { instrument: "KR:B", benchmark: "KR:C" }, { instrument: "KR:C" }],
      ["KR:A", "KR:B", "KR:C"],
      [],
    ],
  ])("%s", (_name, rows, kept, faults) => {
    const result = read(rows as Record<string, string>[]);
    expect(result.kept).toEqual(kept);
    expect(result.faults).toEqual(faults);
  });
});

const PRINTED = ["name_ko", "name_en", "issuer", "peer_group"];
const UNREADABLE = ["A\u202eB", "A\u200bB", "A\u0007B", '"A\nB"', "x".repeat(201)];
test.each(PRINTED.flatMap((column) => UNREADABLE.map((cell) => [column, cell] as const)))(
  "a %s of %j is a fault of its row, which shows what is hidden in it",
  (column, cell) => {
    const { kept, faults, details } = read([{ instrument: "KR:A", [column]: cell }, { instrument: "KR:B" }]);
    expect(kept).toEqual(["KR:B"]);
    expect(faults).toEqual([["KR:A", "UNIVERSE_ROW_INVALID", "universe.csv:2:"]]);
    expect(details[0]).toContain(column);
    expect(details[0]).toMatch(/^[^\p{C}]*$/u);
  },
);

test("codes keep their zeros and letters, names their commas, HTML and formulas", () => {
  const names = '"=HYPERLINK(1), <script>x</script>"';
  const { instruments } = readUniverse(
    bytesOf(universeCsv([{ instrument: "KR:0000J0", name_ko: names }])),
    "universe.csv",
  );
  expect(instruments[0]).toMatchObject({
    ticker: "0000J0",
    name_ko: "=HYPERLINK(1), <script>x</script>",
    fx_hedged: false,
  });
});

test("a quoted line break does not move the lines of later rows", () => {
  const { details } = read([
    { instrument: "KR:A", name_ko: '"two\nlines"' },
    "",
    { instrument: "KR:B", currency: "EUR" },
  ]);
  expect(details).toEqual([
    expect.stringContaining("universe.csv:2: name_ko is"),
    expect.stringContaining('universe.csv:5: currency is "EUR"'),
  ]);
});

test("a byte order mark and Windows line ends are read alike", () => {
  const text = universeCsv([{ instrument: "KR:A" }, { instrument: "KR:B" }]);
  const { instruments } = readUniverse(bytesOf(`\uFEFF${text.replaceAll("\n", "\r\n")}`), "universe.csv");
  expect(instruments).toHaveLength(2);
});

test.each([
  ["empty", ""],
  ["binary", "a\0"],
  ["only a header", universeCsv([])],
  ["other columns", "ticker,name\nA,B\n"],
  ["columns in another order", universeCsv([{ instrument: "KR:A" }]).replace("instrument,market", "market,instrument")],
  ["a quote never closed", `${universeCsv([])}"KR:A,KR`],
])("a universe that is %s is refused whole", (_name, text) => {
  expect(() => readUniverse(bytesOf(text), "universe.csv")).toThrow(
    expect.objectContaining({ code: "UNIVERSE_INVALID" }),
  );
});

test("a universe that is not UTF-8 is refused with what to do", () => {
  expect(() => readUniverse(Buffer.from([0xb0, 0xa1, 0x2c]), "universe.csv")).toThrow(
    expect.objectContaining({ code: "UNIVERSE_INVALID", hint: expect.stringContaining("UTF-8") }),
  );
});

test("three thousand instruments in one chain, and as many in one cycle, are read in a moment", () => {
  const rows = Array.from({ length: 3000 }, (_, at) => ({
    instrument: `KR:A${at}`,
    benchmark: at === 0 ? "" : `KR:A${at - 1}`,
  }));
  const began = performance.now();
  expect(read(rows).faults).toEqual([]);
  expect(read([{ ...rows[0]!, benchmark: "KR:A2999" }, ...rows.slice(1)]).faults).toHaveLength(3000);
  expect(performance.now() - began).toBeLessThan(5000);
});
