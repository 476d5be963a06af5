/**
 * A database of one's own for a test file, cloned from a migrated template on the run's one Postgres (fsync off). Real
 * roles, real triggers: the application role is what `database` works as, the others are here to try to break in.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "../../pipeline/store/database.ts";
import { type Embedded, startEmbedded } from "../../pipeline/store/embedded.ts";
import { migrate, readPreparation } from "../../pipeline/store/migrate.ts";
import { loginOf, makeEmbeddedRoles } from "../../pipeline/store/roles.ts";

const TEMPLATE = "assay_template";
const TEMPLATE_LOCK = "280808907099";

export interface FreshDatabase {
  database: Database;
  /** A data directory of its own, removed by `drop`. */
  dataDir: string;
  appUrl: string;
  ownerUrl: string;
  superuserUrl: string;
  drop(): Promise<void>;
}

export function startTestServer(dir: string): Promise<Embedded> {
  return startEmbedded(dir, { settings: { fsync: "off", full_page_writes: "off", synchronous_commit: "off" } });
}

let server: Promise<Embedded> | undefined;

/** Never left by a worker: the run's teardown stops the server, so that files do not stop it for each other. */
export function testServer(): Promise<Embedded> {
  server ??= startTestServer(inject("testServerDir"));
  return server;
}

export async function freshDatabase(template = TEMPLATE): Promise<FreshDatabase> {
  const embedded = await testServer();
  await makeTemplate(embedded);
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  await asSuperuser(embedded, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER assay_owner STRATEGY wal_log`),
  );
  const dataDir = await mkdtemp(join(tmpdir(), "assay-data-"));
  const appUrl = embedded.urlOf("app", name);
  const database = await openDatabase({ dataDir, databaseUrl: appUrl });
  return {
    database,
    dataDir,
    appUrl,
    ownerUrl: embedded.urlOf("owner", name),
    superuserUrl: embedded.urlOf("superuser", name),
    async drop() {
      await database.close();
      await asSuperuser(embedded, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** An empty database, owned by the owner and not yet prepared. */
export async function emptyDatabase(): Promise<{ appUrl: string; ownerUrl: string; drop(): Promise<void> }> {
  const embedded = await testServer();
  await makeTemplate(embedded);
  const name = `e_${randomUUID().replaceAll("-", "")}`;
  await asSuperuser(embedded, (client) => client.query(`CREATE DATABASE ${name} OWNER assay_owner`));
  return {
    appUrl: embedded.urlOf("app", name),
    ownerUrl: embedded.urlOf("owner", name),
    async drop() {
      await asSuperuser(embedded, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

/** Makes `name` a template of what `fill` leaves in a database, once a test run: who comes meanwhile waits. */
export async function templateOf(name: string, fill: (database: FreshDatabase) => Promise<void>): Promise<void> {
  const embedded = await testServer();
  await asSuperuser(embedded, async (client) => {
    await client.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [name]);
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (rowCount !== 0) return;
    const database = await freshDatabase();
    await fill(database);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${new URL(database.appUrl).pathname.slice(1)}`);
  });
}

/** Once a run: workers that come at the same time wait for the first. */
async function makeTemplate(embedded: Embedded): Promise<void> {
  await asSuperuser(embedded, async (client) => {
    await client.query(`SELECT pg_advisory_lock(${TEMPLATE_LOCK})`);
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1 AND datistemplate", [TEMPLATE]);
    if (rowCount !== 0) return;
    const appUrl = embedded.urlOf("app", TEMPLATE);
    const ownerUrl = embedded.urlOf("owner", TEMPLATE);
    const passwords = { owner: loginOf(ownerUrl).password, app: loginOf(appUrl).password };
    await makeEmbeddedRoles(embedded.superuserUrl, passwords, TEMPLATE);
    await migrate(ownerUrl, "assay_app", await readPreparation("assay_app"));
    await client.query(`ALTER DATABASE ${TEMPLATE} IS_TEMPLATE true`);
  });
}

async function asSuperuser<T>(embedded: Embedded, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: embedded.superuserUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
