/** `assay doctor`: tries each part of the set-up for real and says how to fix what is missing. Exit 1 when something is. */
import { statfs } from "node:fs/promises";
import { AssayError } from "../../domain/outcome.ts";
import { loadPolicy } from "../../gates/policy/load.ts";
import { openQueues } from "../../jobs/queue.ts";
import { eachEvent } from "../../ledger/read.ts";
import { verifyLedger } from "../../ledger/verify.ts";
import { createFontShop } from "../../render/fonts.ts";
import type { LedgerEvent } from "../../schema/ledger-event.ts";
import type { Config } from "../config.ts";
import { openServices, type Services } from "../wiring.ts";

interface Check {
  name: string;
  ok: boolean;
  detail: string;
  hint: string | null;
}

const FREE_BYTES = 500_000_000;

export async function doctor(config: Config, options: { json?: boolean }): Promise<void> {
  const checks: Check[] = [];
  const check = async (name: string, work: () => Promise<string>) => {
    try {
      checks.push({ name, ok: true, detail: await work(), hint: null });
    } catch (error) {
      const hint = error instanceof AssayError ? (error.hint ?? null) : null;
      checks.push({ name, ok: false, detail: error instanceof Error ? error.message : String(error), hint });
    }
  };
  await check("node", async () => {
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    if (major < 20 || (major === 20 && minor < 19)) {
      throw new AssayError("NODE_TOO_OLD", `Node ${process.versions.node}`, { hint: "install Node 20.19 or newer" });
    }
    return process.versions.node;
  });
  let services: Services | undefined;
  await check("database", async () => {
    services = await openServices(config);
    await services.database.checkRole();
    return config.databaseUrl === null ? `embedded in ${config.dataDir}` : "DATABASE_URL";
  });
  if (services !== undefined) {
    const opened = services;
    await check("ledger", () => ledgerCheck(opened));
    await check("objects", async () => {
      const bytes = Buffer.from("assay doctor");
      const digest = await opened.objects.put(bytes);
      if (!(await opened.objects.get(digest)).equals(bytes)) throw new Error("stored bytes came back different");
      return "written, read back and re-hashed";
    });
    await check("queue", async () => {
      const faults: Error[] = [];
      const queues = await openQueues(opened.queueBackend(), "doctor", (fault) => faults.push(fault));
      await queues.clear(() => false);
      await queues.close();
      if (faults.length > 0) throw faults[0] as Error;
      return config.redisUrl === null ? "on the database" : "on Redis";
    });
    await check("fonts", async () => {
      const { faces } = await createFontShop({ baseText: "가A1", cacheDir: opened.cacheDir }).facesFor("가A1");
      return `${faces.length} faces`;
    });
    await check("browser", async () => {
      const browser = await opened.browser();
      const { height } = await browser.shoot("<!doctype html><p>doctor</p>", { width: 320 });
      return `drew a page of ${height} px`;
    });
    await opened.close();
  }
  await check("disk", async () => {
    const { bavail, bsize } = await statfs(config.dataDir);
    const free = bavail * bsize;
    if (free < FREE_BYTES) {
      throw new AssayError("DISK_SMALL", `${Math.round(free / 1e6)} MB free in ${config.dataDir}`, {
        hint: "a batch of a hundred cards takes about 100 MB; free some space or set ASSAY_DATA",
      });
    }
    return `${Math.round(free / 1e9)} GB free`;
  });
  await check("policy", async () => `internal-review ${loadPolicy("internal-review").digest.slice(0, 12)}`);

  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
  if (options.json) {
    process.stdout.write(`${JSON.stringify(checks, null, 2)}\n`);
    return;
  }
  for (const { name, ok, detail, hint } of checks) {
    process.stdout.write(
      `${ok ? "ok  " : "FAIL"} ${name.padEnd(9)} ${detail}\n${hint === null ? "" : `     ${hint}\n`}`,
    );
  }
}

async function ledgerCheck({ database, config }: Services): Promise<string> {
  const events: LedgerEvent[] = [];
  for await (const event of eachEvent(database, { tenant: config.tenant })) events.push(event);
  const verdict = verifyLedger(config.tenant, events);
  if (verdict.answer !== "OK") {
    throw new AssayError(verdict.answer, `the ledger does not verify at event ${verdict.seq}`, {
      hint: "keep the data directory as it is and compare it with a backup",
    });
  }
  return `${events.length} events, chain intact`;
}
