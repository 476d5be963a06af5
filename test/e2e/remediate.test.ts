/** From a planted defect to quarantine, and out of it by the two ways there are: remediation and termination. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE, exampleIn, faultOf, type Place, place, query, succeeded, textOf } from "./support.ts";

const KILLS = Number(process.env.ASSAY_KILLS ?? 1);
const SPOILED = { "KR:91A010": "prices/kr/91A010.csv", "US:YBULN": "prices/us/YBULN.csv" } as const;
type Spoiled = keyof typeof SPOILED;

/** The last forty bars ten times too high, as after a change of unit: SCALE_BREAK. */
function spoil(batch: string, instrument: Spoiled): void {
  const path = join(batch, SPOILED[instrument]);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const broken = lines.map((line, index) =>
    index < lines.length - 40
      ? line
      : line
          .split(",")
          .map((cell, column) => (column >= 1 && column <= 4 ? String(Number(cell) * 10) : cell))
          .join(","),
  );
  writeFileSync(path, `${broken.join("\n")}\n`);
}
const mend = (batch: string, instrument: Spoiled) =>
  writeFileSync(join(batch, SPOILED[instrument]), readFileSync(join(EXAMPLE, SPOILED[instrument])));

interface Shown {
  version_id: string;
  instrument: string;
  locale: string;
  state: string;
  verdict: string;
  reason: string | null;
  supersedes: string | null;
  superseded_by: string | null;
  decisions: { gates: number; subjects_examined: number; block: number };
  findings: string[];
  fault: { code: string } | null;
  events: { type: string; actor: string; at: string; seq: number }[];
}
const jsonOf = async (here: Place, ...args: string[]) =>
  JSON.parse(succeeded(await here.call(...args, "--json")).stdout);
const show = (here: Place, what: string): Promise<Shown[]> => jsonOf(here, "show", what);
const statesOf = async (here: Place) => (await jsonOf(here, "status", "example-csv"))[0].states;
const lengthOf = async (here: Place) => {
  const [row] = await query<{ seq: number }>(here, "SELECT max(seq)::int AS seq FROM ledger_event");
  return row?.seq;
};

