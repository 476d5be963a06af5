/**
 * The journal of a run: everything the host knows of it, in order, each entry naming the digest of the one before. State is
 * the fold of these entries; nothing else is remembered, so a run that was killed goes on from here.
 */
import { z } from "zod";
import { digestOf, type Sha256 } from "../domain/digest.ts";
import { receiptSchema } from "./receipt.ts";
import { taskContractSchema, taskRequestSchema } from "./task.ts";
import { modelTurnSchema } from "./turn.ts";

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().min(0);

/** What came in from outside while the task ran, adopted when it goes into a request. `stop` ends the task. */
export const taskInputSchema = z.strictObject({
  id: z.string().min(1).max(200),
  kind: z.enum(["words", "stop"]),
  from: z.string().max(200),
  text: z.string().max(60_000),
});
export type TaskInput = z.infer<typeof taskInputSchema>;

export const taskEndSchema = z.strictObject({
  /** FINISHED, or why it ended without: STOPPED, UNSETTLED, MODEL_…, BUDGET_…, IDLE, INPUT_TOO_LARGE. */
  code: z.string(),
  detail: z.string().max(1000).nullable(),
  outputs: z.array(z.strictObject({ name: z.string(), digest })),
  /** Over names and digests of the outputs alone: equal however often the run was killed. */
  output_digest: digest,
});
export type TaskEnd = z.infer<typeof taskEndSchema>;

const body = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("task_opened"), contract: taskContractSchema, request: taskRequestSchema }),
  z.strictObject({ type: z.literal("input_adopted"), input: taskInputSchema }),
  /** A request counts from here on, whether or not an answer comes. So do the reminders in it. */
  z.strictObject({
    type: z.literal("request_dispatched"),
    turn: z.number().int().positive(),
    projected_input_digest: digest,
    reminders: z.array(z.string()),
  }),
  z.strictObject({
    type: z.literal("request_failed"),
    code: z.string(),
    detail: z.string().max(1000),
    /** Whether asking again can help. */
    may_retry: z.boolean(),
  }),
  z.strictObject({ type: z.literal("turn_sealed"), turn: modelTurnSchema, attempts: count, latency_ms: count }),
  z.strictObject({ type: z.literal("call_dispatched"), call: z.string(), attempt: z.number().int().positive() }),
  z.strictObject({ type: z.literal("call_settled"), receipt: receiptSchema }),
  /** A person found out what became of an effect whose outcome nobody knew. It is not run again, whatever they found. */
  z.strictObject({
    type: z.literal("call_reconciled"),
    call: z.string(),
    happened: z.boolean(),
    by: z.string().min(1).max(300),
    is_authenticated: z.boolean(),
    note: z.string().trim().min(1).max(800),
  }),
  /** The run waits for a person and holds no worker. It goes on with the next input; no budget and no deadline moves. */
  z.strictObject({ type: z.literal("task_parked") }),
  z.strictObject({ type: z.literal("task_ended"), end: taskEndSchema }),
]);
export type RunEntryBody = z.infer<typeof body>;

export const runEntrySchema = z.strictObject({
  schema: z.literal("run_entry/v1"),
  root_id: z.string(),
  seq: z.number().int().positive(),
  prev_digest: digest,
  task_id: z.string(),
  /** Token of the lease under which it was written. */
  fence: z.number().int().positive(),
  at: z.string(),
  body,
  digest,
});
export type RunEntry = z.infer<typeof runEntrySchema>;

export const RUN_GENESIS: Sha256 = "0".repeat(64);

export function runEntryDigest({ digest: _, ...facts }: RunEntry): Sha256 {
  return digestOf("run_entry", facts);
}

/** Beside the journal, by digest: what models were sent and what tools returned. */
export interface RunDocument {
  digest: Sha256;
  kind: "projected_input" | "tool_result" | "task_output";
  document: unknown;
}
