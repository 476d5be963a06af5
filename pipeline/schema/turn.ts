/** JSON as agents pass it around, and the sealed turn of a model: what it said and asked for, and what it had been sent. */
import { z } from "zod";

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().min(0);

export const proposedCallSchema = z.strictObject({
  call_id: z.string().min(1).max(200),
  tool: z.string().max(200),
  arguments: z.record(z.string(), z.json()).nullable(),
  malformed: z.string().max(2000).nullable(),
});

/** Sealed by the host before anything that it asks for is run. A model reports no state, no permission and no receipt. */
export const modelTurnSchema = z.strictObject({
  schema: z.literal("model_turn/v1"),
  run_id: z.string(),
  task_id: z.string(),
  /** 1, 2, 3 … within the task. */
  seq: z.number().int().positive(),
  provider: z.string(),
  model: z.string(),
  settings: z.strictObject({ max_output_tokens: count, temperature: z.number().nullable() }),
  tool_surface_digest: digest,
  expert_hash: digest.nullable(),
  projected_input_digest: digest,
  text: z.string(),
  calls: z.array(proposedCallSchema),
  stop: z.enum(["calls", "end", "length", "refusal", "interrupted"]),
  discarded: z.array(z.string()),
  /** Null: the provider did not say. That is not nothing. */
  usage: z.strictObject({ input_tokens: count, cached_input_tokens: count, output_tokens: count }).nullable(),
  cost_microusd: count.nullable(),
});
export type ModelTurn = z.infer<typeof modelTurnSchema>;
