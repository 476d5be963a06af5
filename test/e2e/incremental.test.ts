/** Running again does only what changed, and what it writes is what a first run would have written. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { placeAfterRun } from "./ran.ts";
import {
  exampleIn,
  faultOf,
  filesBelow,
  type Place,
  place,
  query,
  reportOf,
  rowsOf,
  STEPS,
  succeeded,
  textOf,
} from "./support.ts";

interface Step {
  step: string;
  instrument: string;
  locale: string | null;
}

let here: Place;
let batch: string;
let out: string;
const run = (...more: string[]) => here.call("run", batch, "--out", out, ...more);

beforeAll(async () => {
  here = await placeAfterRun();
  batch = exampleIn(here.dir);
  out = join(here.dir, "out");
});

/** Steps recorded since `seq`, sorted. */
async function stepsSince(seq: number): Promise<string[]> {
  const rows = await query<{ body: Step }>(
    here,
    `SELECT body FROM ledger_event WHERE type = 'step_recorded/v1' AND seq > ${seq}`,
  );
  return rows.map(({ body }) => `${body.step} ${body.instrument}`).sort();
}

async function lastSeq(): Promise<number> {
  const [row] = await query<{ seq: string }>(here, "SELECT max(seq) AS seq FROM ledger_event");
  return Number(row?.seq);
}

/** All steps of instruments, in Korean only. */
function everyStep(...instruments: string[]): string[] {
  return instruments.flatMap((id) => STEPS.map((step) => `${step} ${id}`));
}

describe("with nothing changed", () => {
  it("a warm run works nothing, adds nothing to the ledger and writes the same bytes", async () => {
    const before = { seq: await lastSeq(), manifest: textOf(out, "manifest.json") };
    succeeded(await run());
    expect(reportOf(out).cache).toEqual({ hits: 4 * STEPS.length, misses: 0 });
    expect(await lastSeq()).toBe(before.seq);
    expect(textOf(out, "manifest.json")).toBe(before.manifest);
  });

  it("a lost output folder is written again without any work", async () => {
    const again = join(here.dir, "again");
    succeeded(await here.call("run", batch, "--out", again));
    expect(reportOf(again).cache.misses).toBe(0);
    expect(textOf(again, "manifest.json")).toBe(textOf(out, "manifest.json"));
  });
});

describe("with one price changed", () => {
  it("of nobody's benchmark: that product is worked, its market's calendar looked at, and nothing else", async () => {
    const seq = await lastSeq();
    raiseLastClose(join(batch, "prices/kr/91A010.csv"));
    const planned = JSON.parse(succeeded(await here.call("plan", batch, "--json")).stdout);
    expect(planned.to_work).toContain("KR:91A010");
    expect(planned.to_work).not.toContain("US:YAMPL");
    succeeded(await run());
    const steps = await stepsSince(seq);
    expect(steps.filter((step) => !step.startsWith("calendar"))).toEqual(everyStep("KR:91A010").sort());
  });

  it("of a benchmark: it and what is compared with it", async () => {
    const seq = await lastSeq();
    raiseLastClose(join(batch, "prices/us/YAMPL.csv"));
    succeeded(await run());
    const steps = await stepsSince(seq);
    expect(steps.filter((step) => !step.startsWith("calendar"))).toEqual(everyStep("US:YAMPL", "KR:91A020").sort());
  });

  it("the output is that of a first run on the changed files, in another data directory", async () => {
    const cold = await place();
    succeeded(await cold.call("run", batch, "--out", join(cold.dir, "out")));
    expect(textOf(out, "manifest.json")).toBe(textOf(cold.dir, "out/manifest.json"));
  });

  it("changed back, nothing is worked: what was recorded once stays", async () => {
    const seq = await lastSeq();
    const original = exampleIn(here.dir, {}, "original");
    succeeded(await here.call("run", original, "--out", out));
    expect(await stepsSince(seq)).toEqual([]);
  });
});

