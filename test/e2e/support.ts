/**
 * Runs the built program in a data directory and on a batch folder of one's own: as a process of its own (`assay`, `start`),
 * or in a process that a test file's commands share (`call`) where nothing hangs on the process.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Papa from "papaparse";
import pg from "pg";
import { afterAll } from "vitest";
import type { Manifest } from "../../pipeline/jobs/output/folder.ts";
import type { Report } from "../../pipeline/schema/report.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { builtMain, ROOT } from "./built.ts";
import { closeShell, type Ended, inShell } from "./shell.ts";

export { ROOT };
export const EXAMPLE = join(ROOT, "batches/example-csv");
/** What is recorded for each instrument of a batch in one locale; beside these each market has a calendar. */
export const STEPS = ["compose", "facts", "peers", "recalculate", "render", "verify"];
/** Of the example in one locale: four instruments on two markets. */
export const EXAMPLE_STEPS = 4 * STEPS.length + 2;
/** The unpacked browser and subset fonts, shared by all tests: they are made once and never change. */
const CACHE = join(tmpdir(), "assay-test-cache");

export interface Running {
  process: ChildProcess;
  ended: Promise<Ended>;
  /** Resolves once standard error holds this text. */
  says(text: string): Promise<void>;
}

export interface Place {
  /** Holds data/, out/ and the batch. */
  dir: string;
  env: Record<string, string>;
  /** Where the database is external: its superuser, for looking in. */
  databaseUrl: string | null;
  start(...args: string[]): Promise<Running>;
  assay(...args: string[]): Promise<Ended>;
  /** As `assay`, in the shared process, after what was called before. */
  call(...args: string[]): Promise<Ended>;
}

const made: (() => Promise<void>)[] = [];
const alive = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of alive) child.kill("SIGKILL");
  closeShell();
  for (const remove of made.splice(0).reverse()) await remove();
});

/** On a clone of the test server's database, or (`embedded`) on a server of its own. */
export async function place(
  options: { embedded?: boolean; env?: Record<string, string>; database?: FreshDatabase } = {},
): Promise<Place> {
  const main = await builtMain();
  const dir = mkdtempSync(join(tmpdir(), "assay-e2e-"));
  // The embedded server runs as another user when the tests run as root.
  chmodSync(dir, 0o755);
  mkdirSync(join(dir, "data"));
  mkdirSync(CACHE, { recursive: true });
  symlinkSync(CACHE, join(dir, "data/cache"));
  const database = options.embedded ? null : (options.database ?? (await freshDatabase()));
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "/tmp",
    ASSAY_DATA: join(dir, "data"),
    ...(database === null ? {} : { DATABASE_URL: database.appUrl, ASSAY_ADMIN_DATABASE_URL: database.ownerUrl }),
    ...options.env,
  };
  const start = async (...args: string[]) => startProcess(main, args, dir, env);
  made.push(async () => {
    await database?.drop();
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  return {
    dir,
    env,
    databaseUrl: database?.superuserUrl ?? null,
    start,
    assay: async (...args) => (await start(...args)).ended,
    call: (...args) => inShell(main, { args, cwd: dir, env }),
  };
}

function startProcess(main: string, args: string[], cwd: string, env: Record<string, string>): Running {
  const child = spawn(process.execPath, [main, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  alive.add(child);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code, signal) => {
      alive.delete(child);
      resolve({ code, signal, stdout, stderr });
    });
  });
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (stderr.includes(text)) resolve();
      };
      child.stderr.on("data", look);
      child.on("close", () => reject(new Error(`ended without saying ${text}: ${stderr}`)));
      look();
    });
  return { process: child, ended, says };
}

export interface BatchEdit {
  /** Replacements in batch.yaml and universe.csv, each of which must be there. */
  yaml?: [from: string, to: string][];
  universe?: (text: string) => string;
}

/** A copy of batches/example-csv in Korean only (half the pages) that a test may spoil. Returns its folder. */
export function exampleIn(dir: string, edit: BatchEdit = {}, name = "batch"): string {
  const folder = join(dir, name);
  cpSync(EXAMPLE, folder, { recursive: true });
  change(join(folder, "batch.yaml"), ["locales: [ko-KR, en-US]", "locales: [ko-KR]"], ...(edit.yaml ?? []));
  if (edit.universe !== undefined) {
    const path = join(folder, "universe.csv");
    writeFileSync(path, edit.universe(readFileSync(path, "utf8")));
  }
  return folder;
}

export function change(path: string, ...replacements: [from: string, to: string][]): void {
  let text = readFileSync(path, "utf8");
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`${path} has no ${JSON.stringify(from)}`);
    text = text.replace(from, () => to);
  }
  writeFileSync(path, text);
}

/** Ended as it should: prints what it said when not. */
export function succeeded(run: Ended): Ended {
  if (run.code !== 0) throw new Error(`ended with ${run.code ?? run.signal}\n${run.stdout}\n${run.stderr}`);
  return run;
}

/** The coded fault of a command called with --json. */
export function faultOf(run: Ended): { code: string; message: string; at: string | null; hint: string | null } {
  const line = run.stderr.split("\n").find((text) => text.startsWith('{"error"'));
  if (line === undefined) throw new Error(`no coded fault; ended with ${run.code}\n${run.stdout}\n${run.stderr}`);
  return (JSON.parse(line) as { error: ReturnType<typeof faultOf> }).error;
}

export function textOf(...path: string[]): string {
  return readFileSync(join(...path), "utf8");
}

export function manifestOf(out: string): Manifest {
  return JSON.parse(textOf(out, "manifest.json")) as Manifest;
}

export function reportOf(out: string): Report {
  return JSON.parse(textOf(out, "report.json")) as Report;
}

export function rowsOf(path: string): Record<string, string>[] {
  const { data, errors } = Papa.parse<Record<string, string>>(readFileSync(path, "utf8"), {
    header: true,
    skipEmptyLines: true,
  });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return data;
}

/** Every file below, by relative path. */
export function filesBelow(folder: string, under = ""): string[] {
  return readdirSync(join(folder, under), { withFileTypes: true })
    .flatMap((entry) => {
      const path = under === "" ? entry.name : `${under}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(folder, path) : [path];
    })
    .sort();
}

/** Rows of the database as its superuser sees them. */
export async function query<T extends pg.QueryResultRow>({ env }: Place, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: env.ASSAY_ADMIN_DATABASE_URL });
  await client.connect();
  try {
    await client.query("SELECT set_config('app.tenant', 'main', false)");
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Ids of processes that work in, or were started from, this data directory. */
export function processesOf(dir: string, name: string): number[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return command.includes(dir) && command.includes(name);
      } catch {
        return false;
      }
    })
    .map(Number);
}
