/** A worker that wakes up too late, and one that takes its time. That every point can be killed at: kill-wire.test.ts. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { effectsOf, newJob, startWorker, takeOver } from "./support/killing.ts";
import { work } from "./support/worker.ts";

const TTL_MS = 400;
const PAUSE_MS = 500;

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

const slow = (root_id: string) => newJob(dir, root_id, null, { pause_ms: PAUSE_MS, ttl_ms: TTL_MS });

describe("a stale worker", () => {
  it("that slept while another took the run writes nothing more", { timeout: 60_000 }, async () => {
    const job = slow("stale");
    const child = startWorker(fresh, dir, [job]);
    await child.says("passed stale after effect");
    child.process.kill("SIGSTOP");
    await setTimeout(TTL_MS);
    const { task, journal } = await takeOver(fresh.database, job);
    child.process.kill("SIGCONT");
    expect((await child.ended).trim().split("\n").at(-1)).toBe("refused stale RUN_FENCED");
    expect([task.end?.code, effectsOf(job).length]).toEqual(["UNSETTLED", 1]);
    const { rows } = await fresh.database.inTenant("main", async (tx) => ({
      rows: await tx.$queryRaw<{ n: bigint }[]>`SELECT max(seq) AS n FROM run_entry WHERE root_id = 'stale'`,
    }));
    expect(Number(rows[0]!.n)).toBe(journal.run.seq);
  });

  it("while its worker lives, a run is held, however long the work takes", async () => {
    const job = slow("held");
    const child = startWorker(fresh, dir, [job]);
    await child.says("passed held after effect");
    await setTimeout(TTL_MS / 4);
    const other = work(fresh.database, "another", job, async () => undefined);
    await expect(other).rejects.toMatchObject({ code: "RUN_LEASE_HELD", retry: "later" });
    expect((await child.ended).trim().split("\n").at(-1)).toBe("ended held FINISHED");
  });
});
