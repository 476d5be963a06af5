/** Laws of the research folder and the causal register: frozen by digest, each mistake its product's own, nothing hidden. */
import { expect, it, test } from "vitest";
import { parse, stringify } from "yaml";
import { freezeCausal, readCausalEdge } from "../../pipeline/collect/causal.ts";
import type { CollectTerms } from "../../pipeline/collect/collect.ts";
import { freezeResearch, readResearch } from "../../pipeline/collect/research.ts";
import { sha256 } from "../../pipeline/domain/digest.ts";
import { AssayError } from "../../pipeline/domain/outcome.ts";
import { historyRefusal } from "../../pipeline/lifecycle/causal-edge.ts";
import { batchSchema } from "../../pipeline/schema/batch.ts";
import { approvedEdge, baseResearch } from "../gates/base-research.ts";
import { BATCH_YAML, folderOf, instrument, memoryObjects } from "./support.ts";

const ID = "KR:069500";
const definition = (over: Record<string, unknown> = {}) => ({ ...baseResearch(), instrument: ID, ...over });
const good = stringify(definition());
const text = (change: Record<string, unknown>) => stringify(definition(change));
const bytesOf = (content: string) => new TextEncoder().encode(content);

async function terms(files: Record<string, string | Uint8Array>) {
  const objects = memoryObjects();
  const made: CollectTerms = {
    tenant: "t",
    folder: await folderOf(files),
    batch: batchSchema.parse(parse(BATCH_YAML)),
    instruments: [instrument(ID), instrument("US:SPY")],
    allowRoots: [],
    objects,
  };
  return { made, objects };
}
async function freeze(files: Record<string, string | Uint8Array>) {
  const { made, objects } = await terms(files);
  return { ...(await freezeResearch("research", made)), objects };
}

it("a definition is frozen by the digest of its bytes, whatever its file is called", async () => {
  const { research, faults, objects } = await freeze({ "research/any name.yaml": good, "research/README.md": "x" });
  expect(research).toEqual([{ instrument: ID, sha256: sha256(bytesOf(good)), file: "any name.yaml" }]);
  expect(faults).toEqual([]);
  expect([...objects.stored.keys()]).toEqual([sha256(bytesOf(good))]);
});

test.each<[string, Record<string, string | Uint8Array>, string, string | null]>([
  ["a declared folder that is not there", {}, "RESEARCH_FOLDER_MISSING", null],
  ["a file where the folder should be", { research: "x" }, "RESEARCH_FOLDER_UNREADABLE", null],
  [
    "a product that the universe lacks",
    { "research/a.yaml": text({ instrument: "KR:111111" }) },
    "RESEARCH_UNKNOWN_INSTRUMENT",
    "KR:111111",
  ],
  ["two definitions of one product", { "research/a.yaml": good, "research/b.yaml": good }, "RESEARCH_DUPLICATE", ID],
  [
    "one good and one broken of one product",
    { "research/a.yaml": good, "research/b.yaml": `${good}extra: 1\n` },
    "RESEARCH_DUPLICATE",
    ID,
  ],
  ["one written after as_of", { "research/a.yaml": text({ written_on: "2026-05-04" }) }, "RESEARCH_AFTER_AS_OF", ID],
  [
    "broken YAML that still says whose it is",
    { "research/a.yaml": `instrument: "${ID}"\ntitle: [` },
    "RESEARCH_INVALID",
    ID,
  ],
  ["broken YAML that its name says whose it is", { "research/kr-069500.yaml": "title: [" }, "RESEARCH_INVALID", ID],
  ["bytes that are not UTF-8", { "research/KR-069500.yaml": Uint8Array.of(0xff, 0xfe, 0x41) }, "RESEARCH_INVALID", ID],
  ["a file over its size", { "research/KR-069500.yaml": "#".repeat(300_000) }, "RESEARCH_UNREADABLE", ID],
  ["aliases", { "research/a.yaml": `${good}x: &a 1\n` }, "RESEARCH_INVALID", ID],
  ["deep nesting", { "research/a.yaml": `instrument: ${ID}\nx: ${"[".repeat(9000)}` }, "RESEARCH_INVALID", ID],
  [
    "broken YAML that says whose it is beside a name that is nobody's",
    { "research/kr-1.yaml": `instrument: ${ID}\nx: [` },
    "RESEARCH_INVALID",
    ID,
  ],
  ["a file that names nobody", { "research/a.yaml": "title: x" }, "RESEARCH_NAMES_NOBODY", null],
])("%s is one coded fault, and is not used", async (_, files, code, owner) => {
  const { research, faults } = await freeze(files);
  expect(faults.map((fault) => [fault.code, fault.instrument])).toEqual([[code, owner]]);
  expect(faults[0]!.hint).not.toBe("");
  expect(research).toEqual([]);
});

