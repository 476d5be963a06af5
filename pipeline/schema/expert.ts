/**
 * A saved research method: data with a name, not a program. Each save is a revision of its own; `content_hash` covers what a
 * model can be shown of it. A catalogue is what one run may choose from, frozen when the run began.
 */
import { z } from "zod";
import { digestOf, type Sha256 } from "../domain/digest.ts";

export const SAVED_MAX = 20;
export const ENABLED_MAX = 8;

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
/** Nothing that turns the reading direction or hides: what a person approves by reading must be what a model is sent. */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u;
const plain = (max: number) =>
  z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(max, `at most ${max} characters`)
    .refine((text) => !HIDDEN.test(text), "must not hold control or hidden characters");
const line = (max: number) => plain(max).refine((text) => !/[\n\t]/.test(text), "must be one line");

/** `builtin/general` works by no method. Ids are what is chosen by; names are only shown. */
export const agentIdSchema = z
  .string()
  .regex(/^(builtin\/[a-z][a-z-]{0,39}|user\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/);
export const GENERAL = "builtin/general";

export const methodSchema = z.strictObject({ name: line(80), description: line(400), instructions: plain(20_000) });
export type Method = z.infer<typeof methodSchema>;

export const expertSchema = z.strictObject({
  schema: z.literal("expert/v1"),
  expert_id: uuid,
  owner: z.string().min(1).max(200),
  revision: z.number().int().positive(),
  method: methodSchema,
  content_hash: digest,
  state: z.enum(["enabled", "disabled", "deleted"]),
  saved_at: z.iso.datetime({ precision: 3 }),
});
export type Expert = z.infer<typeof expertSchema>;

export function contentHash({ name, description, instructions }: Method): Sha256 {
  return digestOf("expert_content", { name, description, instructions });
}

/** One method as a run knows it. `revision`: of a built-in one, null; its hash says which it was. */
export const expertEntrySchema = z.strictObject({
  agent_id: agentIdSchema,
  revision: z.number().int().positive().nullable(),
  content_hash: digest,
  method: methodSchema,
});
export type ExpertEntry = z.infer<typeof expertEntrySchema>;

export const catalogueSchema = z.strictObject({
  schema: z.literal("expert_catalogue/v1"),
  owner: z.string().min(1).max(200),
  frozen_at: z.iso.datetime({ precision: 3 }),
  builtin: z.array(expertEntrySchema),
  /** The owner's own. That they could not be read is not that there are none. */
  own: z.discriminatedUnion("status", [
    z.strictObject({ status: z.literal("LOADED"), experts: z.array(expertEntrySchema) }),
    z.strictObject({ status: z.literal("UNAVAILABLE"), code: z.string().min(1).max(80) }),
  ]),
});
export type Catalogue = z.infer<typeof catalogueSchema>;
