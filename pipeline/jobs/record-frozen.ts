/**
 * Records a frozen batch: its source versions, and one ledger event unless it is the batch's last received already; and
 * that it is planned, once.
 */
import type { Services } from "../app/wiring.ts";
import { appendEvents, lockLedger } from "../ledger/append.ts";
import { readEvents } from "../ledger/read.ts";
import type { BatchPlanned } from "../schema/card-event.ts";
import type { FrozenBatch } from "../schema/frozen.ts";
import type { LedgerEvent } from "../schema/ledger-event.ts";
import type { Tx } from "../store/database.ts";
import { recordSourceVersions } from "../store/evidence.ts";
import type { RunContext } from "./context.ts";

export interface ReceivedBatch {
  batch: string;
  frozen: string;
  title: string;
  as_of: string;
  channel: string;
  instruments: number;
  evidence: number;
  /** Where it was read; absent in what older releases recorded. */
  folder?: string;
}

export async function recordFrozen(
  { database, config, now }: Services,
  digest: string,
  frozen: FrozenBatch,
  folder: string,
): Promise<void> {
  const { tenant } = config;
  await database.inTenant(tenant, async (tx) => {
    const received = await receivedBatches(tx, tenant);
    if (received.get(frozen.batch.id)?.body.frozen === digest) return;
    const at = now();
    await recordSourceVersions(tx, tenant, at, frozen.evidence);
    const body: ReceivedBatch = {
      batch: frozen.batch.id,
      frozen: digest,
      title: frozen.batch.title,
      as_of: frozen.batch.as_of,
      channel: frozen.batch.channel,
      instruments: frozen.instruments.length,
      evidence: frozen.evidence.length,
      folder,
    };
    await appendEvents(tx, { tenant, events: [{ type: "batch_received/v1", body: { ...body } }], actor: "assay", at });
  });
}

export async function recordPlanned({ database, now }: Services, context: RunContext): Promise<void> {
  const { tenant, frozenDigest, frozen, policy } = context;
  await database.inTenant(tenant, async (tx) => {
    await lockLedger(tx, tenant);
    const [known] = await tx.ledgerEvent.findMany({
      where: { tenant, frozen: frozenDigest, type: "batch_planned/v1" },
      select: { seq: true },
      take: 1,
    });
    if (known !== undefined) return;
    const body: BatchPlanned = {
      batch: frozen.batch.id,
      frozen: frozenDigest,
      policy_digest: policy.digest,
      instruments: frozen.instruments.length,
    };
    const events = [{ type: "batch_planned/v1", body: { ...body } }];
    await appendEvents(tx, { tenant, events, actor: "assay", at: now() });
  });
}

export interface Received {
  at: string;
  seq: number;
  body: ReceivedBatch;
}

/** The last reception of each batch, by batch id, in order of reception. */
export async function receivedBatches(tx: Tx, tenant: string): Promise<Map<string, Received>> {
  const found = new Map<string, Received>();
  let after = 0;
  for (;;) {
    const events: LedgerEvent[] = await readEvents(tx, { tenant, after, types: ["batch_received/v1"] });
    for (const { at, seq, body } of events) {
      const received = body as unknown as ReceivedBatch;
      found.delete(received.batch);
      found.set(received.batch, { at, seq, body: received });
      after = seq;
    }
    if (events.length === 0) return found;
  }
}
