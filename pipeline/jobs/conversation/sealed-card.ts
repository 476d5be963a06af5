/** The card of a product that was sealed last and is still in force, as a reader sees it, with its seal. Null: there is none. */
import { readVersions } from "../../ledger/projections.ts";
import { stateAt } from "../../lifecycle/card-version.ts";
import type { Verified } from "../../schema/step-documents.ts";
import type { JsonObject } from "../../schema/turn.ts";
import { findCardVersions } from "../../store/card-versions.ts";
import type { Database } from "../../store/database.ts";
import type { RunContext } from "../context.ts";

export async function readSealedCard(
  database: Database,
  { tenant, frozen, objects }: RunContext,
  instrument: string,
  now: () => string,
): Promise<JsonObject | null> {
  const sealed = await database.inTenant(tenant, async (tx) => {
    const rows = await findCardVersions(tx, tenant, frozen.batch.id, instrument);
    const versions = await readVersions(
      tx,
      tenant,
      rows.map(({ version_id }) => version_id),
    );
    const at = now();
    return rows
      .flatMap((row) => {
        const version = versions.get(row.version_id);
        const isInForce = version !== undefined && version.seal !== null && stateAt(version, at) === "SEALED";
        return isInForce ? [{ row, seq: version.seq, seal: version.seal! }] : [];
      })
      .sort((a, b) => a.seq - b.seq)
      .at(-1);
  });
  if (sealed === undefined) return null;
  const { version_id, channel, locale, content_digest, document_digest } = sealed.row;
  const read = async <T>(digest: string) => JSON.parse((await objects.get(digest)).toString("utf8")) as T;
  const { locales } = await read<Verified>(document_digest);
  const card = locales.find((page) => page.locale === locale)?.card ?? null;
  const { valid_until } = sealed.seal;
  const seal = { version_id, batch: frozen.batch.id, instrument, channel, locale, content_digest, valid_until };
  return { ...seal, card: card === null ? null : await read<JsonObject>(card) };
}
