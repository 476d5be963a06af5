/**
 * The commands on interactions, each in the caller's transaction: wait for other writers, fold, decide, append one event. A
 * refusal is thrown with its code and leaves nothing. Nothing here is found by "the last one": every request is named.
 */
import { AssayError } from "../../domain/outcome.ts";
import {
  type Asked,
  answerSchema,
  type EventBody,
  effectKey,
  type InteractionEvent,
  type InteractionRequest,
  interactionId,
  interactionRequestSchema,
  type Respondent,
  type Response,
  responseSchema,
} from "../../schema/interaction.ts";
import type { Tx } from "../../store/database.ts";
import {
  appendInteractionEvent,
  countRequests,
  findResponse,
  isEffectUnknown,
  readInteractionEvents,
} from "../../store/interactions.ts";
import { lockPeople } from "../../store/people-lock.ts";
import {
  decideAccept,
  decideAdopt,
  decideCommit,
  decideRespond,
  decideRevise,
  decideWithdraw,
  foldInteraction,
  type Interaction,
} from "./interaction.ts";
import { REFUSALS, type RefusalCode } from "./refusals.ts";

/** Of one run: a model that does nothing but ask fills nobody's inbox. */
export const REQUESTS_MAX = 32;

export interface Acting {
  tenant: string;
  /** Instant in stored form. */
  at: string;
}

export type Asking = Pick<InteractionRequest, "root_id" | "task_id" | "producer" | "recipient" | "expires_at"> & {
  asked: Asked;
};

export async function acceptRequest(tx: Tx, acting: Acting, asking: Asking): Promise<Interaction> {
  const { tenant, at } = acting;
  const interaction_id = interactionId(tenant, asking.root_id, asking.producer);
  const document = { schema: "interaction_request/v1", interaction_id, revision: 1, ...asking };
  const parsed = interactionRequestSchema.safeParse(document);
  if (!parsed.success || at >= asking.expires_at) {
    throw new AssayError("REQUEST_MALFORMED", parsed.error?.issues[0]?.message ?? "it would have expired already");
  }
  await lockPeople(tx, tenant);
  const known = await readInteraction(tx, tenant, interaction_id);
  const key = effectKey(asking.asked);
  const isUnknown = key !== null && (await isEffectUnknown(tx, tenant, key));
  const decided = decideAccept(known, parsed.data, isUnknown);
  if ("known" in decided) return decided.known;
  if ((await countRequests(tx, tenant, asking.root_id)) >= REQUESTS_MAX) throw tooMany(asking.root_id);
  return append(tx, acting, interaction_id, known, decided);
}

function tooMany(rootId: string): AssayError {
  return new AssayError("REQUESTS_TOO_MANY", `run ${rootId.slice(0, 120)} has asked ${REQUESTS_MAX} times`);
}

/** What a response leaves: that it was received. Nothing is said of what becomes of it. */
export interface ResponseReceipt {
  schema: "response_receipt/v1";
  interaction_id: string;
  revision: number;
  client_response_id: string;
  respondent: string;
  is_authenticated: boolean;
  response_digest: string;
  received_at: string;
}

export async function respond(
  tx: Tx,
  acting: Acting,
  respondent: Respondent,
  given: Response,
): Promise<ResponseReceipt> {
  const { tenant, at } = acting;
  const response = toResponse(given);
  const { interaction_id, client_response_id } = response;
  await lockPeople(tx, tenant);
  const interaction = await readInteraction(tx, tenant, interaction_id);
  const earlier = await findResponse(tx, tenant, respondent.account, client_response_id);
  const decided = decideRespond(interaction, respondent, response, earlier, at);
  const after = "repeated" in decided ? interaction : await append(tx, acting, interaction_id, interaction, decided);
  const { answer: _, at: received_at, ...received } = after!.response!;
  return { schema: "response_receipt/v1", interaction_id, ...received, received_at };
}

export async function reviseQuestion(
  tx: Tx,
  acting: Acting,
  { interaction_id, task_id }: { interaction_id: string; task_id: string },
  asked: Extract<Asked, { kind: "question" }>,
): Promise<Interaction> {
  return change(tx, acting, interaction_id, (known) => decideRevise(known, task_id, asked));
}

export async function withdrawRequest(tx: Tx, acting: Acting, id: string, reason: string): Promise<Interaction> {
  return change(tx, acting, id, (known) => decideWithdraw(known, reason));
}

export async function adoptResponse(
  tx: Tx,
  acting: Acting,
  id: string,
  adoption: EventBody<"adopted/v1">,
): Promise<Interaction> {
  return change(tx, acting, id, (known) => decideAdopt(known, adoption));
}

export async function commitEffect(
  tx: Tx,
  acting: Acting,
  id: string,
  committed: EventBody<"committed/v1">,
): Promise<Interaction> {
  return change(tx, acting, id, (known) => decideCommit(known, committed));
}

export async function readInteraction(tx: Tx, tenant: string, id: string): Promise<Interaction | null> {
  return foldInteraction(await readInteractionEvents(tx, tenant, id));
}

async function change(
  tx: Tx,
  acting: Acting,
  id: string,
  decide: (known: Interaction | null) => { event: InteractionEvent } | { refused: RefusalCode },
): Promise<Interaction> {
  await lockPeople(tx, acting.tenant);
  const known = await readInteraction(tx, acting.tenant, id);
  return append(tx, acting, id, known, decide(known));
}

async function append(
  tx: Tx,
  { tenant, at }: Acting,
  interaction_id: string,
  known: Interaction | null,
  decided: { event: InteractionEvent } | { refused: RefusalCode },
): Promise<Interaction> {
  if ("refused" in decided) throw refusal(decided.refused, interaction_id);
  await appendInteractionEvent(tx, tenant, { interaction_id, seq: (known?.seq ?? 0) + 1, at }, decided.event);
  return (await readInteraction(tx, tenant, interaction_id))!;
}

export function refusal(code: RefusalCode, id: string): AssayError {
  return new AssayError(code, `${id.slice(0, 64)}: ${REFUSALS[code]}`, {
    hint: "`assay inbox` lists what is open, with ids and revisions",
  });
}

function toResponse(given: Response): Response {
  const parsed = responseSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = answerSchema.safeParse(given.answer).success ? parsed.error.issues[0] : undefined;
  throw new AssayError(
    "RESPONSE_MALFORMED",
    `the response is not what it should be: ${issue?.message ?? "its answer"}`,
    {
      at: issue?.path.join(".") || "answer",
    },
  );
}
