/**
 * Killed at any point, the next run goes on from what is recorded and ends with the same bytes. ASSAY_KILLS sets how
 * often the process is killed (3 unless told); the seed of the moments is printed, and ASSAY_KILL_SEED repeats them.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ranExample } from "./ran.ts";
import { exampleIn, faultOf, type Place, place, processesOf, query, reportOf, succeeded, textOf } from "./support.ts";

const KILLS = Number(process.env.ASSAY_KILLS ?? 2);
const SEED = Number(process.env.ASSAY_KILL_SEED ?? Math.floor(Math.random() * 2 ** 31));

describe("kill -9", () => {
  it(`at ${KILLS} random moments, then once more to the end: the same manifest`, { timeout: 600_000 }, async () => {
    console.info(`moments of killing from ASSAY_KILL_SEED=${SEED}`);
    const random = seeded(SEED);
    const { manifest: expected, ms: whole } = await ranExample();
    let shaken = await place({ embedded: true });
    const batch = exampleIn(shaken.dir);
    for (let kill = 0; kill < KILLS; kill++) {
      const run = await shaken.start("run", batch, "--out", join(shaken.dir, "out"));
      const delay = pause(random() * whole, "late");
      if ((await Promise.race([run.ended, delay])) === "late") run.process.kill("SIGKILL");
      const { signal } = await run.ended;
      if (signal === "SIGKILL") continue;
      expect(textOf(shaken.dir, "out/manifest.json")).toBe(expected);
      shaken = await place({ embedded: true });
    }
    succeeded(await shaken.assay("run", batch, "--out", join(shaken.dir, "out")));
    expect(textOf(shaken.dir, "out/manifest.json")).toBe(expected);
    await expect.poll(() => processesOf(shaken.dir, "chromium"), { timeout: 60_000 }).toEqual([]);
  });
});

describe("Ctrl-C", () => {
  it.each([
    ["while files are frozen", "collect:"],
    ["while cards are made", "cards:"],
  ])("%s: INTERRUPTED at once, no browser or server left, and the next run goes on", async (_when, moment) => {
    const here = await place({ embedded: true });
    const batch = exampleIn(here.dir, { universe: (text) => text.split("\n").slice(0, 2).join("\n") });
    const out = join(here.dir, "out");
    const run = await here.start("run", batch, "--out", out);
    await run.says(moment);
    if (moment === "cards:") await pause(1_500);
    run.process.kill("SIGINT");
    const { code, stderr } = await run.ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("assay: INTERRUPTED: ") });
    // It did not go on to the end first.
    expect(existsSync(join(out, "manifest.json"))).toBe(false);
    await expect.poll(() => leftOf(here), { timeout: 60_000 }).toEqual([]);
    succeeded(await here.assay("run", batch, "--out", out));
    expect(reportOf(out).verdicts.pass).toBe(1);
  });

  it("with --json says so as a coded fault", async () => {
    const here = await place();
    const run = await here.start("run", exampleIn(here.dir), "--json");
    // At work: it writes nothing that could be waited for.
    await expect.poll(() => query(here, "SELECT FROM source_version"), { timeout: 60_000 }).not.toEqual([]);
    run.process.kill("SIGTERM");
    expect(faultOf(await run.ended)).toMatchObject({ code: "INTERRUPTED", hint: expect.stringContaining("again") });
  });
});

/** Servers and browsers of the data directory that still run. */
function leftOf({ dir }: Place): number[] {
  return [...processesOf(dir, "postgres"), ...processesOf(dir, "chromium")];
}

/** mulberry32: a few good numbers from a seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
