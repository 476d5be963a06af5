/**
 * The two roles and the database, made once: by the embedded server's superuser, which is used for nothing else, or
 * the application role alone by the owner of an external database. Grants nothing on tables (grants.sql does).
 */
import pg from "pg";
import { AssayError } from "../domain/outcome.ts";

const BOOTSTRAP_LOCK = "280808907098";

export async function makeEmbeddedRoles(
  superuserUrl: string,
  passwords: { owner: string; app: string },
  database: string,
): Promise<void> {
  const superuser = new pg.Client({ connectionString: superuserUrl });
  superuser.on("error", () => undefined);
  await superuser.connect();
  try {
    await superuser.query(`SELECT pg_advisory_lock(${BOOTSTRAP_LOCK})`);
    await makeRole(superuser, "assay_owner", passwords.owner);
    await makeRole(superuser, "assay_app", passwords.app);
    const { rowCount } = await superuser.query("SELECT FROM pg_database WHERE datname = $1", [database]);
    if (rowCount === 0) await superuser.query(`CREATE DATABASE ${pg.escapeIdentifier(database)} OWNER assay_owner`);
  } finally {
    await superuser.end();
  }
}

/** On a server of the operator's: makes the application role when it is missing and the owner is allowed to. */
export async function makeExternalAppRole(ownerUrl: string, appUrl: string): Promise<void> {
  const { name, password } = loginOf(appUrl);
  const owner = new pg.Client({ connectionString: ownerUrl });
  owner.on("error", () => undefined);
  await owner.connect();
  try {
    const { rowCount } = await owner.query("SELECT FROM pg_roles WHERE rolname = $1", [name]);
    if (rowCount === 0) await makeRole(owner, name, password);
  } catch (cause) {
    throw new AssayError("APP_ROLE_MISSING", `the role ${name} of DATABASE_URL does not exist and could not be made`, {
      hint: `As an administrator: CREATE ROLE ${pg.escapeIdentifier(name)} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '…';`,
      cause,
    });
  } finally {
    await owner.end();
  }
}

export function loginOf(url: string): { name: string; password: string } {
  const { username, password } = new URL(url);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}

async function makeRole(client: pg.Client, name: string, password: string): Promise<void> {
  const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [name]);
  // An ALTER of an existing role restores what the password file says.
  const verb = rowCount === 0 ? "CREATE" : "ALTER";
  await client.query(
    `${verb} ROLE ${pg.escapeIdentifier(name)} LOGIN NOCREATEDB NOCREATEROLE PASSWORD ${pg.escapeLiteral(password)}`,
  );
}
