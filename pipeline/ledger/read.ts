/** Reads a tenant's ledger in order, by page. Verifies nothing (verify.ts does) and holds no transaction between pages. */
import type { LedgerEvent } from "../schema/ledger-event.ts";
import type { Database, Tx } from "../store/database.ts";

const PAGE = 1000;

export interface Reading {
  tenant: string;
  /** Events with a greater sequence only; 0 or absent: from the first. */
  after?: number;
  types?: readonly string[];
  limit?: number;
}

export async function readEvents(tx: Tx, { tenant, after = 0, types, limit = PAGE }: Reading): Promise<LedgerEvent[]> {
  const rows = await tx.$queryRaw<(Omit<LedgerEvent, "seq" | "at" | "body" | "schema"> & Raw)[]>`
    SELECT tenant, seq, prev_digest, type, body::text AS body, body_digest, actor, at, digest
    FROM ledger_event
    WHERE tenant = ${tenant} AND seq > ${after}
      AND (${types === undefined} OR type = ANY(${[...(types ?? [])]}::text[]))
    ORDER BY seq LIMIT ${limit}`;
  return rows.map((row) => ({
    schema: "ledger_event/v1",
    ...row,
    seq: Number(row.seq),
    body: JSON.parse(row.body) as LedgerEvent["body"],
    at: row.at.toISOString(),
  }));
}

interface Raw {
  seq: bigint;
  at: Date;
  body: string;
}

/** All events after a position, page by page. */
export async function* eachEvent(db: Database, reading: Omit<Reading, "limit">): AsyncGenerator<LedgerEvent> {
  let after = reading.after ?? 0;
  for (;;) {
    const page = await db.inTenant(reading.tenant, (tx) => readEvents(tx, { ...reading, after, limit: PAGE }));
    yield* page;
    if (page.length < PAGE) return;
    after = page[page.length - 1]!.seq;
  }
}

/** Position of the last event, or undefined for an empty ledger. */
export async function readHead(tx: Tx, tenant: string): Promise<{ seq: number; digest: string } | undefined> {
  const [head] = await tx.$queryRaw<{ seq: bigint; digest: string }[]>`
    SELECT seq, digest FROM ledger_event WHERE tenant = ${tenant} ORDER BY seq DESC LIMIT 1`;
  return head === undefined ? undefined : { seq: Number(head.seq), digest: head.digest };
}
