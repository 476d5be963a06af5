/**
 * Identities of card versions. Equal content is the same version, in whatever state its events put it: recording it
 * again changes nothing. There is no state here.
 */
import type { Sha256 } from "../domain/digest.ts";
import type { Tx } from "./database.ts";

export interface CardVersionRow {
  version_id: string;
  batch: string;
  instrument: string;
  channel: string;
  locale: string;
  content_digest: Sha256;
  document_digest: Sha256;
}

/** Returns the ids of those that are new. */
export async function recordCardVersions(
  tx: Tx,
  tenant: string,
  at: string,
  versions: readonly CardVersionRow[],
): Promise<Set<string>> {
  if (versions.length === 0) return new Set();
  const column = (name: keyof CardVersionRow) => versions.map((version) => version[name]);
  const added = await tx.$queryRaw<{ version_id: string }[]>`
    INSERT INTO card_version
      (tenant, version_id, batch, instrument, channel, locale, content_digest, document_digest, recorded_at)
    SELECT ${tenant}, new.*, ${at}::timestamptz
    FROM unnest(${column("version_id")}::text[], ${column("batch")}::text[], ${column("instrument")}::text[],
                ${column("channel")}::text[], ${column("locale")}::text[], ${column("content_digest")}::text[],
                ${column("document_digest")}::text[]) AS new
    ON CONFLICT DO NOTHING RETURNING version_id`;
  return new Set(added.map((row) => row.version_id));
}

export async function findCardVersions(tx: Tx, tenant: string, batch: string): Promise<CardVersionRow[]> {
  return tx.cardVersion.findMany({
    where: { tenant, batch },
    omit: { tenant: true, recorded_at: true },
    orderBy: [{ instrument: "asc" }, { channel: "asc" }, { locale: "asc" }, { recorded_at: "asc" }],
  });
}
