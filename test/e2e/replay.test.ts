/** `assay replay` recomputes a batch from stored bytes alone and says what no longer agrees. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../pipeline/domain/digest.ts";
import { placeAfterRun } from "./ran.ts";
import { EXAMPLE_STEPS, exampleIn, faultOf, manifestOf, type Place, query, succeeded, textOf } from "./support.ts";

let here: Place;
let out: string;

beforeAll(async () => {
  // There is no batch folder: nothing of it is needed.
  here = await placeAfterRun();
  out = join(here.dir, "out");
});

const objectPath = (digest: string) => join(here.dir, "data/objects", digest.slice(0, 2), digest.slice(2));
const replay = async () => {
  const ended = await here.call("replay", "example-csv", "--json");
  return { code: ended.code, ...(ended.stdout === "" ? { fault: faultOf(ended) } : JSON.parse(ended.stdout)) };
};

async function spoiled<T>(digest: string, bytes: Uint8Array | null, work: () => Promise<T>): Promise<T> {
  const path = objectPath(digest);
  const before = readFileSync(path);
  if (bytes === null) rmSync(path);
  else writeFileSync(path, bytes);
  try {
    return await work();
  } finally {
    writeFileSync(path, before);
  }
}

describe("replay", () => {
  it("without the batch folder gives every digest again, and records nothing", async () => {
    const count = () => query(here, "SELECT count(*)::int AS events, max(seq)::int AS seq FROM ledger_event");
    const before = await count();
    const { stdout } = succeeded(await here.call("replay", "example-csv"));
    expect(stdout).toBe(`example-csv: ${EXAMPLE_STEPS} steps recomputed from stored inputs, every digest the same\n`);
    expect(await count()).toEqual(before);
  });

  it("a stored payload that was altered is OBJECT_ALTERED for those that need it, never taken as it is", async () => {
    const [version] = await query<{ payload_sha256: string }>(
      here,
      `SELECT document->>'payload_sha256' AS payload_sha256 FROM source_version
       WHERE document->>'instrument' = 'US:YBULN' AND document->>'source_id' = 'us-bars'`,
    );
    const digest = version?.payload_sha256 as string;
    const altered = Buffer.from(readFileSync(objectPath(digest)).toString("utf8").replace("1", "2"));
    const result = await spoiled(digest, altered, replay);
    expect(result.code).toBe(1);
    expect(result.faults).toContainEqual(expect.objectContaining({ instrument: "US:YBULN", code: "OBJECT_ALTERED" }));
    // Its market's calendar rests on it; the other market is untouched.
    expect(result.faults).not.toContainEqual(expect.objectContaining({ instrument: "KR:91A010" }));
  });

  it("an altered frozen batch stops everything", async () => {
    const [row] = await query<{ body: { frozen: string } }>(
      here,
      "SELECT body FROM ledger_event WHERE type = 'batch_received/v1'",
    );
    const digest = row?.body.frozen as string;
    const altered = Buffer.from(readFileSync(objectPath(digest)).toString("utf8").replace("internal", "external"));
    const result = await spoiled(digest, altered, replay);
    expect(result).toMatchObject({ code: 1, fault: { code: "OBJECT_ALTERED", hint: expect.any(String) } });
  });

  it("a recorded digest that was altered is found by recomputing", async () => {
    const alter = (from: string, to: string) =>
      query(
        here,
        `ALTER TABLE step_result DISABLE TRIGGER USER;
         UPDATE step_result SET output_digest = '${to}' WHERE output_digest = '${from}';
         ALTER TABLE step_result ENABLE TRIGGER USER`,
      );
    const [facts] = await query<{ output_digest: string }>(
      here,
      "SELECT output_digest FROM step_result WHERE step = 'recalculate' AND instrument = 'US:YBULN'",
    );
    const recorded = facts?.output_digest as string;
    const forged = readFileSync(objectPath(recorded))
      .toString("utf8")
      .replace(/"printed":\{"en-US":"\+?/, "$&9");
    const digest = sha256(Buffer.from(forged));
    mkdirSync(join(here.dir, "data/objects", digest.slice(0, 2)), { recursive: true });
    writeFileSync(objectPath(digest), forged);
    await alter(recorded, digest);
    const result = await replay();
    await alter(digest, recorded);
    expect(result.code).toBe(1);
    expect(result.differences).toContainEqual({
      id: { step: "recalculate", instrument: "US:YBULN", locale: null },
      recorded: digest,
      replayed: recorded,
    });
  });

  it("a lost page or picture is made again with the same digest, and the output is whole again", async () => {
    const before = textOf(out, "manifest.json");
    const png = manifestOf(out).files.find(({ path }) => path.endsWith("card.png"))?.sha256 as string;
    const original = readFileSync(objectPath(png));
    rmSync(objectPath(png));
    const batch = exampleIn(here.dir);
    expect(faultOf(await here.call("run", batch, "--out", out, "--json")).code).toBe("OBJECT_MISSING");
    expect(await replay()).toMatchObject({ code: 0, steps: EXAMPLE_STEPS, differences: [], faults: [] });
    expect(readFileSync(objectPath(png))).toEqual(original);
    succeeded(await here.call("run", batch, "--out", out));
    expect(textOf(out, "manifest.json")).toBe(before);
  });

  it("a batch that was never run is BATCH_UNKNOWN", async () => {
    const ended = await here.call("replay", "nothing", "--json");
    expect(ended.code).toBe(1);
    expect(faultOf(ended)).toMatchObject({ code: "BATCH_UNKNOWN", hint: expect.any(String) });
  });
});
