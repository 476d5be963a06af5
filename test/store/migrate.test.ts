import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../pipeline/domain/digest.ts";
import { openDatabase } from "../../pipeline/store/database.ts";
import { type Migration, migrate, readPreparation } from "../../pipeline/store/migrate.ts";
import { emptyDatabase, freshDatabase } from "../support/database.ts";

let empty: Awaited<ReturnType<typeof emptyDatabase>>;
beforeEach(async () => {
  empty = await emptyDatabase();
});
afterEach(() => empty.drop());

const prepared = () => readPreparation("assay_app");
const migration = (name: string, sql: string): Migration => ({ name, sql, checksum: sha256(sql) });

async function recorded(): Promise<
  { migration_name: string; done: boolean; applied_steps_count: number; logs: string | null }[]
> {
  return asOwner(async (client) => {
    const { rows } = await client.query(
      "SELECT migration_name, finished_at IS NOT NULL AS done, applied_steps_count, logs FROM _prisma_migrations ORDER BY started_at",
    );
    return rows;
  });
}

async function asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: empty.ownerUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe("migrations", () => {
  it("three runners at once: each migration is applied once", async () => {
    const preparation = await prepared();
    const applied = await Promise.all([1, 2, 3].map(() => migrate(empty.ownerUrl, "assay_app", preparation)));
    expect(applied.flat()).toEqual(preparation.migrations.map(({ name }) => name));
    expect(await recorded()).toEqual(
      preparation.migrations.map(({ name }) => ({
        migration_name: name,
        done: true,
        applied_steps_count: 1,
        logs: null,
      })),
    );
  });

  it("checksums are SHA-256 of the files, as Prisma records them", async () => {
    const preparation = await prepared();
    await migrate(empty.ownerUrl, "assay_app", preparation);
    const stored = await asOwner((client) => client.query("SELECT checksum FROM _prisma_migrations"));
    expect(stored.rows.map((row) => row.checksum)).toEqual(preparation.migrations.map(({ sql }) => sha256(sql)));
  });

  it("one that fails leaves nothing but its log, and is tried again once mended", async () => {
    const preparation = await prepared();
    const broken = migration("0002_broken", "CREATE TABLE half (a int); SELECT 1/0;");
    const withBroken = { ...preparation, migrations: [...preparation.migrations, broken] };
    await expect(migrate(empty.ownerUrl, "assay_app", withBroken)).rejects.toMatchObject({ code: "MIGRATION_FAILED" });
    expect((await recorded()).at(-1)).toMatchObject({
      migration_name: "0002_broken",
      done: false,
      logs: "division by zero",
    });
    expect((await asOwner((client) => client.query("SELECT to_regclass('half') AS half"))).rows).toEqual([
      { half: null },
    ]);
    const mended = {
      ...preparation,
      migrations: [...preparation.migrations, migration("0002_broken", "CREATE TABLE half (a int);")],
    };
    expect(await migrate(empty.ownerUrl, "assay_app", mended)).toEqual(["0002_broken"]);
  });

  it("a runner killed half-way leaves an open row, and the next one applies it", async () => {
    const preparation = await prepared();
    await migrate(empty.ownerUrl, "assay_app", preparation);
    await asOwner((client) =>
      client.query("INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('k', 'c', '0002_next')"),
    );
    const next = {
      ...preparation,
      migrations: [...preparation.migrations, migration("0002_next", "CREATE TABLE next (a int)")],
    };
    expect(await migrate(empty.ownerUrl, "assay_app", next)).toEqual(["0002_next"]);
  });

  it.each([
    [
      "changed after it was applied",
      (all: Migration[]) => all.map((one) => ({ ...one, checksum: sha256("other") })),
      "MIGRATION_ALTERED",
    ],
    ["applied by a newer release", () => [], "MIGRATION_UNKNOWN"],
  ])("one that was %s is refused", async (_name, change, code) => {
    const preparation = await prepared();
    await migrate(empty.ownerUrl, "assay_app", preparation);
    const changed = { ...preparation, migrations: change(preparation.migrations) };
    await expect(migrate(empty.ownerUrl, "assay_app", changed)).rejects.toMatchObject({ code });
  });
});

describe("a database of the operator's own", () => {
  const open = (databaseUrl: string, adminDatabaseUrl?: string) =>
    openDatabase({ dataDir: "/nowhere", databaseUrl, adminDatabaseUrl });

  it("is prepared with the owner's URL, and opens without it from then on", async () => {
    await (await open(empty.appUrl, empty.ownerUrl)).close();
    const database = await open(empty.appUrl);
    await database.checkRole();
    expect(await database.inTenant("main", (tx) => tx.ledgerEvent.count())).toBe(0);
    await database.close();
  });

  it("not prepared and no owner's URL: ADMIN_URL_MISSING, with what to set", async () => {
    await expect(open(empty.appUrl)).rejects.toMatchObject({
      code: "ADMIN_URL_MISSING",
      hint: expect.stringContaining("ASSAY_ADMIN_DATABASE_URL"),
    });
  });

  it("the owner as application role may change rows, and is refused by the check", async () => {
    const database = await open(empty.ownerUrl, empty.ownerUrl);
    await expect(database.checkRole()).rejects.toMatchObject({ code: "ROLE_MAY_CHANGE_ROWS" });
    await database.close();
  });

  it("a superuser as application role is refused at once", async () => {
    const fresh = await freshDatabase();
    await expect(open(fresh.superuserUrl)).rejects.toMatchObject({ code: "ROLE_BYPASSES_RLS" });
    await fresh.drop();
  });

  it("a server that is not there is DATABASE_UNREACHABLE, to be tried later", async () => {
    await expect(open("postgresql://app:x@127.0.0.1:9/none")).rejects.toMatchObject({
      code: "DATABASE_UNREACHABLE",
      retry: "later",
    });
  });

  it("a wrong password is told", async () => {
    const url = new URL(empty.appUrl);
    url.password = "wrong";
    await expect(open(url.href, empty.ownerUrl)).rejects.toMatchObject({ code: "DATABASE_NOT_PREPARED" });
  });
});

it("the queue works as the application role, on the tables made by the owner", async () => {
  const { Queue, Worker, createPostgresBackend, setDefaultBackendFactory } = await import("bullmq");
  await migrate(empty.ownerUrl, "assay_app", await prepared());
  setDefaultBackendFactory(createPostgresBackend);
  const connection = { connectionString: empty.appUrl, max: 4, schema: "bullmq", skipMigrations: true } as never;
  const queue = new Queue("steps", { connection });
  const worker = new Worker("steps", async (job) => job.data.n * 2, { connection });
  const jobs = await queue.addBulk([1, 2, 3].map((n) => ({ name: "double", data: { n } })));
  // The stored result is what counts: an event could come before anybody listens.
  const results = async () => Promise.all(jobs.map(async (job) => (await queue.getJob(job.id!))?.returnvalue));
  await expect.poll(results, { timeout: 60_000, interval: 100 }).toEqual([2, 4, 6]);
  await worker.close();
  await queue.close();
});
