/** Revisions of saved methods and frozen catalogues. The highest revision of a method is the method; nothing is overwritten. */
import { canonicalJson, digestOf, type Sha256 } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import { type Catalogue, catalogueSchema, contentHash, type Expert, expertSchema } from "../schema/expert.ts";
import type { Tx } from "./database.ts";
import { assertStorable } from "./storable.ts";

interface Row {
  expert_id: string;
  revision: bigint;
  owner: string;
  method: string;
  content_hash: string;
  state: string;
  saved_at: Date;
}

/** Methods of an owner as they are, deleted ones included, by id. */
export async function readExperts(tx: Tx, tenant: string, owner: string): Promise<Expert[]> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT DISTINCT ON (expert_id) expert_id, revision, owner, method::text, content_hash, state, saved_at
    FROM expert_revision WHERE tenant = ${tenant} AND owner = ${owner} ORDER BY expert_id, revision DESC`;
  return rows.map(toExpert);
}

/** All revisions of one method, the first first. */
export async function readRevisions(tx: Tx, tenant: string, owner: string, expertId: string): Promise<Expert[]> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT expert_id, revision, owner, method::text, content_hash, state, saved_at FROM expert_revision
    WHERE tenant = ${tenant} AND owner = ${owner} AND expert_id = ${expertId} ORDER BY revision`;
  return rows.map(toExpert);
}

export async function insertExpert(tx: Tx, tenant: string, expert: Expert): Promise<void> {
  const { expert_id, revision, owner, method, content_hash, state, saved_at } = expertSchema.parse(expert);
  assertStorable(method);
  await tx.$executeRaw`
    INSERT INTO expert_revision (tenant, expert_id, revision, owner, method, content_hash, state, saved_at)
    VALUES (${tenant}, ${expert_id}, ${revision}, ${owner}, ${canonicalJson(method)}::json, ${content_hash}, ${state},
            ${saved_at}::timestamptz)`;
}

export async function recordCatalogue(tx: Tx, tenant: string, catalogue: Catalogue): Promise<Sha256> {
  const digest = digestOf("expert_catalogue", catalogue);
  await tx.$executeRaw`
    INSERT INTO expert_catalogue (tenant, digest, document)
    VALUES (${tenant}, ${digest}, ${canonicalJson(catalogue)}::json) ON CONFLICT DO NOTHING`;
  return digest;
}

/** The catalogue that a run froze. Throws when it is not what was frozen: a run does not go on with another one. */
export async function readCatalogue(tx: Tx, tenant: string, digest: Sha256): Promise<Catalogue> {
  const rows = await tx.$queryRaw<{ document: string }[]>`
    SELECT document::text FROM expert_catalogue WHERE tenant = ${tenant} AND digest = ${digest}`;
  const parsed = catalogueSchema.safeParse(JSON.parse(rows[0]?.document ?? "null"));
  if (parsed.success && digestOf("expert_catalogue", parsed.data) === digest) return parsed.data;
  throw new AssayError("CATALOGUE_MISSING", `no frozen catalogue ${digest.slice(0, 12)}`, {
    hint: "Restore the database from a backup; a run does not go on with other methods than it began with.",
  });
}

/** What does not bear the hash of its own content is nobody's method. */
function toExpert({ revision, method, saved_at, ...row }: Row): Expert {
  const document = { schema: "expert/v1", ...row, revision: Number(revision), method: JSON.parse(method) };
  const parsed = expertSchema.safeParse({ ...document, saved_at: saved_at.toISOString() });
  if (parsed.success && contentHash(parsed.data.method) === row.content_hash) return parsed.data;
  throw new AssayError("EXPERT_ALTERED", `revision ${revision} of ${row.expert_id} is not what was saved`, {
    hint: "Restore the database from a backup; the method is not used until then.",
  });
}
