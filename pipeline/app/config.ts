/**
 * The only reader of the environment. Everything else is handed what it needs. Paths come out absolute; nothing is
 * opened or created here.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { AssayError } from "../domain/outcome.ts";

// React draws eight times slower in its development build; it chooses when it is first imported, which is after this.
process.env.NODE_ENV ??= "production";

export interface Config {
  /** Folder of package.json: batches of the repository and the build live below it. */
  root: string;
  dataDir: string;
  databaseUrl: string | null;
  adminDatabaseUrl: string | null;
  redisUrl: string | null;
  chromePath: string | null;
  allowRoots: string[];
  tenant: string;
  version: string;
  isTerminal: boolean;
}

export function readConfig(env: NodeJS.ProcessEnv = process.env, cwd = process.cwd()): Config {
  const root = packageRoot();
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    version: string;
    assay?: { allow_roots?: string[] };
  };
  // A variable set to nothing is not set.
  const given = (name: string) => env[name] || undefined;
  const tenant = given("ASSAY_TENANT") ?? "main";
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(tenant)) {
    throw new AssayError("CONFIG_INVALID", `ASSAY_TENANT ${JSON.stringify(tenant)} is not a tenant id`, {
      hint: "use lower-case letters, digits and hyphens",
    });
  }
  const declared = (manifest.assay?.allow_roots ?? []).map((path) => resolve(root, path));
  const fromEnv = (given("ASSAY_ALLOW_ROOTS") ?? "").split(":").filter((path) => path !== "");
  return {
    root,
    dataDir: resolve(cwd, given("ASSAY_DATA") ?? ".assay"),
    databaseUrl: given("DATABASE_URL") ?? null,
    adminDatabaseUrl: given("ASSAY_ADMIN_DATABASE_URL") ?? null,
    redisUrl: given("REDIS_URL") ?? null,
    chromePath: given("CHROME_PATH") ?? null,
    allowRoots: [...declared, ...fromEnv.map((path) => resolve(cwd, path))].filter((path) => existsSync(path)),
    tenant,
    version: manifest.version,
    isTerminal: process.stderr.isTTY === true && env.CI === undefined,
  };
}

function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new AssayError("CONFIG_INVALID", "package.json not found above the program");
    folder = parent;
  }
  return folder;
}
