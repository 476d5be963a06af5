/**
 * What a model was really sent, and what was left out so that it fits. Stored before the request goes out, so that a missing
 * source can be found at the hand-over where it was lost.
 */
import { z } from "zod";
import { proposedCallSchema } from "./turn.ts";

const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const projectedInputSchema = z.strictObject({
  schema: z.literal("projected_input/v1"),
  task_id: z.string(),
  turn: z.number().int().positive(),
  system: z.string(),
  messages: z.array(
    z.discriminatedUnion("role", [
      z.strictObject({ role: z.literal("user"), text: z.string() }),
      z.strictObject({ role: z.literal("assistant"), text: z.string(), calls: z.array(proposedCallSchema) }),
      z.strictObject({
        role: z.literal("tool"),
        results: z.array(
          z.strictObject({ call_id: z.string(), tool: z.string(), output: z.json(), is_error: z.boolean() }),
        ),
      }),
    ]),
  ),
  tools: z.array(z.string()),
  tool_surface_digest: digest,
  reminders: z.array(z.string()),
  /** By fitting: what, its digest and length, and whether a summary stands in its place. */
  left_out: z.array(
    z.strictObject({
      what: z.string(),
      sha256: digest,
      characters: z.number().int().min(0),
      instead: z.enum(["summary", "mark"]),
    }),
  ),
  characters: z.number().int().min(0),
});
export type ProjectedInput = z.infer<typeof projectedInputSchema>;
