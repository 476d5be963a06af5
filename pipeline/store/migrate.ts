/**
 * Brings a database up to date as its owner: prisma/migrations in order, recorded in `_prisma_migrations` as Prisma's
 * own command records them (either may go on where the other stopped), then the queue's tables and the grants. A
 * database that is up to date bears a fingerprint, so that a start costs one query. Never changes an applied migration.
 */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { sha256 } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import { migrateQueue, QUEUE_SCHEMA, readQueueVersion } from "./queue-schema.ts";

/** Prisma's own lock: its command and this runner never run together. */
const PRISMA_LOCK = 72707369;

const MIGRATION_TABLE = `CREATE TABLE IF NOT EXISTS public._prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/** What a database must have been prepared with to be used by this release. */
export interface Preparation {
  migrations: Migration[];
  grants: string;
  fingerprint: string;
}

export async function readPreparation(appRole: string): Promise<Preparation> {
  // Beside the sources, or two levels up from the built code when the build did not copy them.
  const folder = [
    new URL("../../prisma/migrations", import.meta.url),
    new URL("../../../prisma/migrations", import.meta.url),
  ]
    .map((url) => fileURLToPath(url))
    .find((path) => existsSync(path));
  if (folder === undefined)
    throw new AssayError("MIGRATIONS_MISSING", "prisma/migrations is not part of this installation");
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const migrations = await Promise.all(
    names
      .map((entry) => entry.name)
      .sort()
      .map(async (name) => {
        const sql = await readFile(join(folder, name, "migration.sql"), "utf8");
        return { name, sql, checksum: sha256(sql) };
      }),
  );
  const [grants, queue] = await Promise.all([
    readFile(new URL("./grants.sql", import.meta.url), "utf8"),
    readQueueVersion(),
  ]);
  const checksums = migrations.map(({ name, checksum }) => `${name} ${checksum}`);
  return { migrations, grants, fingerprint: sha256([...checksums, queue, grants, appRole].join("\n")) };
}

/** Returns the names of the migrations applied now. Several callers at once: one applies, the others find it done. */
export async function migrate(ownerUrl: string, appRole: string, preparation: Preparation): Promise<string[]> {
  const owner = new pg.Client({ connectionString: ownerUrl, application_name: "assay migrate" });
  owner.on("error", () => undefined);
  await owner.connect();
  try {
    await owner.query(`SELECT pg_advisory_lock(${PRISMA_LOCK})`);
    await owner.query("SET search_path = public");
    const applied = await applyMigrations(owner, preparation.migrations);
    await migrateQueue(owner);
    await owner.query("SELECT set_config('assay.app_role', $1, false)", [appRole]);
    await owner.query(preparation.grants);
    // A comment on the owner's own schema: readable by every role, copied with a template, kept by a dump.
    await owner.query(`COMMENT ON SCHEMA ${QUEUE_SCHEMA} IS 'assay ${preparation.fingerprint}'`);
    return applied;
  } finally {
    await owner.end();
  }
}

interface Recorded {
  migration_name: string;
  checksum: string;
}

async function applyMigrations(owner: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  await owner.query(MIGRATION_TABLE);
  // A run that was killed left its row open and, being one transaction, nothing else.
  await owner.query(
    "UPDATE public._prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL",
  );
  const { rows } = await owner.query<Recorded>(
    "SELECT migration_name, checksum FROM public._prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
  );
  const recorded = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  for (const name of recorded.keys()) {
    if (migrations.some((migration) => migration.name === name)) continue;
    throw new AssayError("MIGRATION_UNKNOWN", `the database has migration ${name}, which this release does not know`, {
      hint: "The database was made by a newer Assay: use that release, or another data directory.",
    });
  }
  const applied: string[] = [];
  for (const migration of migrations) {
    const checksum = recorded.get(migration.name);
    if (checksum === undefined) {
      await apply(owner, migration);
      applied.push(migration.name);
    } else if (checksum !== migration.checksum) {
      throw new AssayError("MIGRATION_ALTERED", `migration ${migration.name} was changed after it was applied`, {
        hint: "Restore the file and write a new migration instead.",
        at: `prisma/migrations/${migration.name}/migration.sql`,
      });
    }
  }
  return applied;
}

/** The file and its finished row commit together: a kill at any point leaves it wholly applied or not at all. */
async function apply(owner: pg.Client, migration: Migration): Promise<void> {
  const { rows } = await owner.query<{ id: string }>(
    `INSERT INTO public._prisma_migrations (id, checksum, migration_name) VALUES (gen_random_uuid()::text, $1, $2) RETURNING id`,
    [migration.checksum, migration.name],
  );
  const id = rows[0]!.id;
  try {
    await owner.query("BEGIN");
    await owner.query(migration.sql);
    await owner.query(
      "UPDATE public._prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1",
      [id],
    );
    await owner.query("COMMIT");
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    await owner.query("ROLLBACK").catch(() => undefined);
    await owner
      .query("UPDATE public._prisma_migrations SET logs = $2 WHERE id = $1", [id, message])
      .catch(() => undefined);
    throw new AssayError("MIGRATION_FAILED", `migration ${migration.name} failed: ${message}`, {
      at: `prisma/migrations/${migration.name}/migration.sql`,
      cause,
    });
  }
}
