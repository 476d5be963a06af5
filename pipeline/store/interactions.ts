/** Events of interactions, in order, as they were written. Folds nothing; decides nothing. */
import { canonicalJson } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import {
  type EventBody,
  INTERACTION_EVENTS,
  type InteractionEvent,
  type InteractionEventType,
} from "../schema/interaction.ts";
import type { Tx } from "./database.ts";
import { assertStorable } from "./storable.ts";

export type StoredEvent = InteractionEvent & { at: string };

export async function appendInteractionEvent(
  tx: Tx,
  tenant: string,
  { interaction_id, seq, at }: { interaction_id: string; seq: number; at: string },
  event: InteractionEvent,
): Promise<void> {
  // What could not be read again must not be written.
  const body = INTERACTION_EVENTS[event.type].parse(event.body);
  assertStorable(body);
  await tx.$executeRaw`
    INSERT INTO interaction_event (tenant, interaction_id, seq, type, body, at)
    VALUES (${tenant}, ${interaction_id}, ${seq}, ${event.type}, ${canonicalJson(body)}::json, ${at}::timestamptz)`;
}

export async function readInteractionEvents(tx: Tx, tenant: string, interactionId: string): Promise<StoredEvent[]> {
  const found = await eventsOf(tx, tenant, [interactionId]);
  return found.get(interactionId) ?? [];
}

/** Of the runs named, or of all; by id of the interaction, those asked first coming first. */
export async function readInteractionsOf(
  tx: Tx,
  tenant: string,
  roots: readonly string[] | "all",
): Promise<Map<string, StoredEvent[]>> {
  const rows = await tx.interactionEvent.findMany({
    where: { tenant, type: "accepted/v1", ...(roots === "all" ? {} : { root_id: { in: [...roots] } }) },
    select: { interaction_id: true },
    orderBy: [{ at: "asc" }, { interaction_id: "asc" }],
  });
  return eventsOf(
    tx,
    tenant,
    rows.map((row) => row.interaction_id),
  );
}

/** Those that nobody has answered or withdrawn, across runs. Whether they have expired is for who asks at what time. */
export async function readUnanswered(tx: Tx, tenant: string): Promise<Map<string, StoredEvent[]>> {
  const rows = await tx.$queryRaw<{ interaction_id: string }[]>`
    SELECT a.interaction_id FROM interaction_event a
    WHERE a.tenant = ${tenant} AND a.type = 'accepted/v1' AND NOT EXISTS (
      SELECT FROM interaction_event e WHERE e.tenant = a.tenant AND e.interaction_id = a.interaction_id
        AND e.type IN ('received/v1', 'withdrawn/v1'))
    ORDER BY a.at, a.interaction_id LIMIT 500`;
  return eventsOf(
    tx,
    tenant,
    rows.map((row) => row.interaction_id),
  );
}

export async function countRequests(tx: Tx, tenant: string, rootId: string): Promise<number> {
  return tx.interactionEvent.count({ where: { tenant, root_id: rootId, type: "accepted/v1" } });
}

/** What an account sent under a response id before, to whatever request. */
export async function findResponse(
  tx: Tx,
  tenant: string,
  respondent: string,
  client_response_id: string,
): Promise<(EventBody<"received/v1"> & { interaction_id: string }) | null> {
  const rows = await tx.$queryRaw<{ interaction_id: string; body: string }[]>`
    SELECT interaction_id, body::text FROM interaction_event
    WHERE tenant = ${tenant} AND respondent = ${respondent} AND client_response_id = ${client_response_id}`;
  const [row] = rows;
  if (row === undefined) return null;
  const body = INTERACTION_EVENTS["received/v1"].parse(JSON.parse(row.body));
  return { ...body, interaction_id: row.interaction_id };
}

/** Whether the last word on some proposal of this very effect is that nobody knows. */
export async function isEffectUnknown(tx: Tx, tenant: string, effectKey: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ unknown: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM interaction_event a WHERE a.tenant = ${tenant} AND a.effect_key = ${effectKey} AND (
        SELECT e.body ->> 'outcome' FROM interaction_event e WHERE e.tenant = a.tenant
          AND e.interaction_id = a.interaction_id AND e.type = 'committed/v1' ORDER BY e.seq DESC LIMIT 1
      ) = 'UNKNOWN') AS unknown`;
  return row!.unknown;
}

async function eventsOf(tx: Tx, tenant: string, ids: readonly string[]): Promise<Map<string, StoredEvent[]>> {
  const found = new Map<string, StoredEvent[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return found;
  const rows = await tx.$queryRaw<{ interaction_id: string; seq: bigint; type: string; body: string; at: Date }[]>`
    SELECT interaction_id, seq, type, body::text, at FROM interaction_event
    WHERE tenant = ${tenant} AND interaction_id = ANY(${[...ids]}::text[]) ORDER BY interaction_id, seq`;
  for (const { interaction_id, seq, type, body, at } of rows) {
    const parsed = INTERACTION_EVENTS[type as InteractionEventType]?.safeParse(JSON.parse(body));
    if (!parsed?.success) {
      throw new AssayError("EVENT_MALFORMED", `event ${seq} of ${interaction_id} is not a ${type} of this release`, {
        hint: "it was written by a newer release: use that one",
      });
    }
    found.get(interaction_id)!.push({ type, body: parsed.data, at: at.toISOString() } as StoredEvent);
  }
  return found;
}
