/**
 * What a run asks of people and what comes of it: a question, a request for permission, an effect to approve. Four facts that
 * can each fail, each an event of its own: accepted, received, adopted, committed. An interaction's state is their fold.
 */
import { z } from "zod";
import { digestOf, type Sha256 } from "../domain/digest.ts";

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const instant = z.iso.datetime({ precision: 3 });
const name = z.string().min(1).max(300);
const words = z.string().trim().min(1).max(20_000);
const scopes = z.strictObject({ read: z.array(name).max(100), write: z.array(name).max(100) });

export const interactionIdSchema = z.string().regex(/^[0-9a-f]{32}$/);

export const KINDS = ["question", "permission", "approval"] as const;
export type Kind = (typeof KINDS)[number];
/** Whose it is to use an answer. No answer to one kind is of use to another. */
export const OWNERS = { question: "task", permission: "authorization", approval: "effect" } as const;

export const askedSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("question"),
    text: words,
    /** None: any words will do. */
    options: z.array(z.string().trim().min(1).max(300)).max(12),
    /** blocking: a proposal that the run waits. */
    mode: z.enum(["non_blocking", "blocking"]),
  }),
  /** Tools that a task's contract holds ready, and what they may touch. */
  z.strictObject({ kind: z.literal("permission"), tools: z.array(name).min(1).max(16), scopes, reason: words }),
  z.strictObject({
    kind: z.literal("approval"),
    tool: name,
    arguments: z.record(z.string(), z.json()),
    arguments_digest: digest,
    /** What the person is shown of it, to the last character, and its digest: approving binds both. */
    preview: z.string().min(1).max(20_000),
    preview_digest: digest,
  }),
]);
export type Asked = z.infer<typeof askedSchema>;

export const interactionRequestSchema = z.strictObject({
  schema: z.literal("interaction_request/v1"),
  interaction_id: interactionIdSchema,
  revision: z.number().int().positive(),
  root_id: z.string().min(1).max(120),
  /** The task that asked: its consumer, in the case of a question. */
  task_id: name,
  /** The call or action that it comes from; names the interaction, so that a repeated call asks once. */
  producer: name,
  /** The only account that may answer. Null: any authenticated person; the owner then checks their authority. */
  recipient: name.nullable(),
  asked: askedSchema,
  expires_at: instant,
});
export type InteractionRequest = z.infer<typeof interactionRequestSchema>;

export const answerSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("question"), text: words }),
  z.strictObject({ kind: z.literal("permission"), decision: z.enum(["grant", "deny"]) }),
  z.strictObject({ kind: z.literal("approval"), decision: z.enum(["approve", "reject"]) }),
]);
export type Answer = z.infer<typeof answerSchema>;

export const respondentSchema = z.strictObject({ account: name, is_authenticated: z.boolean() });
export type Respondent = z.infer<typeof respondentSchema>;

/** What a person sends: the exact request and revision, under a name that stays the same however often it is sent. */
export const responseSchema = z.strictObject({
  interaction_id: interactionIdSchema,
  revision: z.number().int().positive(),
  client_response_id: z.string().regex(/^[A-Za-z0-9_.:-]{1,120}$/, "letters, digits, _ . : -"),
  answer: answerSchema,
});
export type Response = z.infer<typeof responseSchema>;

export const INTERACTION_EVENTS = {
  "accepted/v1": z.strictObject({ request: interactionRequestSchema, root_id: name, effect_key: digest.nullable() }),
  /** The request in other words, before it was answered. */
  "revised/v1": z.strictObject({ request: interactionRequestSchema }),
  /** No longer asked. */
  "withdrawn/v1": z.strictObject({ reason: z.string().min(1).max(1000) }),
  "received/v1": z.strictObject({
    revision: z.number().int().positive(),
    respondent: name,
    is_authenticated: z.boolean(),
    client_response_id: z.string(),
    answer: answerSchema,
    response_digest: digest,
  }),
  /** By the owner that used it, with where that is written. Of a task: the entry of a run's journal. */
  "adopted/v1": z.strictObject({
    owner: z.enum(["task", "authorization", "effect"]),
    consumer: name,
    reference: z.strictObject({ root_id: name, seq: z.number().int().positive() }).nullable(),
  }),
  "committed/v1": z.strictObject({
    outcome: z.enum(["COMMITTED", "FAILED", "UNKNOWN"]),
    /** Of what was done, as it was done. Of a permission: the digest of tools and scopes granted. */
    arguments_digest: digest,
    preview_digest: digest.nullable(),
    reference: name,
  }),
} as const;
export type InteractionEventType = keyof typeof INTERACTION_EVENTS;
type Bodies = { [Type in InteractionEventType]: z.infer<(typeof INTERACTION_EVENTS)[Type]> };
export type InteractionEvent = {
  [Type in InteractionEventType]: { type: Type; body: Bodies[Type] };
}[InteractionEventType];
export type EventBody<Type extends InteractionEventType> = Bodies[Type];

/** Follows from who asked and where: the same call of the same run is the same interaction. */
export function interactionId(tenant: string, rootId: string, producer: string): string {
  return digestOf("interaction", [tenant, rootId, producer]).slice(0, 32);
}

/** Who says what to which request. The name that the client gave it is not part of it. */
export function responseDigest(respondent: string, { interaction_id, revision, answer }: Response): Sha256 {
  return digestOf("interaction_response", { respondent, interaction_id, revision, answer });
}

/** One action, whoever proposes it and however often: an outcome that is unknown stands in the way of all of them. */
export function effectKey(asked: Asked): Sha256 | null {
  return asked.kind === "approval" ? digestOf("effect", [asked.tool, asked.arguments_digest]) : null;
}