it("a bad file leaves the definitions of others as they are", async () => {
  const other = text({ instrument: "US:SPY" });
  const { research, faults } = await freeze({ "research/a.yaml": "instrument: KR:069500\n", "research/b.yaml": other });
  expect([research.map((one) => one.instrument), faults.map((one) => one.instrument)]).toEqual([["US:SPY"], [ID]]);
});

/** A sound definition of `ID`; a line of its text, the second of a folded title, reads as if it were SPY's. */
const disguised = JSON.stringify(
  definition({ title: { "ko-KR": "제목", "en-US": "Title\n\ninstrument: US:SPY" } }),
).replaceAll("\\n\\n", "\n");
test.each<[string, Record<string, string>, string[], string[]]>([
  [
    "whose file name is another product's",
    { "research/US-SPY.yaml": good },
    [],
    ["RESEARCH_INVALID KR:069500", "RESEARCH_INVALID US:SPY"],
  ],
  [
    "that is also not what it should be",
    { "research/a.yaml": disguised.replace("{", "{x: 1, "), "research/b.yaml": text({ instrument: "US:SPY" }) },
    ["US:SPY"],
    ["RESEARCH_INVALID KR:069500", "RESEARCH_INVALID US:SPY"],
  ],
  [
    "whose text names the product of another definition",
    { "research/a.yaml": disguised, "research/b.yaml": text({ instrument: "US:SPY" }) },
    ["US:SPY"],
    ["RESEARCH_INVALID KR:069500", "RESEARCH_INVALID US:SPY"],
  ],
  [
    "that is a second one of its parsed product",
    { "research/US-SPY.yaml": good, "research/b.yaml": good },
    [],
    ["RESEARCH_DUPLICATE KR:069500", "RESEARCH_INVALID US:SPY"],
  ],
  [
    "that is broken, and whose text and file name differ",
    { "research/US-SPY.yaml": `instrument: ${ID}\nx: [` },
    [],
    ["RESEARCH_INVALID KR:069500", "RESEARCH_INVALID US:SPY"],
  ],
  [
    "whose key is written in an unusual way",
    { "research/a.yaml": good.replace("instrument:", '"instrument" :') },
    [ID],
    [],
  ],
])("a file %s hides no other's definition", async (_, files, used, told) => {
  const { research, faults } = await freeze(files);
  expect(research.map((one) => one.instrument)).toEqual(used);
  expect(faults.map(({ code, instrument: owner }) => `${code} ${owner}`).sort()).toEqual(told);
});

it("a link out of the batch folder is not followed", async () => {
  const { symlink, mkdir } = await import("node:fs/promises");
  const { made } = await terms({ "batch.yaml": BATCH_YAML });
  await mkdir(`${made.folder}/research`);
  await symlink("/etc/hostname", `${made.folder}/research/KR-069500.yaml`);
  const { faults } = await freezeResearch("research", made);
  expect(faults.map(({ code, instrument: owner, detail }) => [code, owner, /leads out/.test(detail)])).toEqual([
    ["RESEARCH_UNREADABLE", ID, true],
  ]);
  expect((await freezeResearch("../..", made)).faults[0]!.code).toBe("RESEARCH_FOLDER_UNREADABLE");
});

