/**
 * Opens what a command needs: database, objects, browser, queue. The only place with a clock and random ids; everything
 * below is handed both.
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type GatewayMaker, gatewayOpener, type OpenedModel } from "../agents/gateways/open.ts";
import type { Tracer } from "../agents/trace.ts";
import { AssayError } from "../domain/outcome.ts";
import type { QueueBackend } from "../jobs/queue.ts";
import type { Browser } from "../render/browser.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { type ObjectStore, openObjects } from "../store/objects.ts";
import { type Config, readModelSettings, readTracing } from "./config.ts";
import { openTracing } from "./otlp.ts";

export interface Services {
  config: Config;
  database: Database;
  objects: ObjectStore;
  /** Fonts and the unpacked browser: everything here can be made again. */
  cacheDir: string;
  packageVersions: Record<string, string>;
  now(): string;
  newId(): string;
  /** One shared browser, opened when first asked for. */
  browser(): Promise<Browser>;
  queueBackend(): QueueBackend;
  /** One limit a provider, however many models of it are opened. `makers`: what stands behind other prefixes. */
  openModel(spec: string, makers?: Readonly<Record<string, GatewayMaker>>): Promise<OpenedModel>;
  /** Undefined where no collector of traces is configured. */
  tracer(): Tracer | undefined;
  onFault(error: Error): void;
  /** Holds a lock while `work` runs, so that two runs of one batch do not work at once. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface WiringOptions {
  pages?: number;
  onFault?: (error: Error) => void;
}

/** How long a run waits for another run of the same batch to end or to be found dead. */
const WAIT_FOR_LOCK_MS = 10_000;

export async function openServices(config: Config, options: WiringOptions = {}): Promise<Services> {
  makeDataDir(config.dataDir);
  const database = await openDatabase({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl ?? undefined,
    adminDatabaseUrl: config.adminDatabaseUrl ?? undefined,
  });
  // Loads while the batch is read: the client costs half a second on first use.
  database.prisma().catch(() => undefined);
  const cacheDir = join(config.dataDir, "cache");
  mkdirSync(cacheDir, { recursive: true });
  let browser: Promise<Browser> | undefined;
  let isClosed = false;
  let queuePool: import("pg").Pool | undefined;
  let models: ReturnType<typeof gatewayOpener> | undefined;
  let tracing: ReturnType<typeof openTracing> | null = null;
  const now = () => new Date().toISOString();
  const ambient = {
    now: () => Date.now(),
    random: () => Math.random(),
    sleep: (ms: number, signal?: AbortSignal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
  };
  const onFault = options.onFault ?? (() => undefined);
  const pg = await import("pg");

  return {
    config,
    database,
    objects: openObjects(config.dataDir),
    cacheDir,
    packageVersions: packageVersions(config.root),
    now,
    newId: () => randomUUID(),
    async browser() {
      // Work that was abandoned may still come for one: it would outlive us.
      if (isClosed) throw new AssayError("BROWSER_CLOSED", "the run has ended");
      browser ??= import("../render/browser.ts").then(({ openBrowser }) =>
        openBrowser({ cacheDir, chromePath: config.chromePath, pages: options.pages ?? 4 }),
      );
      return browser;
    },
    queueBackend() {
      if (config.redisUrl !== null) return { kind: "redis", url: config.redisUrl };
      if (queuePool === undefined) {
        queuePool = new pg.default.Pool({
          connectionString: database.appUrl,
          max: 12,
          options: "-c search_path=bullmq",
          application_name: "assay queue",
        });
        // Every queue and worker listens on the one pool.
        queuePool.setMaxListeners(0).on("error", () => undefined);
      }
      return { kind: "postgres", pool: queuePool };
    },
    openModel(spec, makers) {
      const terms = () => ({ settings: readModelSettings(), ambient });
      if (makers !== undefined) return gatewayOpener({ ...terms(), makers })(spec);
      models ??= gatewayOpener(terms());
      return models(spec);
    },
    tracer() {
      if (tracing === null) {
        const target = { ...readTracing(), version: config.version };
        tracing = openTracing(target, (message) => onFault(new Error(message)));
      }
      return tracing?.tracer;
    },
    onFault,
    async alone(name, work) {
      const client = new pg.default.Client({ connectionString: database.appUrl, application_name: "assay lock" });
      await client.connect();
      client.on("error", () => undefined);
      try {
        await waitForLock(client, `${config.tenant}/${name}`);
        return await work();
      } finally {
        await client.end();
      }
    },
    async close() {
      isClosed = true;
      await tracing?.close();
      await browser?.then((opened) => opened.close()).catch(() => undefined);
      await queuePool?.end();
      await database.close();
    },
  };
}

/** Opens the services, and closes them whatever happens. */
export async function withServices<T>(
  config: Config,
  options: WiringOptions,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  const services = await openServices(config, options);
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}

async function waitForLock(client: import("pg").Client, name: string): Promise<void> {
  const until = performance.now() + WAIT_FOR_LOCK_MS;
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>(
      "SELECT pg_try_advisory_lock(hashtextextended('assay/run/' || $1, 0)) AS held",
      [name],
    );
    if (rows[0]?.held) return;
    if (performance.now() > until) {
      throw new AssayError("BATCH_RUNNING", `another run of ${name} is at work`, {
        hint: "wait for it, or stop it; `assay status` shows how far it is",
        retry: "later",
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (cause) {
    throw new AssayError("DATA_DIR_NOT_WRITABLE", `cannot make ${dataDir}`, {
      hint: "set ASSAY_DATA to a folder that can be written",
      cause,
    });
  }
}

function packageVersions(root: string): Record<string, string> {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  return dependencies;
}
