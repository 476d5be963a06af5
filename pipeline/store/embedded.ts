/**
 * One embedded Postgres for all processes of a data directory. Whoever comes first starts it, everyone holds a shared
 * advisory lock while using it, and the last to leave stops it. A lock is a session: kill -9 of a member frees it,
 * and when the server itself is killed its members start it again on the same port, so that pools find it.
 */
import { randomBytes } from "node:crypto";
import { readFile, realpath, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { AssayError } from "../domain/outcome.ts";
import {
  type Cluster,
  makeDataDir,
  openCluster,
  type Passwords,
  readPasswords,
  readRunning,
  startServer,
  stopServer,
} from "./cluster.ts";

/** Advisory key of membership, in the database `postgres`: "ASSAY" in ASCII. */
const MEMBERS = "280808907097";
const PAUSE_MS = 50;
const TRIES = 1200;
const FAILED_STARTS_MAX = 6;

export type EmbeddedRole = keyof Passwords;

export interface Embedded {
  port: number;
  superuserUrl: string;
  urlOf(role: EmbeddedRole, database: string): string;
  /** Gives up membership; stops the server when nobody else is a member. */
  leave(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Server parameters, for tests (`fsync: "off"`). They hold for the member that starts the server. */
  settings?: Record<string, string>;
}

export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  await makeDataDir(dataDir);
  const home = await realpath(dataDir);
  const cluster = await openCluster(home, () => randomBytes(24).toString("hex"));
  const passwords = await readPasswords(cluster);
  const enter = () => joinServer(home, cluster, passwords, options.settings ?? {});

  let member = await enter();
  let isLeaving = false;
  let rejoining: Promise<void> = Promise.resolve();
  const watch = () => {
    member.client.on("error", () => undefined);
    member.client.once("end", () => {
      if (isLeaving) return;
      rejoining = enter().then(
        (again) => {
          member = again;
          watch();
        },
        // Nothing to report to: the next query fails with the server's absence and says so.
        () => undefined,
      );
    });
  };
  watch();

  const urlOf = (role: EmbeddedRole, database: string) => url(role, passwords[role], member.port, database);
  return {
    get port() {
      return member.port;
    },
    get superuserUrl() {
      return urlOf("superuser", "postgres");
    },
    urlOf,
    async leave() {
      if (isLeaving) return;
      isLeaving = true;
      await rejoining;
      await leaveServer(cluster, member.client);
    },
  };
}

const ROLE_NAMES: Record<EmbeddedRole, string> = { superuser: "postgres", owner: "assay_owner", app: "assay_app" };

function url(role: EmbeddedRole, password: string, port: number, database: string): string {
  return `postgresql://${ROLE_NAMES[role]}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

interface Member {
  client: pg.Client;
  port: number;
}

async function joinServer(
  home: string,
  cluster: Cluster,
  passwords: Passwords,
  settings: Record<string, string>,
): Promise<Member> {
  let failedStarts = 0;
  let port = await readPort(home);
  let last: unknown;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const running = await readRunning(cluster);
    if (running?.ready) {
      const client = await tryJoin(url("superuser", passwords.superuser, running.port, "postgres")).catch((error) => {
        last = error;
        return undefined;
      });
      if (client !== undefined) return { client, port: running.port };
    } else if (running === undefined) {
      port ??= await freePort();
      const started = await startServer(cluster, port, settings);
      if (started.ok) {
        await writeFile(join(home, "postgres.port"), String(port));
        continue;
      }
      // A rival that started first makes ours fail: only failures with nobody running count.
      last = started.fault;
      if (started.portTaken) port = undefined;
      if ((await readRunning(cluster)) === undefined && ++failedStarts >= FAILED_STARTS_MAX) throw started.fault;
    }
    await pause(PAUSE_MS);
  }
  throw new AssayError("EMBEDDED_POSTGRES_FAILED", `the embedded Postgres in ${cluster.dir} does not answer`, {
    retry: "later",
    hint: "It may still be recovering from a crash: wait a minute and run again.",
    cause: last,
  });
}

/** A member session, or undefined when the server is just being stopped by its last member. */
async function tryJoin(superuserUrl: string): Promise<pg.Client | undefined> {
  const client = new pg.Client({ connectionString: superuserUrl, application_name: "assay member", keepAlive: true });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ joined: boolean }>(
      `SELECT pg_try_advisory_lock_shared(${MEMBERS}) AS joined`,
    );
    if (rows[0]?.joined) return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  await client.end().catch(() => undefined);
  return undefined;
}

async function leaveServer(cluster: Cluster, client: pg.Client): Promise<void> {
  try {
    await client.query(`SELECT pg_advisory_unlock_shared(${MEMBERS})`);
    const { rows } = await client.query<{ alone: boolean }>(`SELECT pg_try_advisory_lock(${MEMBERS}) AS alone`);
    if (rows[0]?.alone) await stopServer(cluster);
  } catch (error) {
    // A server that is gone needs no leaving.
    if (error instanceof AssayError) throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function readPort(home: string): Promise<number | undefined> {
  const port = Number(await readFile(join(home, "postgres.port"), "utf8").catch(() => ""));
  return Number.isInteger(port) && port > 1023 && port < 65536 ? port : undefined;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
