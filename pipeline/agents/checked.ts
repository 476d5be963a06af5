/**
 * Parts of journal entries that passed their own schema when they were made: a turn when it was sealed, a receipt when it was
 * written. Read back from a log, nothing counts as checked.
 */

import { type RunEntry, runEntrySchema } from "../schema/run-entry.ts";
import type { JsonValue } from "../schema/turn.ts";
import { textFault } from "./storable-text.ts";

const CHECKED = new WeakSet<object>();

export function markChecked<T extends object>(part: T): T {
  CHECKED.add(part);
  return part;
}

/** Null, or why it could not be read again. What is checked has had its texts looked at too. */
export function entryFault(entry: RunEntry): unknown {
  const { body } = entry;
  if (body.type === "call_settled" && CHECKED.has(body.receipt)) return null;
  if (body.type === "turn_sealed" && CHECKED.has(body.turn) && isCount(body.attempts) && isCount(body.latency_ms)) {
    return null;
  }
  return runEntrySchema.safeParse(entry).error ?? textFault(body as JsonValue);
}

function isCount(number: number): boolean {
  return Number.isSafeInteger(number) && number >= 0;
}
