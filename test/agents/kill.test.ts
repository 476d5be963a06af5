/** Kill -9 at every point a run passes, on real Postgres with real processes, and a worker that wakes up too late. */
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AssayError } from "../../pipeline/domain/outcome.ts";
import { startChild } from "../support/child.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { TTL_MS, work } from "./support/worker.ts";

const WORKER = new URL("./support/worker.ts", import.meta.url);
const AT_ONCE = 3;

let fresh: FreshDatabase;
let dir: string;
beforeAll(async () => {
  fresh = await freshDatabase();
  dir = await mkdtemp(join(tmpdir(), "assay-kill-"));
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await fresh.drop();
});

function effectsOf(root_id: string): { file: string; lines: () => string[] } {
  const file = join(dir, `${root_id}.txt`);
  writeFileSync(file, "");
  return { file, lines: () => readFileSync(file, "utf8").split("\n").filter(Boolean) };
}

/** Waits until the dead worker's lease has run out. */
async function takeOver(root_id: string, effectsFile: string, point: () => void = () => undefined) {
  for (;;) {
    try {
      return await work({ database: fresh.database, root_id, holder: "test", effectsFile, point });
    } catch (error) {
      if (!(error instanceof AssayError) || error.code !== "RUN_LEASE_HELD") throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

describe("kill -9", () => {
  it("at any point: the same outputs, no effect twice, and what is unknown stays unknown", {
    timeout: 900_000,
  }, async () => {
    let points = 0;
    const whole = effectsOf("whole");
    const { task } = await takeOver("whole", whole.file, () => {
      points += 1;
    });
    expect([task.end?.code, whole.lines().length]).toEqual(["FINISHED", 1]);
    const calls = (state: typeof task) => state.turns.flatMap((each) => each.calls);
    const dispatches = calls(task).filter((call) => call.attempts > 0).length;

    const killAt = async (at: number) => {
      const root_id = `killed-${at}`;
      const effects = effectsOf(root_id);
      const child = startChild(WORKER, [fresh.appUrl, root_id, effects.file, String(at)]);
      await expect(child.ended).rejects.toThrow("ended with null");
      const before = effects.lines().length;
      const resumed = (await takeOver(root_id, effects.file)).task;
      const note = calls(resumed).find(({ proposed }) => proposed.tool === "send_note")!;
      const outcomes = note.receipts.map(({ outcome }) => outcome);
      return {
        at,
        outputs_equal: resumed.end?.output_digest === task.end?.output_digest,
        code: resumed.end?.code,
        note: outcomes.join(),
        sent: effects.lines().length,
        sent_before_kill: before,
        dispatched: calls(resumed).filter((call) => call.attempts > 0).length,
      };
    };
    const results: Awaited<ReturnType<typeof killAt>>[] = [];
    const queue = Array.from({ length: points }, (_, n) => n + 1);
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let at = queue.shift(); at !== undefined; at = queue.shift()) results.push(await killAt(at));
      }),
    );

    expect(points).toBeGreaterThan(15);
    for (const { at, ...result } of results) {
      const isUnknown = result.note === "UNKNOWN";
      expect({ at, ...result }).toEqual({
        at,
        outputs_equal: true,
        code: isUnknown ? "UNSETTLED" : "FINISHED",
        note: isUnknown ? "UNKNOWN" : "COMPLETED",
        // Known and sent, or unknown and sent at most by the worker that was killed.
        sent: isUnknown ? result.sent_before_kill : 1,
        sent_before_kill: result.sent_before_kill,
        dispatched: dispatches,
      });
    }
    // Killed between mark and receipt, with the effect sent and not sent.
    const unknown = results.filter(({ note }) => note === "UNKNOWN");
    expect(new Set(unknown.map(({ sent }) => sent))).toEqual(new Set([0, 1]));
  });
});

describe("a stale worker", () => {
  it("that slept while another took the run writes nothing more", { timeout: 60_000 }, async () => {
    const effects = effectsOf("stale");
    const child = startChild(WORKER, [fresh.appUrl, "stale", effects.file, "0", "stay"]);
    await child.says("in effect");
    child.process.kill("SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, TTL_MS));
    const { task, journal } = await takeOver("stale", effects.file);
    child.process.kill("SIGCONT");
    expect((await child.ended).trim().split("\n")).toEqual(["in effect", "refused RUN_FENCED"]);
    expect([task.end?.code, effects.lines().length]).toEqual(["UNSETTLED", 1]);
    const { rows } = await fresh.database.inTenant("main", async (tx) => ({
      rows: await tx.$queryRaw<{ n: bigint }[]>`SELECT max(seq) AS n FROM run_entry WHERE root_id = 'stale'`,
    }));
    expect(Number(rows[0]!.n)).toBe(journal.run.seq);
  });

  it("while its worker lives, a run is held, however long the work takes", async () => {
    const effects = effectsOf("held");
    const child = startChild(WORKER, [fresh.appUrl, "held", effects.file, "0", "stay"]);
    await child.says("in effect");
    await new Promise((resolve) => setTimeout(resolve, TTL_MS / 4));
    const other = work({
      database: fresh.database,
      root_id: "held",
      holder: "x",
      effectsFile: effects.file,
      point: () => undefined,
    });
    await expect(other).rejects.toMatchObject({ code: "RUN_LEASE_HELD", retry: "later" });
    expect((await child.ended).trim()).toContain("ended FINISHED");
  });
});
