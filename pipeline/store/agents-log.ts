/**
 * A run's journal and documents in Postgres, as agents/turn-log wants them. Entries and their documents commit together; the
 * database checks token, order and digests a second time. What was read is what was written, or the journal refuses it.
 */
import { canonicalJson, type Sha256 } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import type { RunDocument, RunEntry } from "../schema/run-entry.ts";
import { inRun, type Lease } from "./agents-lease.ts";
import type { Database, Tx } from "./database.ts";

export interface RunLog {
  root_id: string;
  fence: number;
  read(): Promise<RunEntry[]>;
  append(entries: readonly RunEntry[], documents: readonly RunDocument[]): Promise<void>;
  documents(digests: readonly Sha256[]): Promise<Map<Sha256, unknown>>;
}

export function openRunLog(database: Database, tenant: string, { root_id, fence }: Lease): RunLog {
  return {
    root_id,
    fence,
    read: () => database.inTenant(tenant, (tx) => readRunEntries(tx, tenant, root_id)),
    append: (entries, documents) =>
      inRun(database, tenant, async (tx) => {
        await insertDocuments(tx, tenant, documents);
        await insertEntries(tx, tenant, root_id, entries);
      }),
    documents: (digests) => database.inTenant(tenant, (tx) => readRunDocuments(tx, tenant, digests)),
  };
}

/** For whoever looks at a run without working at it. */
export async function readRunEntries(tx: Tx, tenant: string, rootId: string): Promise<RunEntry[]> {
  const rows = await tx.$queryRaw<{ facts: string; digest: string }[]>`
    SELECT facts::text, digest FROM run_entry WHERE tenant = ${tenant} AND root_id = ${rootId} ORDER BY seq`;
  return rows.map(({ facts, digest }) => ({ ...(JSON.parse(facts) as Omit<RunEntry, "digest">), digest }));
}

export async function readRunDocuments(
  tx: Tx,
  tenant: string,
  digests: readonly Sha256[],
): Promise<Map<Sha256, unknown>> {
  if (digests.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ digest: string; document: string }[]>`
    SELECT digest, document::text FROM run_document WHERE tenant = ${tenant} AND digest = ANY(${[...digests]}::text[])`;
  const found = new Map(rows.map(({ digest, document }) => [digest, JSON.parse(document) as unknown]));
  const missing = digests.find((digest) => !found.has(digest));
  if (missing === undefined) return found;
  throw new AssayError("RUN_DOCUMENT_MISSING", `no document ${missing} of a run`, {
    hint: "Restore the database from a backup; nothing goes on from a run that is not whole.",
  });
}

async function insertDocuments(tx: Tx, tenant: string, documents: readonly RunDocument[]): Promise<void> {
  if (documents.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO run_document (tenant, digest, kind, document)
    SELECT ${tenant}, new.digest, new.kind, new.document::json
    FROM unnest(${documents.map(({ digest }) => digest)}::text[], ${documents.map(({ kind }) => kind)}::text[],
                ${documents.map(({ document }) => canonicalJson(document))}::text[]) AS new (digest, kind, document)
    ON CONFLICT DO NOTHING`;
}

async function insertEntries(tx: Tx, tenant: string, rootId: string, entries: readonly RunEntry[]): Promise<void> {
  const facts = entries.map(({ digest: _, ...rest }) => canonicalJson(rest));
  await tx.$executeRaw`
    INSERT INTO run_entry (tenant, root_id, seq, fence, facts, digest)
    SELECT ${tenant}, ${rootId}, new.seq, new.fence, new.facts::json, new.digest
    FROM unnest(${entries.map(({ seq }) => seq)}::bigint[], ${entries.map(({ fence }) => fence)}::bigint[],
                ${facts}::text[], ${entries.map(({ digest }) => digest)}::text[])
      AS new (seq, fence, facts, digest)
    ORDER BY new.seq`;
}
