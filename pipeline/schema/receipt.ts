/**
 * What a tool call really did, as the host saw it. Times stand apart under `clock`: they are today's, and no digest that
 * a replay compares is made over them. A receipt is no evidence of anything but its own call.
 */
import { z } from "zod";
import { digestOf, type Sha256 } from "../domain/digest.ts";

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const code = z.string().regex(/^[A-Z][A-Z0-9_]{1,63}$/);

/** What a call read, and which part of it. */
export const sourceReadSchema = z.strictObject({
  id: z.string().min(1).max(300),
  range: z.string().max(300).nullable(),
});
export type SourceRead = z.infer<typeof sourceReadSchema>;

export const receiptSchema = z.strictObject({
  schema: z.literal("tool_receipt/v1"),
  /** Task, turn and place: `main#3.2`. */
  call: z.string(),
  attempt: z.number().int().positive(),
  /** The model's own name for the call. */
  call_id: z.string(),
  tool: z.string(),
  version: z.string().nullable(),
  effect: z.enum(["read", "write"]).nullable(),
  arguments_digest: digest.nullable(),
  admission: z.enum(["ADMITTED", "REFUSED"]),
  /** NOT_RUN: refused, or left out by a boundary. UNKNOWN: dispatched, and nobody knows what came of it. */
  outcome: z.enum(["COMPLETED", "FAILED", "UNKNOWN", "NOT_RUN"]),
  /** Why it is not an outcome with content. A completed call that found nothing has one too. */
  code: code.nullable(),
  detail: z.string().max(1000).nullable(),
  /** The result as it was, and as the model sees it; equal unless it was narrowed. */
  result_digest: digest.nullable(),
  view_digest: digest.nullable(),
  sources: z.array(sourceReadSchema).max(2000),
  /** What it hands in for the task. A later output of a name takes the place of an earlier one. */
  outputs: z.array(z.strictObject({ name: z.string(), digest, references: z.array(z.string()) })),
  surface: z.strictObject({ granted: z.array(z.string()), withdrawn: z.array(z.string()) }),
  /** Proposes that the run waits for a person before it goes on. */
  parks: z.boolean(),
  cost_microusd: z.number().int().min(0).nullable(),
  clock: z.strictObject({ started_at: z.string(), ended_at: z.string() }),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** Of everything but the clock, the model's name for the call and how often it was tried. */
export function receiptDigest({ clock: _, call_id: __, attempt: ___, ...facts }: Receipt): Sha256 {
  return digestOf("tool_receipt", facts);
}