const thesis = (ko: string, en = "A broad basket.", over: object = {}) => ({
  thesis: [{ id: "t", type: "INFERRED", sources: ["note"], text: { "ko-KR": ko, "en-US": en }, ...over }],
});
test.each<[string, Record<string, unknown>, string]>([
  ["a figure in Korean", thesis("비중이 30%를 넘습니다."), "holds a numeral"],
  ["a full-width figure", thesis("비중이 ３０을 넘습니다."), "holds a numeral"],
  ["a figure in English", thesis("넓습니다.", "It holds 503 companies."), "holds a numeral"],
  ["a name that is a figure", { names: ["30%"] }, "a figure is no name"],
  ["a name without a digit", { names: ["Vector"] }, "without a digit"],
  ["a name as long as a sentence", { names: [`Vector 100 ${"x".repeat(50)}`] }, "60"],
  ["a title over its length", { title: { "ko-KR": "가".repeat(201), "en-US": "Title" } }, "200"],
  ["a title with a turned direction", { title: { "ko-KR": "제목", "en-US": "Tit\u202ele" } }, "invisible"],
  ["a source's title over its length", { sources: [{ ...baseResearch().sources[0], title: "x".repeat(201) }] }, "200"],
  ["a source that the file lacks", thesis("넓습니다.", "Broad.", { sources: ["other"] }), "names no source"],
  ["one language", { title: { "ko-KR": "제목" } }, "en-US"],
  ["a hidden character", thesis("넓\u200b습니다."), "invisible"],
  ["a sentence id used twice", { risks: [...baseResearch().thesis] }, "used twice"],
  ["expiry before writing", { expires_on: "2026-03-01" }, "before written_on"],
  ["a source read after writing", { written_on: "2026-02-26" }, "after written_on"],
  ["a type that no sentence has", thesis("넓습니다.", "Broad.", { type: "DERIVED" }), "type"],
  ["too long a sentence", thesis("가".repeat(601)), "600"],
  ["an unknown field", { verdict: "PASS" }, "verdict"],
])("%s is refused with file and line", (_, change, says) => {
  const fault = refusal(() => readResearch(bytesOf(text(change)), "a.yaml"));
  expect(fault.code).toBe("RESEARCH_INVALID");
  expect(fault.message).toContain(says);
  expect(fault.at).toMatch(/^a\.yaml:\d+$/);
});

it("a name with digits is no figure once the definition declares it", () => {
  const named = { names: ["Vector 100", "국고채 3년"], ...thesis("국고채 3년을 담습니다.", "It follows Vector 100.") };
  expect(readResearch(bytesOf(text(named)), "a.yaml").names).toHaveLength(2);
});

const edges = async (files: Record<string, string>) => {
  const { made } = await terms(files);
  return freezeCausal("causal", made, (edge) => historyRefusal(edge)?.detail ?? null);
};
it("the register keeps every version of an edge", async () => {
  const second = { ...approvedEdge(), version: 2 };
  const { causal, faults } = await edges({
    "causal/a.yaml": stringify(approvedEdge()),
    "causal/b.yaml": stringify(second),
  });
  expect(causal.map(({ id, version, file }) => [id, version, file])).toEqual([
    ["breadth-to-dispersion", 1, "a.yaml"],
    ["breadth-to-dispersion", 2, "b.yaml"],
  ]);
  expect(faults).toEqual([]);
});
test.each<[string, Record<string, string>, string]>([
  ["no folder", {}, "CAUSAL_FOLDER_MISSING"],
  [
    "a version twice",
    { "causal/a.yaml": stringify(approvedEdge()), "causal/b.yaml": stringify(approvedEdge()) },
    "CAUSAL_DUPLICATE",
  ],
  [
    "an approval without identification",
    { "causal/a.yaml": stringify({ ...approvedEdge(), identification: null }) },
    "CAUSAL_INVALID",
  ],
  [
    "a history that skips",
    { "causal/a.yaml": stringify({ ...approvedEdge(), history: approvedEdge().history.slice(1) }) },
    "CAUSAL_INVALID",
  ],
  ["no YAML", { "causal/a.yaml": "{" }, "CAUSAL_INVALID"],
])("%s is a fault of the register", async (_, files, code) => {
  const { faults } = await edges(files);
  expect(faults.map((fault) => [fault.code, fault.source_id, fault.instrument])).toEqual([[code, "causal", null]]);
});
it("a regime that ends before it begins is refused", () => {
  const edge = { ...approvedEdge(), regime: { ...approvedEdge().regime, until: "2014-12-31" } };
  expect(refusal(() => readCausalEdge(bytesOf(stringify(edge)), "a.yaml")).message).toContain("end before it begins");
});

function refusal(work: () => unknown): AssayError {
  try {
    work();
  } catch (fault) {
    if (fault instanceof AssayError) return fault;
    throw fault;
  }
  throw new Error("was accepted");
}
