/**
 * One atomic sentence that somebody proposes for a card: text with slots instead of numerals, each slot bound to a figure,
 * with what speaks for it and what speaks against it. The host prints the slots; a claim holds no number.
 */
import { z } from "zod";
import { LOCALES } from "../domain/locale.ts";

export const EPISTEMIC_TYPES = ["OBSERVED", "REPORTED", "DERIVED", "INFERRED", "FORECAST", "OPINION"] as const;
export const CLAIM_ROLES = ["point", "risk", "counterpoint"] as const;
export type EpistemicType = (typeof EPISTEMIC_TYPES)[number];

/** Exact location: a figure of this instrument, or rows of a payload. A receipt supports its own query's result only. */
export const supportSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("fact"), figure: z.string() }),
  z.strictObject({ kind: z.literal("evidence"), evidence_id: z.string(), locator: z.string().min(1) }),
  z.strictObject({ kind: z.literal("research"), sentence: z.string() }),
  z.strictObject({ kind: z.literal("receipt"), receipt_id: z.string() }),
]);
export type Support = z.infer<typeof supportSchema>;

export const claimRecordSchema = z.strictObject({
  schema: z.literal("claim/v1"),
  id: z.string().min(1).max(80),
  instrument: z.string(),
  locale: z.enum(LOCALES),
  role: z.enum(CLAIM_ROLES),
  type: z.enum(EPISTEMIC_TYPES),
  text: z.string().min(1).max(400),
  slots: z.array(z.strictObject({ name: z.string().regex(/^[a-z][a-z0-9_]{0,31}$/), figure: z.string() })).max(12),
  supports: z.array(supportSchema).max(24),
  /** What speaks against it, or that it was sought and the receipt of the search. */
  opposing: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("found"), supports: z.array(supportSchema).min(1).max(24) }),
    z.strictObject({ kind: z.literal("sought"), receipt_id: z.string() }),
  ]),
  confidence: z.enum(["low", "medium", "high"]),
  causal_edge: z.string().nullable(),
  absence_receipt: z.string().nullable(),
  /** Where it came from: the sealed turn and the receipt of the call that proposed it. */
  turn: z.string(),
  receipt: z.string(),
});
export type ClaimRecord = z.infer<typeof claimRecordSchema>;
