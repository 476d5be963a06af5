/**
 * Verifies a tenant's events as they were read: pure, and each kind of tampering has its own answer, given for the first
 * place where it shows. Who can rewrite the whole chain is caught only by positions kept elsewhere (`known`).
 */
import type { LedgerEvent } from "../schema/ledger-event.ts";
import { bodyDigest, eventDigest, GENESIS } from "./event.ts";

/**
 * BODY_ALTERED      body, or a field of the envelope, is not what the digest covers
 * ROW_MISSING       a sequence number is skipped            TAIL_CUT     a known position lies after the last event
 * ORDER_CHANGED     an event stands at another's place      GENESIS_MISMATCH  the chain does not begin where it must
 * RECHAINED         an event is consistent in itself, but is not the one that its successor or a known position names
 */
export type LedgerAnswer =
  | "OK"
  | "BODY_ALTERED"
  | "ROW_MISSING"
  | "TAIL_CUT"
  | "ORDER_CHANGED"
  | "RECHAINED"
  | "GENESIS_MISMATCH";

export interface LedgerVerdict {
  answer: LedgerAnswer;
  /** Where it shows; null for OK. */
  seq: number | null;
  /** Events found good before that. */
  examined: number;
}

export interface Position {
  seq: number;
  digest: string;
}

/** `events` in the order of the chain as claimed; `known` from checkpoints, seals or approvals. */
export function verifyLedger(
  tenant: string,
  events: readonly LedgerEvent[],
  known: readonly Position[] = [],
): LedgerVerdict {
  const fixed = new Map(known.map(({ seq, digest }) => [seq, digest]));
  let previous = GENESIS;
  for (const [index, event] of events.entries()) {
    const seq = index + 1;
    const found = examine(tenant, events, event, seq, previous);
    if (found !== "OK") return { answer: found, seq, examined: index };
    if ((fixed.get(seq) ?? event.digest) !== event.digest) return { answer: "RECHAINED", seq, examined: index };
    previous = event.digest;
  }
  const cut = [...fixed.keys()].filter((seq) => seq > events.length);
  if (cut.length > 0) return { answer: "TAIL_CUT", seq: events.length + 1, examined: events.length };
  return { answer: "OK", seq: null, examined: events.length };
}

function examine(
  tenant: string,
  events: readonly LedgerEvent[],
  event: LedgerEvent,
  seq: number,
  previous: string,
): LedgerAnswer {
  if (event.tenant !== tenant) return "GENESIS_MISMATCH";
  if (event.seq !== seq) return events.some((other) => other.seq === seq) ? "ORDER_CHANGED" : "ROW_MISSING";
  if (bodyDigest(event.body) !== event.body_digest) return "BODY_ALTERED";
  if (eventDigest(event) !== event.digest) return explain(events, event);
  if (event.prev_digest === previous) return "OK";
  return seq === 1 ? "GENESIS_MISMATCH" : "RECHAINED";
}

/** An event whose fields are not what its digest covers: renumbered, or edited. Hashes all places, once, on failure. */
function explain(events: readonly LedgerEvent[], event: LedgerEvent): LedgerAnswer {
  const fits = (other: LedgerEvent, seq: number) => eventDigest({ ...other, seq }) === other.digest;
  if (events.some((other) => other !== event && fits(other, event.seq))) return "ORDER_CHANGED";
  const later = events.some((_, index) => fits(event, event.seq + index + 1));
  return later ? "ROW_MISSING" : "BODY_ALTERED";
}
