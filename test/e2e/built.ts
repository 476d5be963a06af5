/**
 * The program under test as it is shipped: `dist/` where it is newer than every source, else a build of the sources kept
 * by their digest, so that test files that run at once neither build twice nor pull a build from under each other.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sha256 } from "../../pipeline/domain/digest.ts";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BUILDS = join(ROOT, "node_modules/.cache/assay");
const MAIN = "pipeline/app/main.js";

let built: Promise<string> | undefined;

/** Path of main.js. */
export function builtMain(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  const sources = ["pipeline", "templates"].flatMap((folder) => filesBelow(join(ROOT, folder)));
  sources.push(join(ROOT, "build.js"), join(ROOT, "tsconfig.json"), join(ROOT, "package.json"));
  const shipped = join(ROOT, "dist", MAIN);
  const newest = Math.max(...sources.map((path) => statSync(path).mtimeMs));
  if (existsSync(shipped) && statSync(shipped).mtimeMs > newest) return shipped;

  const digest = sha256(sources.map((path) => `${path} ${sha256(readFileSync(path))}`).join("\n")).slice(0, 16);
  const folder = join(BUILDS, digest);
  const lock = `${folder}.lock`;
  mkdirSync(BUILDS, { recursive: true });
  while (!existsSync(folder)) {
    if (!taken(lock)) {
      await pause(200);
      continue;
    }
    try {
      if (existsSync(folder)) break;
      const aside = `${folder}.${process.pid}`;
      execFileSync(process.execPath, ["build.js", aside], { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
      symlinkSync(join(ROOT, "prisma"), join(aside, "prisma"));
      put(aside, folder);
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
  return join(folder, MAIN);
}

/** A builder that was so slow that another took over finds the same build in place. */
function put(aside: string, folder: string): void {
  try {
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** A lock whose taker was killed is taken over after two minutes. */
function taken(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (made > 0 && Date.now() - made > 120_000) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}
