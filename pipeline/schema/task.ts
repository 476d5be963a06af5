/**
 * What one task of a run may do: compiled by code before it starts, never changed after. A child's contract lies within
 * its parent's. What is not named here is not allowed.
 */
import { z } from "zod";

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const amount = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const names = z.array(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/)).max(64);

/** `facts:US:SPY`, or everything below with `facts:*`. */
const scope = z.string().regex(/^[^\s*]{1,200}$|^[^\s*]{0,199}:\*$/);

/** Of the task and all its children together. Money in micro-units of USD; null: no limit on money. */
export const budgetSchema = z.strictObject({
  requests: amount,
  tokens: amount,
  money_microusd: amount.nullable(),
  wall_ms: amount,
});
export type Budget = z.infer<typeof budgetSchema>;

export const taskContractSchema = z.strictObject({
  schema: z.literal("task_contract/v1"),
  tenant: z.string().min(1),
  root_id: z.string().min(1).max(120),
  /** Follows from where the task stands in its run (`main`, `main/2.1`), so that a replay names it alike. */
  task_id: z.string().regex(/^[a-z0-9][a-z0-9_./-]{0,199}$/),
  parent_id: z.string().nullable(),
  /** What it is about, such as an instrument. */
  subject: z.string().min(1).max(200),
  role: z.string().min(1).max(80),
  /** Documents handed to it. */
  inputs: z.array(z.string().max(200)).max(500),
  /**
   * `on_request`: not offered before a tool that was admitted has granted them. `for_children`: never offered to the task
   * itself; a child of it may be.
   */
  tools: z.strictObject({ offered: names, on_request: names, for_children: names.optional() }),
  scopes: z.strictObject({ read: z.array(scope).max(500), write: z.array(scope).max(100) }),
  budget: budgetSchema,
  /** `finish`: ends when finish() is admitted, with an output. `text`: an answer without calls is the output. */
  stop_rule: z.enum(["finish", "text"]),
  /** Model requests in a row that may fail or break off; turns in a row without a call that may pass. */
  retry: z.strictObject({ failures: amount, idle_turns: amount }),
  calls_per_turn: z.number().int().min(1).max(256),
  /** The method whose instructions it was given. */
  expert: z.strictObject({ id: z.string(), hash: digest }).nullable(),
});
export type TaskContract = z.infer<typeof taskContractSchema>;

/** What the task was asked: somebody's own words, and texts of others that are only material. */
export const taskRequestSchema = z.strictObject({
  schema: z.literal("task_request/v1"),
  words: z.string().min(1).max(60_000),
  blocks: z.array(z.strictObject({ label: z.string().min(1).max(200), text: z.string() })).max(200),
});
export type TaskRequest = z.infer<typeof taskRequestSchema>;
