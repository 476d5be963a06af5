import { describe, expect, it } from "vitest";
import type { ToolOutcome } from "../../../pipeline/agents/tool.ts";
import { TEXT_MAX } from "../../../pipeline/compose/tools/payload-text.ts";
import { readEvidence } from "../../../pipeline/compose/tools/read-evidence.ts";
import { readSealedVersion } from "../../../pipeline/compose/tools/read-sealed-version.ts";
import { recalculateFigures } from "../../../pipeline/compose/tools/recalculate.ts";
import { searchPayloads } from "../../../pipeline/compose/tools/search-payloads.ts";
import { AssayError } from "../../../pipeline/domain/outcome.ts";
import { queryReceiptSchema } from "../../../pipeline/schema/query-receipt.ts";
import type { Recalculated } from "../../../pipeline/schema/recalculated.ts";
import type { JsonObject } from "../../../pipeline/schema/turn.ts";
import { CARD, codeOf, deskOf, fact, payload, tryTool } from "./desk.ts";

const content = <T>(outcome: ToolOutcome) => ("content" in outcome ? outcome.content : null) as T;

const BARS = 'date,close,note\r\n2026-06-26,1.5,\r\n\r\n2026-06-29,"1.6","two\nlines"\r\n20260630,1.7,Ｆｅｅ cut\n';
const TORN = payload("torn", new AssayError("PAYLOAD_UNREADABLE", "binary"));
const GONE = payload("gone", new AssayError("OBJECT_MISSING", "no such object"));

describe("a payload is read at an exact place", () => {
  const desk = deskOf({
    evidence: [payload("bars", BARS), payload("json", '{"a":1}\n', "application/json"), TORN, GONE],
  });
  const read = (args: JsonObject) => tryTool(readEvidence(desk), { instrument: CARD, context: 0, ...args });
  interface Read {
    header: string | null;
    lines: { line: number; text: string; is_asked: boolean }[];
  }

  it.each([
    ["the first data row", "row:1", ["2026-06-26,1.5,"]],
    ["blank lines are no rows, and a quoted cell may hold a line break", "row:2", ['2026-06-29,"1.6","two', 'lines"']],
    ["a date as the payload writes it", "session:2026-06-30", ["20260630,1.7,Ｆｅｅ cut"]],
    ["a line as an editor numbers it", "line:1", ["date,close,note"]],
  ])("%s: %s", async (_name, locator, expected) => {
    const outcome = await read({ evidence_id: "bars", locator });
    expect(content<Read>(outcome).lines.map(({ text }) => text)).toEqual(expected);
  });

  it("with lines around it, and the source names the very lines", async () => {
    const outcome = await read({ evidence_id: "bars", locator: "row:1", context: 1 });
    expect(content<Read>(outcome).lines.map(({ line, is_asked }) => [line, is_asked])).toEqual([
      [1, false],
      [2, true],
      [3, false],
    ]);
    expect(outcome).toMatchObject({ sources: [{ id: "evidence/bars", range: "line:1-3" }] });
  });

  it.each([
    ["a row that is not there", { evidence_id: "bars", locator: "row:4" }, "PLACE_NOT_FOUND"],
    ["a date that is not there", { evidence_id: "bars", locator: "session:2026-06-28" }, "PLACE_NOT_FOUND"],
    ["a line past the end", { evidence_id: "bars", locator: "line:99" }, "PLACE_NOT_FOUND"],
    ["a row of what is no table", { evidence_id: "json", locator: "row:1" }, "LOCATOR_NEEDS_A_TABLE"],
    ["a locator that is none", { evidence_id: "bars", locator: "row:0" }, "ARGUMENTS_REFUSED"],
    ["too much around it", { evidence_id: "bars", locator: "row:1", context: 21 }, "ARGUMENTS_REFUSED"],
    ["a payload of nobody", { evidence_id: "other", locator: "row:1" }, "EVIDENCE_UNKNOWN"],
    [
      "a product that the run is not about",
      { instrument: "US:X", evidence_id: "bars", locator: "row:1" },
      "EVIDENCE_UNKNOWN",
    ],
    ["bytes that are no text", { evidence_id: "torn", locator: "line:1" }, "EXTRACTION_FAILED"],
    ["bytes that cannot be had", { evidence_id: "gone", locator: "line:1" }, "FETCH_FAILED"],
  ])("%s brings no data but a code", async (_name, args, code) => {
    const outcome = await read(args);
    expect(codeOf(outcome)).toBe(code);
    expect(outcome).not.toHaveProperty("sources");
  });

  it("is bounded: a long line is cut and says so, a payload that is too large is refused", async () => {
    const long = deskOf({ evidence: [payload("long", "x".repeat(5000)), payload("huge", "x".repeat(TEXT_MAX + 1))] });
    const args = { instrument: CARD, locator: "line:1" };
    const cut = await tryTool(readEvidence(long), { ...args, evidence_id: "long" });
    expect(content<Read & { is_cut: boolean }>(cut)).toMatchObject({ is_cut: true });
    expect(content<Read>(cut).lines[0]!.text).toHaveLength(2000);
    expect(codeOf(await tryTool(readEvidence(long), { ...args, evidence_id: "huge" }))).toBe("EVIDENCE_TOO_LARGE");
  });
});

