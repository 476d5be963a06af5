/**
 * States as folded from the ledger: of card versions, and of the cards of a frozen batch that have none yet. Reads what
 * is about them and nothing else, by index, however long the ledger is. Keeps nothing: the next reader folds again.
 */
import { AssayError } from "../domain/outcome.ts";
import type { State } from "../lifecycle/card-state.ts";
import { type CardVersion, foldVersion } from "../lifecycle/card-version.ts";
import { CARD_EVENTS, type CardEvent, type CardEventType, type WorkEvent } from "../schema/card-event.ts";
import type { Tx } from "../store/database.ts";

export type History = (CardEvent & { seq: number; actor: string; at: string })[];

/** The events of each version, in order; a version without any is not in the map. */
export async function readHistories(
  tx: Tx,
  tenant: string,
  versions: readonly string[],
): Promise<Map<string, History>> {
  return mapValues(await readRows(tx, tenant, versions), toHistory);
}

/** The first version that cannot be read is thrown: whoever acts on one must not act past it. */
export async function readVersions(
  tx: Tx,
  tenant: string,
  versions: readonly string[],
): Promise<Map<string, CardVersion>> {
  return mapValues(await readHistories(tx, tenant, versions), foldVersion);
}

/** For who only looks: a version whose events are malformed or illegal is its fault, and the others are read. */
export async function readVersionsOrFaults(
  tx: Tx,
  tenant: string,
  versions: readonly string[],
): Promise<Map<string, CardVersion | AssayError>> {
  return mapValues(await readRows(tx, tenant, versions), (rows) => {
    try {
      return foldVersion(toHistory(rows));
    } catch (fault) {
      if (fault instanceof AssayError) return fault;
      throw fault;
    }
  });
}

/**
 * States of the cards of a frozen batch by `workKey`, for those whose version is not known by content. A card that was
 * judged and is worked at again is PLANNED anew; one that ended in a fault stays in BLOCK until then.
 */
export async function readWork(
  tx: Tx,
  tenant: string,
  frozen: string,
  cards: readonly { instrument: string; locale: string }[],
): Promise<Map<string, State>> {
  const rows = await tx.$queryRaw<(Omit<Row, "body"> & { instrument: string | null; locale: string | null })[]>`
    SELECT seq, type, body ->> 'instrument' AS instrument, body ->> 'locale' AS locale FROM ledger_event
    WHERE tenant = ${tenant} AND frozen = ${frozen} AND (type <> 'step_recorded/v1' OR body ->> 'step' = 'facts')
    ORDER BY seq`;
  return new Map(
    cards.map(({ instrument, locale }) => {
      const own = rows.filter(
        (row) =>
          (row.instrument === null || row.instrument === instrument) && (row.locale === null || row.locale === locale),
      );
      const judged = own.findLastIndex(({ type }) => type === "card_verified/v1" || type === "card_faulted/v1");
      if (own[judged]?.type === "card_faulted/v1" && judged === own.length - 1) {
        return [workKey(instrument, locale), "BLOCK" as const];
      }
      const planned = own.filter(({ type }, index) => type.startsWith("batch_") || index > judged);
      const events = planned.map(({ seq, type }) => ({ seq: Number(seq), type: type as WorkEvent["type"], body: {} }));
      return [workKey(instrument, locale), foldVersion(events).state];
    }),
  );
}

export function workKey(instrument: string, locale: string): string {
  return `${instrument} ${locale}`;
}

interface Row {
  seq: bigint;
  type: string;
  body: string;
}

interface VersionRow extends Row {
  version_id: string;
  actor: string;
  at: Date;
}

async function readRows(tx: Tx, tenant: string, versions: readonly string[]): Promise<Map<string, VersionRow[]>> {
  const rows = await tx.$queryRaw<VersionRow[]>`
    SELECT seq, type, body::text AS body, version_id, actor, at FROM ledger_event
    WHERE tenant = ${tenant} AND version_id = ANY(${[...versions]}::text[]) AND type = ANY(${Object.keys(CARD_EVENTS)}::text[])
    ORDER BY seq`;
  const found = new Map<string, VersionRow[]>();
  for (const row of rows) {
    const own = found.get(row.version_id) ?? [];
    own.push(row);
    found.set(row.version_id, own);
  }
  return found;
}

function toHistory(rows: readonly VersionRow[]): History {
  return rows.map(({ seq, type, body, actor, at }) => {
    const event = toCardEvent(type as CardEventType, body, Number(seq));
    return { ...event, seq: Number(seq), actor, at: at.toISOString() };
  });
}

function mapValues<From, To>(map: ReadonlyMap<string, From>, change: (value: From) => To): Map<string, To> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}

function toCardEvent(type: CardEventType, body: string, seq: number): CardEvent {
  const parsed = CARD_EVENTS[type].safeParse(JSON.parse(body));
  if (!parsed.success) {
    throw new AssayError("EVENT_MALFORMED", `event ${seq} is not a ${type} of this release`, {
      hint: "the ledger was written by a newer release: use that one",
    });
  }
  return { type, body: parsed.data } as CardEvent;
}
