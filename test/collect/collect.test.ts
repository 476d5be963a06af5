import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readBatchFolder } from "../../pipeline/collect/batch-folder.ts";
import { collect, openCollector, withoutPayouts } from "../../pipeline/collect/collect.ts";
import { normalise } from "../../pipeline/collect/normalise.ts";
import { digestOf, sha256 } from "../../pipeline/domain/digest.ts";
import { AssayError } from "../../pipeline/domain/outcome.ts";
import { sourceVersionSchema } from "../../pipeline/schema/evidence.ts";
import { BATCH_YAML, folderOf, memoryObjects, universeCsv } from "./support.ts";

const FILES = {
  "batch.yaml": BATCH_YAML,
  "universe.csv": universeCsv([{ instrument: "KR:069500" }, { instrument: "KR:0000J0" }, { instrument: "US:SPY" }]),
  "prices/069500.csv": "date,close\n2026-04-30,100\n",
  "prices/0000J0.csv": "date,close\n2026-04-30,200\n",
  "distributions/069500.csv": "ex_date,amount\n2026-01-29,1\n",
  "fx.csv": "date,rate\n2026-04-29,1487.38\n",
};

async function frozen(files: Record<string, string | Uint8Array>, folderGiven?: string) {
  const folder = folderGiven ?? (await folderOf(files));
  const request = await readBatchFolder(folder, { allowRoots: [], now: Date.parse("2026-06-01T00:00:00Z") });
  const objects = memoryObjects();
  const terms = { tenant: "main", folder, ...request, allowRoots: [], objects };
  return { ...(await collect(terms)), objects, request, terms };
}
const without = (name: keyof typeof FILES) => Object.fromEntries(Object.entries(FILES).filter(([key]) => key !== name));

test("every declared file is frozen once, with its clocks, rights and owner", async () => {
  const { evidence, faults, objects } = await frozen(FILES);
  expect(faults).toEqual([]);
  expect(evidence.map(({ version }) => [version.source_id, version.instrument, version.source_locator])).toEqual([
    ["usdkrw", null, "fx.csv"],
    ["kr-bars", "KR:069500", "prices/069500.csv"],
    ["kr-distributions", "KR:069500", "distributions/069500.csv"],
    ["kr-bars", "KR:0000J0", "prices/0000J0.csv"],
  ]);
  for (const { evidence_id, version } of evidence) {
    expect(sourceVersionSchema.parse(version)).toEqual(version);
    expect(evidence_id).toBe(digestOf("source_version", version));
    expect(sha256(objects.stored.get(version.payload_sha256)!)).toBe(version.payload_sha256);
    expect(version.rights_state).toEqual({ internal: "ALLOW", client_delivery: "INDETERMINATE" });
  }
  const [, bars, payouts] = evidence.map(({ version }) => version);
  expect(bars).toMatchObject({
    published_at: null,
    first_usable_at: "2026-05-03T22:18:07.000Z",
    first_usable_basis: "declared",
  });
  expect(payouts!.first_usable_at).toBe("2026-05-03T23:00:00.000Z");
  expect(JSON.stringify(evidence.map(({ version }) => version))).not.toContain("assay-collect-");
});

test("the same files are the same evidence, wherever the folder lies; one other byte is another version", async () => {
  const ids = async (files: Record<string, string>) =>
    (await frozen(files)).evidence.map(({ evidence_id }) => evidence_id);
  const first = await ids(FILES);
  expect(await ids(FILES)).toEqual(first);
  const second = await ids({ ...FILES, "prices/069500.csv": "date,close\n2026-04-30,101\n" });
  expect(second.map((id, at) => id === first[at])).toEqual([true, false, true, true]);
});

test("one instrument at a time gives what all at once give", async () => {
  const { evidence, terms } = await frozen(FILES);
  const collector = await openCollector(terms);
  const parts = [await collector.freezeShared()];
  for (const { instrument } of terms.instruments) parts.push(await collector.freezeInstrument(instrument));
  expect(parts.flatMap((part) => part.evidence)).toEqual(evidence);
  await expect(collector.freezeInstrument("KR:NONE")).rejects.toMatchObject({ code: "INSTRUMENT_UNKNOWN" });
});

