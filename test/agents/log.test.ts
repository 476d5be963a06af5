import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Journal } from "../../pipeline/agents/journal.ts";
import { runTask } from "../../pipeline/agents/loop.ts";
import type { TurnLog } from "../../pipeline/agents/turn-log.ts";
import { digestOf } from "../../pipeline/domain/digest.ts";
import { type RunEntry, runEntryDigest } from "../../pipeline/schema/run-entry.ts";
import { inRun, takeLease, withLease } from "../../pipeline/store/agents-lease.ts";
import { openRunLog, readRunEntries } from "../../pipeline/store/agents-log.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { call, contractOf, finish, REQUEST, tryRun, turn } from "./support/runs.ts";

const TABLES = ["run_lease", "run_entry", "run_document"];
const SCRIPT = [
  turn(
    call("read_facts", { instrument: "US:SPY" }),
    call("submit", { text: "up", references: ["facts:US:SPY"] }),
    finish(),
  ),
];
let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const lease = (root_id: string, holder = "a", tenant = "main", ttl_ms = 60_000) =>
  takeLease(fresh.database, { tenant, root_id, holder, ttl_ms });

/** A whole run of a tenant, with the scripted host. */
async function runIn(tenant: string, root_id: string) {
  const { host } = await tryRun({ scripts: SCRIPT });
  const held = await lease(root_id, "a", tenant);
  const log: TurnLog = openRunLog(fresh.database, tenant, held);
  const choice = (await tryRun({ scripts: SCRIPT })).host.modelFor;
  let asked = 0;
  const gateway = {
    provider: "scripted",
    answer: async () => ({
      text: "",
      stop: "calls" as const,
      discarded: [],
      calls: (SCRIPT[asked++] as { calls: never[] }).calls,
      usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 },
      cost_microusd: 0,
      latency_ms: 0,
      attempts: 1,
    }),
  };
  const journal = await Journal.open(log, host.now);
  const task = await runTask(
    { ...host, modelFor: (contract) => ({ ...choice(contract), gateway }) },
    journal,
    contractOf({ tenant, root_id }),
    REQUEST,
  );
  await held.release();
  return { task, journal, host, log };
}

describe("a run in Postgres", () => {
  it("is read back as it was written, entry by entry and document by document", async () => {
    const { task, journal, host } = await runIn("main", "back");
    const again = await lease("back", "b");
    const reopened = await Journal.open(openRunLog(fresh.database, "main", again), host.now);
    await again.release();
    expect(reopened.run.digest).toBe(journal.run.digest);
    expect(reopened.run.tasks.get("main")).toEqual(task);
    expect(reopened.document(task.end!.outputs[0]!.digest)).toEqual({ text: "up" });
    expect(again.fence).toBe(2);
  });

  it("belongs to its tenant: another sees none of it, and may have a run of the same name", async () => {
    await runIn("main", "shared-name");
    const seen = await fresh.database.inTenant("other", async (tx) => [
      (await readRunEntries(tx, "main", "shared-name")).length,
      (await tx.$queryRaw<unknown[]>`SELECT 1 FROM run_document`).length,
      (await tx.$queryRaw<unknown[]>`SELECT 1 FROM run_lease`).length,
    ]);
    expect(seen).toEqual([0, 0, 0]);
    expect((await runIn("other", "shared-name")).task.end?.code).toBe("FINISHED");
  });

  it.each(TABLES)(
    "%s is append-only: to the application, to the owner, to the superuser in replica mode",
    async (table) => {
      await runIn("main", `fixed-${table.replace("_", "-")}`);
      for (const sql of [`UPDATE ${table} SET tenant = tenant`, `DELETE FROM ${table}`, `TRUNCATE ${table}`]) {
        const failing = fresh.database.inTenant("main", (tx) => tx.$executeRawUnsafe(sql));
        await expect(failing).rejects.toMatchObject({ code: "NOT_PERMITTED" });
        const superuser = new pg.Client({ connectionString: fresh.superuserUrl });
        await superuser.connect();
        await superuser.query("SET session_replication_role = replica");
        await expect(superuser.query(sql)).rejects.toThrow("APPEND_ONLY");
        await superuser.end();
      }
    },
  );

  it("its application role still proves clean", async () => {
    await expect(fresh.database.checkRole()).resolves.toBeUndefined();
  });
});