describe("with the request changed", () => {
  it("a title changes no card", async () => {
    const seq = await lastSeq();
    const titled = exampleIn(here.dir, { yaml: [["title: Four invented", "title: Quatre invented"]] }, "titled");
    succeeded(await here.call("run", titled, "--out", out));
    expect(await stepsSince(seq)).toEqual([]);
    expect(reportOf(out).title).toMatch(/^Quatre/);
    expect(textOf(out, "report.html")).toContain("Quatre invented");
  });

  it("a name changes the cards that show it", async () => {
    const seq = await lastSeq();
    const named = exampleIn(
      here.dir,
      { universe: (text) => text.replace("Foxglove Gold Bullion Trust", "Foxglove Bars") },
      "named",
    );
    succeeded(await here.call("run", named, "--out", join(here.dir, "named-out")));
    const touched = new Set((await stepsSince(seq)).map((step) => step.split(" ")[1]));
    expect([...touched].filter((id) => id?.includes(":"))).toEqual(["US:YBULN"]);
    expect(textOf(here.dir, "named-out/cards/US-YBULN/ko-KR/card.html")).toContain("Foxglove Bars");
  });

  it("--locale draws in that language, with the same figures", async () => {
    const english = join(here.dir, "english");
    succeeded(await here.call("run", join(here.dir, "original"), "--out", english, "--locale", "en-US"));
    const locales = filesBelow(english).flatMap((path) => /^cards\/[^/]+\/([^/]+)\/card\.html$/.exec(path)?.[1] ?? []);
    expect(locales).toEqual(["en-US", "en-US", "en-US", "en-US"]);
    const values = (folder: string) =>
      rowsOf(join(folder, "facts.csv")).map(({ instrument, fact, window, value }) => [instrument, fact, window, value]);
    expect(values(english)).toEqual(values(out));
    expect(textOf(english, "cards/US-YAMPL/en-US/card.html")).toContain('lang="en');
  });

  it("--only makes those cards and removes the others from the folder", async () => {
    succeeded(await here.call("run", join(here.dir, "original"), "--out", out, "--only", "US:YAMPL,KR:91A020"));
    expect(reportOf(out)).toMatchObject({ instruments: 2, cards: { html: 2, png: 2 }, cache: { misses: 0 } });
    expect(existsSync(join(out, "cards/US-YBULN/ko-KR/card.html"))).toBe(false);
    expect(new Set(rowsOf(join(out, "facts.csv")).map(({ instrument }) => instrument))).toEqual(
      new Set(["KR:91A020", "US:YAMPL"]),
    );
  });

  it("every result and picture is the same whether its product is made alone or with all", async () => {
    const alone = await place();
    succeeded(
      await alone.assay("run", join(here.dir, "original"), "--out", join(alone.dir, "out"), "--only", "KR:91A020"),
    );
    const results = (of: Place) =>
      query(of, "SELECT key, step, output_digest FROM step_result WHERE instrument = 'KR:91A020' ORDER BY key");
    const recorded = await results(here);
    for (const result of await results(alone)) expect(recorded).toContainEqual(result);
    const card = "cards/KR-91A020/ko-KR/card.png";
    expect(readFileSync(join(alone.dir, "out", card))).toEqual(readFileSync(join(out, card)));
  });

  it.each([
    ["--channel", "unknown", "POLICY_UNKNOWN"],
    ["--channel", "../../etc", "OPTION_INVALID"],
    ["--locale", "fr-FR", "OPTION_INVALID"],
    ["--only", "US:NONE", "INSTRUMENT_UNKNOWN"],
  ])("%s %s is refused with %s, and the output before it stays", async (option, value, code) => {
    const manifest = textOf(out, "manifest.json");
    const refused = await run(option, value, "--json");
    expect(refused.code).toBe(1);
    expect(faultOf(refused)).toMatchObject({ code, hint: expect.any(String) });
    expect(textOf(out, "manifest.json")).toBe(manifest);
  });
});

/** A hundredth more on the last session: close and, where there is one, adjusted close and high. */
function raiseLastClose(path: string): void {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const last = (lines.at(-1) as string).split(",");
  const raised = last.map((cell, index) =>
    index >= 2 && index <= 5 && index !== 3 && cell.includes(".") ? (Number(cell) + 0.01).toFixed(2) : cell,
  );
  if (raised.join() === last.join()) {
    raised[4] = String(Number(last[4]) + 5);
    raised[2] = String(Math.max(Number(last[2]), Number(raised[4])));
  }
  writeFileSync(path, `${[...lines.slice(0, -1), raised.join(",")].join("\n")}\n`);
}
