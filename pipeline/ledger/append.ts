/**
 * Appends events to a tenant's chain, inside the transaction whose effect they record. Writers of one tenant wait for
 * each other until commit: append last, and keep what follows short. The database checks the chain a second time.
 */
import { canonicalJson } from "../domain/digest.ts";
import { toInstant } from "../domain/instant.ts";
import { AssayError } from "../domain/outcome.ts";
import type { LedgerEvent, NewEvent } from "../schema/ledger-event.ts";
import type { Tx } from "../store/database.ts";
import { assertStorable } from "../store/storable.ts";
import { bodyDigest, eventDigest, GENESIS } from "./event.ts";

export interface Appending {
  tenant: string;
  events: readonly NewEvent[];
  actor: string;
  /** Instant in stored form. */
  at: string;
}

export async function appendEvents(tx: Tx, { tenant, events, actor, at }: Appending): Promise<LedgerEvent[]> {
  if (events.length === 0) return [];
  assertAppendable(events, actor, at);
  await lockLedger(tx, tenant);
  // A statement of its own: its snapshot must be taken after the lock is held.
  const [head] = await tx.$queryRaw<{ seq: bigint; digest: string }[]>`
    SELECT seq, digest FROM ledger_event WHERE tenant = ${tenant} ORDER BY seq DESC LIMIT 1`;
  const appended = chain({ tenant, events, actor, at }, Number(head?.seq ?? 0), head?.digest ?? GENESIS);
  const column = <K extends keyof LedgerEvent>(name: K) => appended.map((event) => event[name]);
  await tx.$executeRaw`
    INSERT INTO ledger_event (tenant, seq, prev_digest, type, body, body_digest, actor, at, digest)
    SELECT ${tenant}, seq, prev_digest, type, body::json, body_digest, ${actor}, ${at}::timestamptz, digest
    FROM unnest(${column("seq")}::bigint[], ${column("prev_digest")}::text[], ${column("type")}::text[],
                ${appended.map((event) => canonicalJson(event.body))}::text[],
                ${column("body_digest")}::text[], ${column("digest")}::text[])
      AS new (seq, prev_digest, type, body, body_digest, digest)
    ORDER BY seq`;
  return appended;
}

/** Waits until no other writer of the tenant is at work, until commit. For who reads, decides and then appends. */
export async function lockLedger(tx: Tx, tenant: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('assay/ledger/' || ${tenant}, 0))`;
}

function chain({ tenant, events, actor, at }: Appending, lastSeq: number, lastDigest: string): LedgerEvent[] {
  let prev_digest = lastDigest;
  return events.map(({ type, body }, index) => {
    const envelope = { tenant, seq: lastSeq + index + 1, prev_digest, type, body_digest: bodyDigest(body), actor, at };
    const digest = eventDigest(envelope);
    prev_digest = digest;
    return { schema: "ledger_event/v1", ...envelope, body: body as LedgerEvent["body"], digest };
  });
}

function assertAppendable(events: readonly NewEvent[], actor: string, at: string): void {
  if (toInstant(at) !== at) {
    throw new AssayError("EVENT_MALFORMED", `not an instant in stored form: ${at}`, {
      hint: "UTC with milliseconds and Z.",
    });
  }
  if (actor === "") throw new AssayError("EVENT_MALFORMED", "an event needs an actor");
  assertStorable(actor);
  for (const { type, body } of events) {
    if (!/^[a-z_]+\/v\d+$/.test(type))
      throw new AssayError("EVENT_MALFORMED", `not an event type: ${JSON.stringify(type)}`);
    assertStorable(body);
  }
}
