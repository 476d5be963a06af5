/**
 * One Postgres cluster on disk: made, looked at, started and stopped by Postgres's own programs. Decides nothing about
 * who uses it (embedded.ts does) and keeps no lock file: Postgres's own guards a cluster against two servers.
 */
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AssayError } from "../domain/outcome.ts";
import { type RunAs, run } from "./command.ts";
import { findBarrier, findPostgres, findServerUser, type PostgresPackage } from "./postgres-package.ts";

const MAJOR = "18";
const PASSWORDS = "assay-passwords.json";
const LOG = "server.log";
const LOG_MAX_BYTES = 8 * 1024 * 1024;

export interface Cluster {
  dir: string;
  postgres: PostgresPackage;
  user: RunAs | undefined;
}

export interface Passwords {
  superuser: string;
  owner: string;
  app: string;
}

/** Opens the cluster of a data directory, making it when there is none. Safe for many processes at once. */
export async function openCluster(dataDir: string, newPassword: () => string): Promise<Cluster> {
  const dir = join(dataDir, "postgres");
  const postgres = await findPostgres();
  const cluster = { dir, postgres, user: await findServerUser(dir, postgres.initdb) };
  if (!existsSync(cluster.dir)) await initialise(dataDir, cluster, newPassword);
  const version = await readFile(join(cluster.dir, "PG_VERSION"), "utf8").then(
    (text) => text.trim(),
    (cause: NodeJS.ErrnoException) => {
      throw new AssayError("EMBEDDED_POSTGRES_FAILED", `${cluster.dir} is not a cluster we can read: ${cause.code}`, {
        hint: "It was made by another user, or is damaged: run as that user, or choose another data directory (ASSAY_DATA).",
        cause,
      });
    },
  );
  if (version !== MAJOR) {
    throw new AssayError("EMBEDDED_POSTGRES_VERSION", `${cluster.dir} is of Postgres ${version}, not ${MAJOR}`, {
      hint: "Use another data directory (ASSAY_DATA), or the Assay release that made this one.",
    });
  }
  return cluster;
}

export async function readPasswords(cluster: Cluster): Promise<Passwords> {
  return JSON.parse(await readFile(join(cluster.dir, PASSWORDS), "utf8")) as Passwords;
}

/** Built aside and moved into place: whoever comes second finds the place taken and throws its own away. */
async function initialise(dataDir: string, cluster: Cluster, newPassword: () => string): Promise<void> {
  const aside = await mkdtemp(join(dataDir, `.postgres-${process.pid}-`));
  try {
    const passwords: Passwords = { superuser: newPassword(), owner: newPassword(), app: newPassword() };
    const made = join(aside, "cluster");
    const passwordFile = join(aside, "password");
    await writeFile(passwordFile, passwords.superuser, { mode: 0o600 });
    const { user } = cluster;
    if (user !== undefined && !user.in_namespace) {
      await Promise.all([aside, passwordFile].map((path) => chown(path, user.uid, user.gid)));
    }
    // C collation orders by code point: the same order on every machine. No sync: nothing is worth keeping yet.
    const locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "-E", "UTF8"];
    const args = ["-D", made, "-U", "postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`, ...locale, "-N"];
    const ended = await run(cluster.postgres.initdb, args, cluster.user);
    if (ended.code === 0) {
      await writeFile(join(made, PASSWORDS), JSON.stringify(passwords), { mode: 0o600 });
      await rename(made, cluster.dir).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
      });
    } else if (!existsSync(cluster.dir)) {
      throw await failure(cluster, `initdb ended with ${ended.code}: ${ended.output}`);
    }
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  await removeLeftovers(dataDir);
}

/** What killed predecessors left behind; rivals that still build are alive. */
async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const pid = /^\.postgres-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export interface Running {
  port: number;
  ready: boolean;
}

