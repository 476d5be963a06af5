/**
 * Proves that the role we work as can neither see other tenants' rows nor change what was written. Repairs nothing:
 * a role that can is refused.
 */
import type pg from "pg";
import { AssayError } from "../domain/outcome.ts";

interface Powers {
  role: string;
  bypasses: boolean;
  changeable: string[];
  open: string[];
}

/** `open`: tenant tables whose row-level security is not forced. `changeable`: tables the role may alter rows of. */
const POWERS = `
SELECT current_user::text AS role,
       (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) AS bypasses,
       coalesce(array_agg(c.relname::text ORDER BY c.relname) FILTER (WHERE
         has_table_privilege(c.oid, 'UPDATE') OR has_any_column_privilege(c.oid, 'UPDATE')
         OR has_table_privilege(c.oid, 'DELETE') OR has_table_privilege(c.oid, 'TRUNCATE')
         OR pg_has_role(c.relowner, 'MEMBER')), '{}') AS changeable,
       coalesce(array_agg(c.relname::text ORDER BY c.relname) FILTER (WHERE
         NOT (c.relrowsecurity AND c.relforcerowsecurity)
         AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant')), '{}') AS open
FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`;

export async function assertAppRole(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<Powers>(POWERS);
  const { role, bypasses, changeable, open } = rows[0]!;
  if (bypasses) throw bypassing(role);
  if (changeable.length > 0) {
    throw new AssayError("ROLE_MAY_CHANGE_ROWS", `the role ${role} may change rows of ${changeable.join(", ")}`, {
      hint: "Let DATABASE_URL name a role of its own that owns nothing; ASSAY_ADMIN_DATABASE_URL names the owner.",
    });
  }
  if (open.length > 0) {
    throw new AssayError("ROW_SECURITY_MISSING", `row-level security is not forced on ${open.join(", ")}`, {
      hint: "Run the migrations again, or ask who altered these tables.",
    });
  }
}

export function bypassing(role: string): AssayError {
  return new AssayError("ROLE_BYPASSES_RLS", `the role ${role} is a superuser or bypasses row-level security`, {
    hint: `Let DATABASE_URL name a role made by: CREATE ROLE assay_app LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '…';`,
  });
}
