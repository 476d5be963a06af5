/**
 * The database of one installation: embedded by default, the operator's own with DATABASE_URL; prepared on first use
 * and opened as the application role. Every statement on tenant rows goes through `inTenant`; outside it there are none.
 */
import pg from "pg";
import { AssayError } from "../domain/outcome.ts";
import { assertAppRole, bypassing } from "./app-role.ts";
import { type Embedded, type EmbeddedOptions, startEmbedded } from "./embedded.ts";
import { toAssayError } from "./faults.ts";
import { migrate, readPreparation } from "./migrate.ts";
import type { Prisma, PrismaClient } from "./prisma-client/client.ts";
import { loginOf, makeEmbeddedRoles, makeExternalAppRole } from "./roles.ts";

export type Tx = Prisma.TransactionClient;

export interface DatabaseOptions {
  dataDir: string;
  /** The application role's URL; absent: the embedded server. */
  databaseUrl?: string | undefined;
  /** The owner's URL, for migrations. */
  adminDatabaseUrl?: string | undefined;
  embedded?: EmbeddedOptions;
}

export interface Database {
  /** For the queue's own connections, as the application role. */
  appUrl: string;
  /** As the application role with no tenant set: it sees no tenant's rows. For temporary tables and pure SQL. */
  pool: pg.Pool;
  /** Loaded on first use. */
  prisma(): Promise<PrismaClient>;
  /** One transaction that sees and writes this tenant's rows only. Commits when `work` resolves. */
  inTenant<T>(tenant: string, work: (tx: Tx) => Promise<T>, limits?: { timeout_ms?: number }): Promise<T>;
  /** Throws when the role can bypass row-level security or change what was written. */
  checkRole(): Promise<void>;
  close(): Promise<void>;
}

const EMBEDDED_DATABASE = "assay";
const SERVER_VERSION_MIN = 160_000;
const WAIT_MS = 60_000;
const TIMEOUT_MS = 120_000;
const POOL_MAX = 6;

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const embedded =
    options.databaseUrl === undefined ? await startEmbedded(options.dataDir, options.embedded) : undefined;
  const appUrl = options.databaseUrl ?? embedded!.urlOf("app", EMBEDDED_DATABASE);
  const pool = new pg.Pool({ connectionString: appUrl, max: POOL_MAX, application_name: "assay", keepAlive: true });
  // An idle connection that breaks is replaced on the next use.
  pool.on("error", () => undefined);
  try {
    const ownerUrl = embedded?.urlOf("owner", EMBEDDED_DATABASE) ?? options.adminDatabaseUrl;
    await prepare(pool, appUrl, ownerUrl, embedded);
  } catch (error) {
    await pool.end();
    await embedded?.leave();
    throw toAssayError(error);
  }

  let client: Promise<PrismaClient> | undefined;
  const prisma = () => {
    client ??= openPrisma(appUrl);
    return client;
  };
  return {
    appUrl,
    pool,
    prisma,
    async inTenant(tenant, work, limits = {}) {
      assertTenant(tenant);
      const db = await prisma();
      try {
        return await db.$transaction(
          async (tx) => {
            await tx.$executeRaw`SELECT set_config('app.tenant', ${tenant}, true)`;
            return await work(tx);
          },
          { maxWait: WAIT_MS, timeout: limits.timeout_ms ?? TIMEOUT_MS },
        );
      } catch (error) {
        throw toAssayError(error);
      }
    },
    checkRole: () => assertAppRole(pool),
    async close() {
      const opened = await client?.catch(() => undefined);
      await Promise.all([pool.end(), opened?.$disconnect()]);
      await embedded?.leave();
    },
  };
}

export function assertTenant(tenant: string): void {
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(tenant)) {
    throw new AssayError("TENANT_MALFORMED", `not a tenant: ${JSON.stringify(tenant.slice(0, 80))}`, {
      hint: "Lower-case letters, digits and hyphens, at most 64, such as main.",
    });
  }
}

async function openPrisma(appUrl: string): Promise<PrismaClient> {
  const [{ PrismaClient }, { PrismaPg }] = await Promise.all([
    import("./prisma-client/client.ts"),
    import("@prisma/adapter-pg"),
  ]);
  const config = { connectionString: appUrl, max: POOL_MAX, application_name: "assay", keepAlive: true };
  return new PrismaClient({
    adapter: new PrismaPg(config, { onPoolError: () => undefined, onConnectionError: () => undefined }),
  });
}

async function prepare(
  pool: pg.Pool,
  appUrl: string,
  ownerUrl: string | undefined,
  embedded: Embedded | undefined,
): Promise<void> {
  const { name, password } = loginOf(appUrl);
  const preparation = await readPreparation(name);
  if ((await readFingerprint(pool)) === preparation.fingerprint) return;
  if (ownerUrl === undefined) {
    throw new AssayError("ADMIN_URL_MISSING", "the database is not prepared for this release", {
      hint: "Set ASSAY_ADMIN_DATABASE_URL to the owner of the database, so that migrations can run.",
    });
  }
  if (embedded !== undefined) {
    const owner = loginOf(ownerUrl).password;
    await makeEmbeddedRoles(embedded.superuserUrl, { owner, app: password }, EMBEDDED_DATABASE);
  } else {
    await makeExternalAppRole(ownerUrl, appUrl);
  }
  await migrate(ownerUrl, name, preparation);
  if ((await readFingerprint(pool)) !== preparation.fingerprint) {
    throw new AssayError(
      "DATABASE_NOT_PREPARED",
      "DATABASE_URL and ASSAY_ADMIN_DATABASE_URL name different databases, or the password of DATABASE_URL is wrong",
      {
        hint: "Both must name one database: the first as application role, the second as owner.",
      },
    );
  }
}

/** The fingerprint of migrate.ts, or undefined where role, database or preparation is missing. */
async function readFingerprint(pool: pg.Pool): Promise<string | undefined> {
  try {
    const { rows } = await pool.query<{ version: number; bypasses: boolean; role: string; prepared: string | null }>(
      `SELECT current_setting('server_version_num')::int AS version, rolsuper OR rolbypassrls AS bypasses,
              rolname AS role, obj_description(to_regnamespace('bullmq'), 'pg_namespace') AS prepared
       FROM pg_roles WHERE rolname = current_user`,
    );
    const { version, bypasses, role, prepared } = rows[0]!;
    if (version < SERVER_VERSION_MIN) {
      throw new AssayError("POSTGRES_TOO_OLD", `the server is Postgres ${Math.floor(version / 10_000)}`, {
        hint: "Postgres 16 or newer is needed; 18 is what the tests use.",
      });
    }
    if (bypasses) throw bypassing(role);
    return prepared?.replace(/^assay /, "");
  } catch (error) {
    // Wrong or unknown login, no such database: to be made.
    if (["28P01", "28000", "3D000"].includes((error as { code?: string }).code ?? "")) return undefined;
    throw error;
  }
}
