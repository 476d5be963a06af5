/**
 * What the ledger says of a card: the events that its state is folded from. An event that bears `version_id` is about
 * one version; those before it bear the frozen batch, since content, and with it a version, does not exist yet.
 */
import { z } from "zod";
import { SEVERITIES, VERDICTS } from "./verdict.ts";

export const REASON_MAX = 2000;

/** A person's own words: bounded, on one line, with nothing that moves the cursor or turns the reading direction. */
export const reasonSchema = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(REASON_MAX, `at most ${REASON_MAX} characters`)
  .regex(/^[^\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u, "must not hold control characters");

const digest = z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256");
const instant = z.iso.datetime({ precision: 3, error: "must be an instant in stored form" });
const name = z.string().min(1).max(300);

/** A gate's decision, short: details and remedies are in the document that the version's digest covers. */
export const shortDecisionSchema = z.strictObject({
  gate: name,
  version: z.number().int(),
  verdict: z.enum(VERDICTS),
  subjects_examined: z.number().int().nonnegative(),
  input_digest: digest,
  findings: z.array(z.strictObject({ code: name, severity: z.enum(SEVERITIES), subject: z.string() })),
});
export type ShortDecision = z.infer<typeof shortDecisionSchema>;

const created = {
  version_id: digest,
  batch: name,
  /** Digest of the frozen batch that the content came from first. */
  frozen: digest,
  instrument: name,
  channel: name,
  locale: name,
  content_digest: digest,
  policy_digest: digest,
  /** The version that this one remedies. */
  supersedes: digest.nullable(),
};
const of = { version_id: digest };

/** One strict shape for each type. */
export const CARD_EVENTS = {
  "card_verified/v1": z.strictObject({
    ...created,
    verdict: z.enum(VERDICTS),
    decisions: z.array(shortDecisionSchema),
  }),
  /** No verdict was reached: a BLOCK with GATE_FAULT. `code` is the fault's own. */
  "card_faulted/v1": z.strictObject({ ...created, code: name, detail: z.string().min(1).max(REASON_MAX) }),
  "card_finding_acknowledged/v1": z.strictObject({ ...of, finding: z.string().min(1).max(REASON_MAX), by: name }),
  "card_approved/v1": z.strictObject({
    ...of,
    approver: name,
    roles: z.array(name).min(1),
    content_digest: digest,
    policy_digest: digest,
    expires_at: instant,
    /** Position of the ledger that the approver saw. */
    ledger_seq: z.number().int().positive(),
  }),
  "card_approval_withdrawn/v1": z.strictObject(of),
  "card_approval_expired/v1": z.strictObject(of),
  "card_rejected/v1": z.strictObject({ ...of, reason: reasonSchema }),
  "card_sealed/v1": z.strictObject({ ...of, content_digest: digest, policy_digest: digest, valid_until: instant }),
  "card_revoked/v1": z.strictObject({ ...of, reason: reasonSchema }),
  /** A sealed version gives way to a newer sealed one. */
  "card_superseded/v1": z.strictObject({ ...of, by: digest }),
  /** A version in quarantine, or rejected, gives way to the one that remedies it. */
  "card_remediated/v1": z.strictObject({ ...of, by: digest, reason: reasonSchema.nullable() }),
  "card_terminated/v1": z.strictObject({ ...of, reason: reasonSchema }),
} as const;

export type CardEventType = keyof typeof CARD_EVENTS;
type Bodies = { [Type in CardEventType]: z.infer<(typeof CARD_EVENTS)[Type]> };
export type CardEventBody<Type extends CardEventType> = Bodies[Type];
export type CardEvent = { [Type in CardEventType]: { type: Type; body: Bodies[Type] } }[CardEventType];

export const batchPlannedSchema = z.strictObject({
  batch: name,
  frozen: digest,
  policy_digest: digest,
  instruments: z.number().int().positive(),
});
export type BatchPlanned = z.infer<typeof batchPlannedSchema>;

/** What the pipeline says of a card before it has content. Only the type moves the state; bodies are of the steps. */
export const WORK_EVENTS = ["batch_received/v1", "batch_planned/v1", "step_recorded/v1", "card_rendered/v1"] as const;
export interface WorkEvent {
  type: (typeof WORK_EVENTS)[number];
  body: Record<string, unknown>;
}