describe("the database checks a second time", () => {
  const entryOf = (root_id: string, fence: number, changes: Partial<RunEntry> = {}): RunEntry => {
    const unsigned: RunEntry = {
      schema: "run_entry/v1",
      root_id,
      seq: 1,
      prev_digest: "0".repeat(64),
      task_id: "main",
      fence,
      at: "2026-05-04T00:00:00.000Z",
      body: { type: "task_opened", contract: contractOf({ root_id }), request: REQUEST },
      digest: "",
      ...changes,
    };
    return { ...unsigned, digest: changes.digest ?? runEntryDigest(unsigned) };
  };
  const cases: [string, Partial<RunEntry>, string][] = [
    ["a sequence with a gap", { seq: 2 }, "RUN_FORK"],
    ["a chain that begins elsewhere", { prev_digest: "a".repeat(64) }, "RUN_FORK"],
    ["facts of another run", { root_id: "other-run" }, "RUN_FORK"],
    ["a digest of something else", { digest: "b".repeat(64) }, "RUN_DIGEST"],
    ["a token from before", { fence: 0 }, "RUN_FENCED"],
    ["a token from the future", { fence: 9 }, "RUN_FENCED"],
  ];
  it.each(cases)("%s is refused", async (name, changes, code) => {
    const root_id = `check ${name}`;
    const held = await lease(root_id);
    const log = openRunLog(fresh.database, "main", held);
    await expect(log.append([entryOf(root_id, held.fence, changes)], [])).rejects.toMatchObject({ code });
    await expect(log.append([entryOf(root_id, held.fence)], [])).resolves.toBeUndefined();
    await held.release();
  });

  it("without a lease, or after it was given up, nothing is written", async () => {
    const log = openRunLog(fresh.database, "main", { root_id: "no-lease", fence: 1, release: async () => undefined });
    await expect(log.append([entryOf("no-lease", 1)], [])).rejects.toMatchObject({ code: "RUN_FENCED" });
    const held = await lease("given-up");
    await held.release();
    const late = openRunLog(fresh.database, "main", held);
    await expect(late.append([entryOf("given-up", 1)], [])).rejects.toMatchObject({ code: "RUN_FENCED" });
  });

  it("entries and documents come together or not at all; a document's digest is that of its bytes", async () => {
    const held = await lease("together");
    const log = openRunLog(fresh.database, "main", held);
    const document = { rows: [1, 2], text: "NUL \0 and half \ud800" };
    const digest = digestOf("tool_result", document);
    const kept = { digest, kind: "tool_result" as const, document };
    await expect(log.append([entryOf("together", 7)], [kept])).rejects.toMatchObject({ code: "RUN_FENCED" });
    await expect(log.documents([digest])).rejects.toMatchObject({ code: "RUN_DOCUMENT_MISSING" });
    await expect(log.append([entryOf("together", 1)], [{ ...kept, digest: "c".repeat(64) }])).rejects.toMatchObject({
      code: "RUN_DIGEST",
    });
    await log.append([entryOf("together", 1)], [kept]);
    expect(await log.documents([digest])).toEqual(new Map([[digest, document]]));
    await held.release();
  });
});

describe("leases", () => {
  it("one at a time; given up, the next has it at once with a higher token", async () => {
    const first = await lease("turns", "a");
    await expect(lease("turns", "b")).rejects.toMatchObject({ code: "RUN_LEASE_HELD" });
    await first.release();
    expect((await lease("turns", "b")).fence).toBe(first.fence + 1);
  });

  it("work that fails lets go of its run at once", async () => {
    const terms = { tenant: "main", root_id: "failing", holder: "a", ttl_ms: 60_000 };
    const failing = withLease(fresh.database, terms, async () => {
      throw new Error("broke");
    });
    await expect(failing).rejects.toThrow("broke");
    expect((await lease("failing", "b")).fence).toBe(2);
  });

  it("of many that come at once one gets it", async () => {
    const tries = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => lease("rush", `w${n}`)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("a worker that freezes within a transaction is let go of by the server", async () => {
    const frozen = inRun(fresh.database, "main", async (tx) => {
      await tx.$executeRaw`SELECT lock_run('main', 'frozen')`;
      await new Promise((resolve) => setTimeout(resolve, 20_000));
    });
    frozen.catch(() => undefined);
    const from = performance.now();
    expect((await lease("frozen")).fence).toBe(1);
    expect(performance.now() - from).toBeLessThan(15_000);
  });

  it("nobody renews or gives up another's", async () => {
    await lease("mine", "a");
    for (const act of ["renew", "release"]) {
      const failing = fresh.database.inTenant(
        "main",
        (tx) => tx.$executeRaw`INSERT INTO run_lease (tenant, root_id, seq, act, fence, holder, ttl_ms, until)
                               VALUES ('main', 'mine', 0, ${act}, 1, 'thief', 1000, 'epoch')`,
      );
      await expect(failing).rejects.toMatchObject({ code: "RUN_FENCED" });
    }
  });
});