describe("a search leaves a receipt of its query", () => {
  const large = payload("large", `${"x".repeat(TEXT_MAX)}fee`);
  const search = async (evidence: ReturnType<typeof payload>[], args: JsonObject = {}, call?: string) => {
    const outcome = await tryTool(
      searchPayloads(deskOf({ evidence })),
      { instrument: CARD, query: "fee", ...args },
      call,
    );
    const [output] = outcome.status === "OK" ? (outcome.outputs ?? []) : [];
    return { outcome, receipt: output === undefined ? null : queryReceiptSchema.parse(output.document), output };
  };
  const bars = payload("bars", BARS);
  const other = payload("other", "a,b\n1,2\n");

  it.each([
    ["found, whatever case and width", [bars, other], "MATCH", 1],
    ["looked through and not found", [other], "NO_MATCH", 0],
    ["longer than the bound: never said to be absent", [large, other], "PARTIAL", 0],
    ["one that is no text among others", [TORN, other], "PARTIAL", 0],
    ["found, while another could not be read", [bars, GONE], "PARTIAL", 1],
    ["none that could be had", [GONE], "FETCH_FAILED", 0],
    ["none that is text", [TORN], "EXTRACTION_FAILED", 0],
  ])("%s", async (_name, evidence, status, count) => {
    const { receipt } = await search(evidence);
    expect([receipt!.status, receipt!.result_count]).toEqual([status, count]);
  });

  it("that names what was looked through whole, and when: read before it was made", async () => {
    const { receipt, output } = await search([bars, TORN]);
    expect(receipt!.searched_source_evidence_ids).toEqual(["bars"]);
    expect(receipt!.read_at < receipt!.created_at).toBe(true);
    expect(receipt!.source_as_of).toBe("2026-07-01T00:00:00.000Z");
    expect([output!.name, output!.references]).toEqual(["record:search", []]);
  });

  it("whose id follows from the call: tried again it is the same query, another call is another", async () => {
    const [one, again, next] = [await search([bars]), await search([bars]), await search([bars], {}, "main#2.1")];
    expect(again.receipt!.receipt_id).toBe(one.receipt!.receipt_id);
    expect(next.receipt!.receipt_id).not.toBe(one.receipt!.receipt_id);
  });

  it("with at most twenty places, each a short piece, and every match counted", async () => {
    const { outcome, receipt } = await search([payload("many", `${"y".repeat(400)} fee fee\n`.repeat(30))]);
    const { places } = content<{ places: { line: number; excerpt: string }[] }>(outcome);
    expect([places.length, receipt!.result_count]).toEqual([20, 60]);
    expect(places.every(({ excerpt }) => excerpt.length <= 160 && excerpt.includes("fee"))).toBe(true);
  });

  it.each([
    ["nothing to look for", { query: "  " }, "ARGUMENTS_REFUSED"],
    ["characters that fold to nothing but blanks", { query: "\u3000" }, "ARGUMENTS_REFUSED"],
    ["two lines", { query: "a\nb" }, "ARGUMENTS_REFUSED"],
    ["a long text", { query: "x".repeat(201) }, "ARGUMENTS_REFUSED"],
    ["a payload of nobody", { evidence_ids: ["other"] }, "EVIDENCE_UNKNOWN"],
    ["a pattern, which is looked for as it stands", { query: "f.*e" }, "OK"],
  ])("%s", async (_name, args, code) => {
    expect(codeOf((await search([bars], args)).outcome)).toBe(code);
  });

  it("nowhere to look is no receipt: nothing was searched", async () => {
    expect(codeOf((await search([])).outcome)).toBe("NO_EVIDENCE");
  });
});

