/**
 * What a person says to the machine, kept under the name that their client gave it: a request that begins a run, words that
 * correct one, a stop, the wish to go on from an ended one. The host's own findings stand apart in `terms`.
 */
import { z } from "zod";
import { digestOf, type Sha256 } from "../domain/digest.ts";
import { agentIdSchema } from "./expert.ts";

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const name = z.string().min(1).max(300);
const words = z.string().trim().min(1, "must not be empty").max(40_000);
const root = z.string().min(1).max(120);

export const messageIdSchema = z.string().regex(/^[A-Za-z0-9_.:-]{1,120}$/, "letters, digits, _ . : -");

export const messageBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("ask"),
    text: words,
    batch: name,
    cards: z.array(z.string().regex(/^[A-Z]{2}:[A-Z0-9.-]{1,20}$/, "an instrument such as KR:069500")).max(20),
    /** direct: one task answers in words. research: a plan, tools and, where named, a method. Said, never guessed. */
    entry: z.enum(["direct", "research"]),
    expert: agentIdSchema.nullable(),
  }),
  /** Begins a new run that is linked to an ended one. */
  z.strictObject({ kind: z.literal("continue"), of: root, text: words.nullable() }),
  z.strictObject({ kind: z.literal("correct"), run: root, text: words }),
  z.strictObject({ kind: z.literal("stop"), run: root }),
]);
export type MessageBody = z.infer<typeof messageBodySchema>;
export type AskBody = Extract<MessageBody, { kind: "ask" }>;

/** What a run begins from, resolved once: inputs frozen, catalogue frozen, lineage. */
export const runTermsSchema = z.strictObject({
  frozen: digest,
  /** Of the frozen desk: which recorded documents of the batch the run may look at. */
  desk: digest,
  /** Who answers, as `provider:model`. */
  model: z.string().min(1).max(240),
  /** What the run may cost, in micro-units of USD; absent: no limit on money. */
  money_microusd: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  /** Tools of other servers that a person had admitted, by our name and version, with the scope each needs. */
  mcp: z.array(
    z.strictObject({ name, version: digest, effect: z.enum(["read", "write"]), scope: z.string().max(200) }),
  ),
  /** Of the frozen catalogue. */
  catalogue: digest,
  ask: z.custom<AskBody>((value) => messageBodySchema.safeParse(value).data?.kind === "ask"),
  /** The ended run that this one continues, and the words that were added. */
  linked_to: root.nullable(),
  added_text: words.nullable(),
});
export type RunTerms = z.infer<typeof runTermsSchema>;

export interface Message {
  sender: string;
  client_message_id: string;
  root_id: string;
  body: MessageBody;
  body_digest: Sha256;
  /** Of a message that begins a run. */
  terms: RunTerms | null;
  at: string;
}

export function messageDigest(body: MessageBody): Sha256 {
  return digestOf("client_message", body);
}