describe("a batch with two cards in quarantine, in two locales", () => {
  let here: Place;
  let batch: string;
  let ids: Record<string, string>;
  const idOf = (instrument: string, locale: string) => ids[`${instrument} ${locale}`] as string;

  beforeAll(async () => {
    here = await place();
    batch = exampleIn(here.dir, { yaml: [["locales: [ko-KR]", "locales: [ko-KR, en-US]"]] });
    for (const instrument of Object.keys(SPOILED)) spoil(batch, instrument as Spoiled);
    succeeded(await here.call("run", batch, "--out", join(here.dir, "out")));
    const shown = await Promise.all(["KR:91A010", "KR:91A020", "US:YAMPL", "US:YBULN"].map((id) => show(here, id)));
    ids = Object.fromEntries(shown.flat().map((one) => [`${one.instrument} ${one.locale}`, one.version_id]));
  });

  it("each version has its state, folded from its own event with every decision", async () => {
    expect(await statesOf(here)).toEqual({ PASS: 4, BLOCK: 4 });
    const [blocked] = await show(here, idOf("KR:91A010", "ko-KR"));
    expect(blocked).toMatchObject({ state: "BLOCK", verdict: "BLOCK", supersedes: null, superseded_by: null });
    expect(blocked?.findings.join()).toContain("/SCALE_BREAK/");
    expect(blocked?.events.map(({ type, actor }) => [type, actor])).toEqual([["card_verified/v1", "assay"]]);
    const rows = await query<{ decisions: { gate: string; input_digest: string }[]; policy: string }>(
      here,
      "SELECT body->'decisions' AS decisions, body->>'policy_digest' AS policy FROM ledger_event WHERE type = 'card_verified/v1'",
    );
    expect(rows).toHaveLength(8);
    for (const { decisions } of rows) expect(decisions.length).toBeGreaterThan(10);
    expect(succeeded(await here.call("show", idOf("KR:91A010", "ko-KR"))).stdout).toMatch(
      /: BLOCK\n[\s\S]*SCALE_BREAK/,
    );
  });

  it("remediation with nothing mended says so with findings and remedies, exits 1 and appends nothing", async () => {
    const before = await lengthOf(here);
    const id = idOf("KR:91A010", "ko-KR");
    const said = await here.call("remediate", id.slice(0, 12), "--json");
    expect(said.code).toBe(1);
    const result = JSON.parse(said.stdout);
    expect(result).toMatchObject({ remediated: id, version_id: id, changed: false, superseded: [], verdict: "BLOCK" });
    const finding = result.findings.find(({ code }: { code: string }) => code === "SCALE_BREAK");
    expect(finding.remedy).not.toBe("");
    const words = await here.call("remediate", id);
    expect(words).toMatchObject({ code: 1, stdout: expect.stringContaining(`nothing changed`) });
    expect(words.stdout).toContain(finding.remedy);
    expect(await lengthOf(here)).toBe(before);
  });

  it("termination ends a version in quarantine with its reason, and the same bytes made again stay ended", async () => {
    const id = idOf("US:YBULN", "ko-KR");
    const ended = await jsonOf(here, "terminate", id.slice(0, 8), "--reason", "  상장폐지 예정 ");
    expect(ended).toMatchObject({ version_id: id, state: "TERMINATED", reason: "상장폐지 예정" });
    const before = await lengthOf(here);
    succeeded(await here.call("run", batch, "--out", join(here.dir, "out")));
    expect(await lengthOf(here)).toBe(before);
    expect(await show(here, id)).toMatchObject([{ state: "TERMINATED", reason: "상장폐지 예정" }]);
  });

  it.each([
    ["terminating what is ended", () => ["terminate", idOf("US:YBULN", "ko-KR"), "--reason", "x"], "TERMINATED"],
    ["remediating what is ended", () => ["remediate", idOf("US:YBULN", "ko-KR")], "TERMINATED"],
    ["terminating what passed", () => ["terminate", idOf("US:YAMPL", "ko-KR"), "--reason", "x"], "NOT_BLOCKED"],
    ["remediating what passed", () => ["remediate", idOf("US:YAMPL", "ko-KR")], "NOT_BLOCKED"],
    ["seven digits", () => ["remediate", idOf("KR:91A010", "ko-KR").slice(0, 7)], "VERSION_UNKNOWN"],
    ["no such version", () => ["terminate", "0".repeat(64), "--reason", "x"], "VERSION_UNKNOWN"],
    [
      "a reason with an escape",
      () => ["terminate", idOf("KR:91A010", "ko-KR"), "--reason", "a\u001b[2Jb"],
      "REASON_MALFORMED",
    ],
    [
      "a reason too long",
      () => ["remediate", idOf("KR:91A010", "ko-KR"), "--reason", "x".repeat(2001)],
      "REASON_MALFORMED",
    ],
    [
      "another batch's folder",
      () => {
        const other = exampleIn(here.dir, { yaml: [["id: example-csv", "id: another"]] }, "another");
        return ["remediate", idOf("KR:91A010", "ko-KR"), "--batch", other];
      },
      "BATCH_DIFFERS",
    ],
  ] as const)("%s is refused and leaves the ledger as it was", async (_law, args, code) => {
    const before = await lengthOf(here);
    const refused = await here.call(...args(), "--json");
    expect(refused.code).toBe(1);
    expect(faultOf(refused)).toMatchObject({ code, hint: expect.any(String) });
    expect(await lengthOf(here)).toBe(before);
  });

  it("terminating without a reason is misuse", async () => {
    expect((await here.call("terminate", idOf("KR:91A010", "ko-KR"))).code).toBe(2);
  });

  it("remediation of a mended file: a new version in each locale supersedes the old one, and asking again changes nothing", async () => {
    mend(batch, "KR:91A010");
    const [korean, english] = [idOf("KR:91A010", "ko-KR"), idOf("KR:91A010", "en-US")];
    const done = await jsonOf(here, "remediate", korean, "--reason", "unit corrected by the vendor");
    expect(done).toMatchObject({ remediated: korean, changed: true, verdict: "PASS", unfinished: 0 });
    expect(done.superseded.map(({ version_id }: { version_id: string }) => version_id).sort()).toEqual(
      [korean, english].sort(),
    );

    const [old] = await show(here, korean);
    expect(old).toMatchObject({
      state: "SUPERSEDED",
      superseded_by: done.version_id,
      reason: "unit corrected by the vendor",
    });
    expect(old?.events.map(({ type }) => type)).toEqual(["card_verified/v1", "card_remediated/v1"]);
    expect(await show(here, done.version_id)).toMatchObject([{ state: "PASS", supersedes: korean, locale: "ko-KR" }]);
    expect(await show(here, english)).toMatchObject([{ state: "SUPERSEDED" }]);
    expect(await statesOf(here)).toEqual({ PASS: 6, TERMINATED: 1, BLOCK: 1 });

    const before = await lengthOf(here);
    expect(await jsonOf(here, "remediate", korean)).toMatchObject({ changed: true, version_id: done.version_id });
    expect(await lengthOf(here)).toBe(before);
  });

  it("what an ordinary run made after mending takes the place too", async () => {
    mend(batch, "US:YBULN");
    succeeded(await here.call("run", batch, "--out", join(here.dir, "out")));
    const id = idOf("US:YBULN", "en-US");
    const done = await jsonOf(here, "remediate", id);
    expect(done).toMatchObject({ changed: true, verdict: "PASS" });
    expect(await show(here, done.version_id)).toMatchObject([{ state: "PASS", supersedes: id, locale: "en-US" }]);
    expect(await statesOf(here)).toEqual({ PASS: 8 });
    expect(succeeded(await here.call("doctor")).stdout).toContain("chain intact");
  });
});

