/** How an event is digested, and the digest before the first. Shared by writer and verifier; the database has its own. */
import { digestOf, type Sha256 } from "../domain/digest.ts";
import type { LedgerEvent } from "../schema/ledger-event.ts";

export const GENESIS: Sha256 = "0".repeat(64);

export type Envelope = Pick<LedgerEvent, "tenant" | "seq" | "prev_digest" | "type" | "body_digest" | "actor" | "at">;

export function bodyDigest(body: Record<string, unknown>): Sha256 {
  return digestOf("ledger_body", body);
}

export function eventDigest({ tenant, seq, prev_digest, type, body_digest, actor, at }: Envelope): Sha256 {
  return digestOf("ledger_event", { tenant, seq, prev_digest, type, body_digest, actor, at });
}