describe("the second path is asked, and agrees as far as the figure is printed", () => {
  const second = (value: string | null, printed: [string, string] | null): Recalculated => ({
    schema: "recalculated/v1",
    instrument: CARD,
    figures: [
      {
        figure: "total_return.1y",
        status: value === null ? "UNAVAILABLE" : "OK",
        reason: value === null ? "NO_DATA" : null,
        value,
        printed: printed === null ? null : { "ko-KR": printed[0], "en-US": printed[1] },
        formula: "total_return",
      },
    ],
    chart: null,
  });
  const ask = (
    result: Recalculated | null,
    changes: Parameters<typeof fact>[1] = {},
    figures = ["total_return.1y"],
  ) => {
    const facts = new Map([["total_return.1y", fact("total_return.1y", changes)]]);
    return tryTool(recalculateFigures(deskOf({ facts, recalculated: async () => result })), {
      instrument: CARD,
      figures,
    });
  };
  const absent = { status: "UNAVAILABLE", reason: "NO_DATA", value: null } as const;

  it.each([
    ["alike beyond what is printed", second("0.100004", ["+10.00%", "+10.00%"]), {}, true],
    ["other in the last place that is printed", second("0.1001", ["+10.01%", "+10.01%"]), {}, false],
    ["alike in one language alone", second("0.1", ["+10.00%", "10.00%"]), {}, false],
    ["unavailable on both paths", second(null, null), absent, true],
    ["unavailable on one", second("0.1", ["+10.00%", "+10.00%"]), absent, false],
  ])("%s", async (_name, result, changes, matches) => {
    expect(content<{ matches: boolean }[]>(await ask(result, changes)).map((one) => one.matches)).toEqual([matches]);
  });

  it("a figure that it lacks matches nothing and is no source", async () => {
    const outcome = await ask(second("0.1", ["+10.00%", "+10.00%"]), {}, ["total_return.1y", "nav"]);
    expect(content<JsonObject[]>(outcome)[1]).toEqual({ figure: "nav", status: "ABSENT", value: null, matches: false });
    expect(outcome).toMatchObject({ sources: [{ id: `recalculated/${CARD}/total_return.1y` }] });
    expect("sources" in outcome && outcome.sources).toHaveLength(1);
  });

  it("no second result is no data", async () => {
    expect(codeOf(await ask(null))).toBe("NO_RESULT");
  });
});

describe("the sealed version", () => {
  it("that is not there is told as that", async () => {
    expect(codeOf(await tryTool(readSealedVersion(deskOf()), { instrument: CARD }))).toBe("NO_SEALED_VERSION");
    const sealed = deskOf({ sealedVersion: async () => ({ version_id: "v" }) });
    expect(await tryTool(readSealedVersion(sealed), { instrument: CARD })).toMatchObject({
      status: "OK",
      sources: [{ id: `sealed/${CARD}` }],
    });
  });
});
