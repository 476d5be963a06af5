/**
 * What is made of a call that was dispatched and has no receipt: nobody knows, so the receipt says UNKNOWN. A read runs again,
 * a bounded number of times; an effect never does. A model is not asked what it did.
 */
import type { Receipt } from "../schema/receipt.ts";
import type { CallState } from "./run-state.ts";

/** A call that takes the worker down with it each time must not do so for ever. */
export const ATTEMPTS_MAX = 3;

/** Whether the last attempt was lost with the worker that ran it. */
export function isLost(call: CallState): boolean {
  return call.attempts > call.receipts.length;
}

export function lostOutcome(call: CallState, effect: "read" | "write"): Pick<Receipt, "outcome" | "code" | "detail"> {
  if (effect === "read" && call.attempts >= ATTEMPTS_MAX) {
    return { outcome: "FAILED", code: "ATTEMPTS_LOST", detail: `lost ${call.attempts} times with its worker` };
  }
  return {
    outcome: "UNKNOWN",
    code: "OUTCOME_UNKNOWN",
    detail: "dispatched, and the worker was lost before a receipt",
  };
}
