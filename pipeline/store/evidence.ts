/**
 * Source versions, recorded once each under their evidence id. `ingested_at` is kept beside the document, never in it.
 * The payload's bytes must be in the object store before.
 */
import { canonicalJson } from "../domain/digest.ts";
import type { SourceVersion } from "../schema/evidence.ts";
import type { Tx } from "./database.ts";
import { assertStorable } from "./storable.ts";

export interface EvidenceRecord {
  evidence_id: string;
  version: SourceVersion;
}

/** Returns how many were new: a version seen before keeps its first `ingested_at`. */
export async function recordSourceVersions(
  tx: Tx,
  tenant: string,
  ingestedAt: string,
  evidence: readonly EvidenceRecord[],
): Promise<number> {
  if (evidence.length === 0) return 0;
  for (const { version } of evidence) assertStorable(version);
  return tx.$executeRaw`
    INSERT INTO source_version (tenant, evidence_id, document, ingested_at)
    SELECT ${tenant}, new.evidence_id, new.document::jsonb, ${ingestedAt}::timestamptz
    FROM unnest(${evidence.map((record) => record.evidence_id)}::text[],
                ${evidence.map(({ version }) => canonicalJson(version))}::text[]) AS new (evidence_id, document)
    ON CONFLICT DO NOTHING`;
}

export async function findSourceVersions(
  tx: Tx,
  tenant: string,
  evidenceIds: readonly string[],
): Promise<Map<string, { version: SourceVersion; ingested_at: string }>> {
  const rows = await tx.$queryRaw<{ evidence_id: string; document: SourceVersion; ingested_at: Date }[]>`
    SELECT evidence_id, document, ingested_at
    FROM source_version WHERE tenant = ${tenant} AND evidence_id = ANY(${[...evidenceIds]}::text[])`;
  return new Map(
    rows.map((row) => [row.evidence_id, { version: row.document, ingested_at: row.ingested_at.toISOString() }]),
  );
}