it("a card of which nothing may be drawn is a version in BLOCK, and is remedied like any other", async () => {
  const here = await place();
  const batch = exampleIn(here.dir, { universe: (text) => onlyRow(text, "US:YBULN") });
  const yaml = join(batch, "batch.yaml");
  const rights = textOf(yaml);
  writeFileSync(yaml, rights.replaceAll("internal: ALLOW", "internal: INDETERMINATE"));
  succeeded(await here.call("run", batch, "--out", join(here.dir, "out")));
  const [withheld] = await show(here, "US:YBULN");
  expect(withheld).toMatchObject({ state: "BLOCK", verdict: "BLOCK" });
  expect(withheld?.findings.join()).toContain("/RIGHTS_BLOCK/");
  writeFileSync(yaml, rights);
  const done = await jsonOf(here, "remediate", withheld?.version_id as string);
  expect(done.changed).toBe(true);
  expect(await show(here, withheld?.version_id as string)).toMatchObject([
    { state: "SUPERSEDED", superseded_by: done.version_id },
  ]);
});

it("before a verdict, status says how far each card is", async () => {
  const here = await place();
  const batch = exampleIn(here.dir);
  succeeded(await here.call("plan", batch));
  expect(await statesOf(here)).toEqual({ RECEIVED: 4 });
  succeeded(await here.call("run", batch, "--only", "US:YBULN", "--out", join(here.dir, "out")));
  // Facts of everyone are needed for the market's calendar.
  expect(await statesOf(here)).toEqual({ PASS: 1, RUNNING: 3 });
});

it("a fault of one card is a version in BLOCK with the fault's code; the next run makes it", async () => {
  const here = await place();
  const batch = exampleIn(here.dir, { universe: (text) => onlyRow(text, "US:YBULN") });
  succeeded(await here.call("plan", batch));
  const [payload] = await query<{ sha: string }>(
    here,
    `SELECT document->>'payload_sha256' AS sha FROM source_version
     WHERE document->>'instrument' = 'US:YBULN' AND document->>'source_id' = 'us-bars'`,
  );
  const sha = payload?.sha as string;
  const object = join(here.dir, "data/objects", sha.slice(0, 2), sha.slice(2));
  const bytes = readFileSync(object);
  const altered = Buffer.from(bytes);
  altered[altered.length - 3] = (altered.at(-3) as number) ^ 1;
  writeFileSync(object, altered);
  succeeded(await here.call("run", batch, "--out", join(here.dir, "out")));
  const [faulted] = await show(here, "US:YBULN");
  expect(faulted).toMatchObject({ state: "BLOCK", fault: { code: "OBJECT_ALTERED" }, decisions: { gates: 0 } });
  expect(await statesOf(here)).toEqual({ BLOCK: 1 });
  const before = await lengthOf(here);
  succeeded(await here.call("run", batch, "--out", join(here.dir, "out")));
  expect(await lengthOf(here)).toBe(before);
  writeFileSync(object, bytes);
  expect(await jsonOf(here, "remediate", faulted?.version_id as string)).toMatchObject({
    changed: true,
    verdict: "PASS",
  });
  expect((await show(here, "US:YBULN")).map(({ state }) => state).sort()).toEqual(["PASS", "SUPERSEDED"]);
});

it(`kill -9 at ${KILLS} moments of a remediation, then once more: as undisturbed`, { timeout: 300_000 }, async () => {
  const [calm, shaken] = await Promise.all([quarantined(), quarantined()]);
  expect(shaken.id).toBe(calm.id);
  const from = performance.now();
  succeeded(await calm.here.call("remediate", calm.id));
  const whole = performance.now() - from;
  for (let kill = 1; kill <= KILLS; kill++) {
    const run = await shaken.here.start("remediate", shaken.id);
    await Promise.race([run.ended, pause((whole * kill) / (KILLS + 0.5))]);
    run.process.kill("SIGKILL");
    await run.ended;
  }
  succeeded(await shaken.here.call("remediate", shaken.id));
  const told = async ({ here }: { here: Place }) =>
    (await show(here, "KR:91A010")).map(({ events, ...rest }) => ({ ...rest, events: events.map(({ type }) => type) }));
  expect(await told(shaken)).toEqual(await told(calm));
  expect(succeeded(await shaken.here.call("doctor")).stdout).toContain("chain intact");
});

/** One card in quarantine whose file has been mended since. */
async function quarantined(): Promise<{ here: Place; id: string }> {
  const here = await place();
  const batch = exampleIn(here.dir, { universe: (text) => onlyRow(text, "KR:91A010") });
  spoil(batch, "KR:91A010");
  succeeded(await here.call("run", batch, "--out", join(here.dir, "out")));
  const [blocked] = await show(here, "KR:91A010");
  expect(blocked?.state).toBe("BLOCK");
  mend(batch, "KR:91A010");
  return { here, id: blocked?.version_id as string };
}

function onlyRow(universe: string, instrument: string): string {
  const [head, ...rows] = universe.split("\n");
  return `${[head, ...rows.filter((row) => row.startsWith(`${instrument},`))].join("\n")}\n`;
}