/** The server of this cluster, if it runs. A pid file that outlived its server is removed when it would be in the way. */
export async function readRunning(cluster: Cluster): Promise<Running | undefined> {
  const path = join(cluster.dir, "postmaster.pid");
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  const state = await stateOf(pid, cluster);
  if (state === "ours") return { port: Number(lines[3]), ready: lines[7]?.trim() === "ready" };
  // Postgres itself forgives a dead pid, but not one that now belongs to another process or to a zombie.
  if (state === "another" && (await readFile(path, "utf8").catch(() => "")) === text) await rm(path, { force: true });
  return undefined;
}

async function stateOf(pid: number, cluster: Cluster): Promise<"ours" | "another" | "gone"> {
  if (!Number.isInteger(pid) || pid <= 1) return "gone";
  if (!existsSync("/proc/self/stat")) {
    const ended = await run(cluster.postgres.pgCtl, ["status", "-D", cluster.dir], cluster.user);
    return ended.code === 0 ? "ours" : "gone";
  }
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (line === undefined) return "gone";
  const parts = /\((.*)\) (\S)/s.exec(line);
  if (parts?.[1] !== "postgres" || /[ZX]/.test(parts[2]!)) return "another";
  // A server works in its cluster's folder; another cluster's server may have got this pid.
  const [home, dir] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => undefined), stat(cluster.dir)]);
  return home === undefined || (home.ino === dir.ino && home.dev === dir.dev) ? "ours" : "another";
}

export type Started = { ok: true } | { ok: false; portTaken: boolean; fault: AssayError };

export async function startServer(cluster: Cluster, port: number, settings: Record<string, string>): Promise<Started> {
  const log = join(cluster.dir, LOG);
  const size = await sizeOf(log);
  if (size > LOG_MAX_BYTES) await rename(log, `${log}.1`).catch(() => undefined);
  const from = size > LOG_MAX_BYTES ? 0 : size;
  const all: Record<string, string> = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    ...settings,
  };
  const options = [`-p ${port}`, ...Object.entries(all).map(([name, value]) => `-c ${name}='${value}'`)].join(" ");
  const args = ["start", "-D", cluster.dir, "-w", "-t", "60", "-s", "-l", log, "-o", options];
  const ended = await run(cluster.postgres.pgCtl, args, cluster.user);
  if (ended.code === 0) return { ok: true };
  const tail = await readFrom(log, from);
  return {
    ok: false,
    portTaken: /could not bind|Address already in use/.test(tail),
    fault: await failure(cluster, `${ended.output}\n${tail}`.trim()),
  };
}

export async function stopServer(cluster: Cluster): Promise<void> {
  const ended = await run(
    cluster.postgres.pgCtl,
    ["stop", "-D", cluster.dir, "-m", "fast", "-w", "-t", "60", "-s"],
    cluster.user,
  );
  if (ended.code !== 0 && (await readRunning(cluster)) !== undefined) throw await failure(cluster, ended.output);
}

async function failure(cluster: Cluster, what: string): Promise<AssayError> {
  const barrier =
    (await findBarrier(cluster.dir, cluster.user)) ?? (await findBarrier(cluster.postgres.initdb, cluster.user));
  return new AssayError("EMBEDDED_POSTGRES_FAILED", `the embedded Postgres did not start: ${what.slice(-1500)}`, {
    hint:
      barrier !== undefined
        ? `The system user postgres cannot pass through ${barrier}: choose another data directory (ASSAY_DATA), or \`chmod o+x\` it.`
        : /No space left/.test(what)
          ? "The disk is full: free some space and run again; nothing was lost."
          : `Read ${join(cluster.dir, LOG)}, or set DATABASE_URL to a Postgres 18 of your own.`,
  });
}

/** The data directory itself, open for passage where the server runs as another user. */
export async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  if (process.getuid?.() === 0) await chmod(dataDir, ((await stat(dataDir)).mode & 0o7777) | 0o011);
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.size,
    () => 0,
  );
}

async function readFrom(path: string, offset: number): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return "";
  try {
    const length = Math.min(Math.max((await file.stat()).size - offset, 0), 64 * 1024);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
    return buffer.toString("utf8").trim().split("\n").slice(-15).join("\n");
  } finally {
    await file.close();
  }
}