describe("a file that cannot be had is a fault of its instrument, and the rest goes on", () => {
  test.each([
    ["bars missing", without("prices/069500.csv"), "kr-bars", "KR:069500", "EVIDENCE_MISSING"],
    ["distributions missing", without("distributions/069500.csv"), "kr-distributions", "KR:069500", "SOURCE_MISSING"],
    ["rates missing", without("fx.csv"), "usdkrw", null, "EVIDENCE_MISSING"],
    [
      "too large",
      { ...FILES, "prices/069500.csv": Buffer.alloc(65 * 1024 * 1024, "x\n") },
      "kr-bars",
      "KR:069500",
      "PAYLOAD_TOO_LARGE",
    ],
    [
      "a line too long",
      { ...FILES, "prices/069500.csv": Buffer.alloc(2 * 1024 * 1024, "x") },
      "kr-bars",
      "KR:069500",
      "LINE_TOO_LONG",
    ],
    [
      "too many rows",
      { ...FILES, "prices/069500.csv": "1\n".repeat(1_000_002) },
      "kr-bars",
      "KR:069500",
      "ROWS_TOO_MANY",
    ],
    [
      "a path that leaves",
      { ...FILES, "batch.yaml": BATCH_YAML.replace("files: fx.csv", "files: ../../fx.csv") },
      "usdkrw",
      null,
      "PATH_OUTSIDE_ROOT",
    ],
  ])("%s", async (_name, files, source_id, instrument, code) => {
    const { evidence, faults, objects } = await frozen(files as Record<string, string>);
    expect(faults).toMatchObject([{ source_id, instrument, code }]);
    expect(faults[0]!.hint).not.toBe("");
    expect(evidence).toHaveLength(3);
    expect(objects.stored.size).toBe(3);
  });

  test("a folder where a file belongs", async () => {
    const folder = await folderOf(without("prices/069500.csv"));
    await mkdir(join(folder, "prices/069500.csv"));
    expect((await frozen({}, folder)).faults).toMatchObject([{ instrument: "KR:069500", code: "NOT_A_FILE" }]);
  });

  test("missing_file: skip makes it no fault", async () => {
    const yaml = BATCH_YAML.replace("    files: prices", "    missing_file: skip\n    files: prices");
    const { faults, evidence } = await frozen({ ...without("prices/069500.csv"), "batch.yaml": yaml });
    expect([faults, evidence.length]).toEqual([[], 3]);
  });
});

test("bytes that cannot be decoded are frozen as they came, UNUSABLE, and read as unreadable", async () => {
  const cases: [string, Uint8Array][] = [
    ["binary", Buffer.from([1, 0, 2])],
    ["empty", Buffer.alloc(0)],
  ];
  for (const [, bytes] of cases) {
    const { evidence, request, objects } = await frozen({ ...FILES, "prices/069500.csv": bytes });
    const { version, evidence_id } = evidence.find((one) => one.version.source_locator === "prices/069500.csv")!;
    expect(version.quality_state).toBe("UNUSABLE");
    const source = request.batch.sources[0]!;
    const payload = objects.stored.get(version.payload_sha256)!;
    const series = normalise({ source, version, evidence_id, bytes: payload, instruments: request.instruments });
    expect(series).toMatchObject([{ kind: "bars", evidence_id, defects: [{ code: "PAYLOAD_UNREADABLE", row: null }] }]);
  }
});

test("a store that is full stops everything: it is no fault of a file", async () => {
  const { terms } = await frozen(FILES);
  const full = { put: async () => Promise.reject(new AssayError("DISK_FULL", "no space")) };
  await expect(collect({ ...terms, objects: full })).rejects.toMatchObject({ code: "DISK_FULL" });
});

test("a product that pays nothing has a series without a file, one whose file is missing has none", async () => {
  const { request } = await frozen(FILES);
  const [kodex, letters] = request.instruments;
  expect(withoutPayouts(request.batch, letters!)).toMatchObject([
    { pays_nothing: true, rows: [], instrument: "KR:0000J0" },
  ]);
  expect(withoutPayouts(request.batch, kodex!)).toEqual([]);
});

test("a file of payouts is read although its product is said to pay nothing, and none is owed", async () => {
  const without = await frozen(FILES);
  expect(without.faults.filter(({ instrument }) => instrument === "KR:0000J0")).toEqual([]);
  const { evidence } = await frozen({ ...FILES, "distributions/0000J0.csv": "ex_date,amount\n2026-01-29,3\n" });
  expect(evidence.map(({ version }) => version.source_locator)).toContain("distributions/0000J0.csv");
});

test("a file replaced after freezing changes nothing that was frozen", async () => {
  const folder = await folderOf(FILES);
  const { evidence, objects } = await frozen({}, folder);
  await writeFile(join(folder, "prices/069500.csv"), "date,close\n2026-04-30,999\n");
  const bars = evidence.find(({ version }) => version.source_locator === "prices/069500.csv")!;
  expect(Buffer.from(objects.stored.get(bars.version.payload_sha256)!).toString()).toContain("2026-04-30,100");
});
