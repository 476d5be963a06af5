/**
 * Identities of card versions. Equal content is the same version, in whatever state its events put it: recording it
 * again changes nothing. There is no state here.
 */
import type { Sha256 } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
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

export async function findCardVersions(
  tx: Tx,
  tenant: string,
  batch: string,
  instrument?: string,
): Promise<CardVersionRow[]> {
  return tx.cardVersion.findMany({
    where: { tenant, batch, ...(instrument === undefined ? {} : { instrument }) },
    omit: { tenant: true, recorded_at: true },
    orderBy: [{ instrument: "asc" }, { channel: "asc" }, { locale: "asc" }, { recorded_at: "asc" }],
  });
}

const PREFIX = /^[0-9a-f]{8,64}$/;

/** Whether a text can name one version of the tenant: the beginning of an id, long enough not to be a slip. */
export function isVersionPrefix(text: string): boolean {
  return PREFIX.test(text);
}

/** The one version whose id begins so. */
export async function getCardVersion(tx: Tx, tenant: string, prefix: string): Promise<CardVersionRow> {
  const found = isVersionPrefix(prefix)
    ? await tx.cardVersion.findMany({
        // A range of the key, not a pattern: it is read by its index in any collation of digits before letters.
        where: { tenant, version_id: { gte: prefix, lt: `${prefix}g` } },
        omit: { tenant: true, recorded_at: true },
        orderBy: { version_id: "asc" },
        take: 2,
      })
    : [];
  const [first, second] = found;
  if (first === undefined) {
    throw new AssayError("VERSION_UNKNOWN", `no version ${JSON.stringify(prefix.slice(0, 80))}`, {
      hint: "give the first eight or more digits of a version's id; `assay show <instrument>` lists them",
    });
  }
  if (second !== undefined) {
    throw new AssayError("VERSION_AMBIGUOUS", `several versions begin with ${prefix}`, {
      hint: `give more digits: ${first.version_id}, ${second.version_id}`,
    });
  }
  return first;
}
