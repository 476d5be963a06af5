/**
 * The state machine of interactions: `foldInteraction` folds events, the `decide…` functions answer a command with an event or
 * a refusal. Pure: no clock, no store, no account. That something was received never says that it was adopted or done.
 *
 *   accepted ─▶ revised* ─▶ received ─▶ adopted ─▶ committed (UNKNOWN ─▶ COMMITTED | FAILED)
 *        └────▶ withdrawn
 */
import { canonicalJson } from "../../domain/digest.ts";
import {
  type Answer,
  type Asked,
  type EventBody,
  effectKey,
  type InteractionEvent,
  type InteractionRequest,
  OWNERS,
  type Respondent,
  type Response,
  responseDigest,
} from "../../schema/interaction.ts";
import type { RefusalCode } from "./refusals.ts";

export interface Interaction {
  /** In its last revision. */
  request: InteractionRequest;
  is_withdrawn: boolean;
  response: (EventBody<"received/v1"> & { at: string }) | null;
  adoption: EventBody<"adopted/v1"> | null;
  /** What became of it: one, or UNKNOWN and then what it was found to be. */
  effects: EventBody<"committed/v1">[];
  seq: number;
}

export type Decided = { event: InteractionEvent } | { refused: RefusalCode };

/** Null before the first event. */
export function foldInteraction(events: readonly (InteractionEvent & { at: string })[]): Interaction | null {
  return events.reduce<Interaction | null>(evolve, null);
}

function evolve(before: Interaction | null, { type, body, at }: InteractionEvent & { at: string }): Interaction | null {
  if (type === "accepted/v1") {
    const open = { is_withdrawn: false, response: null, adoption: null, effects: [] };
    return { request: body.request, ...open, seq: 1 };
  }
  if (before === null) return null;
  const next = { ...before, seq: before.seq + 1 };
  switch (type) {
    case "revised/v1":
      return { ...next, request: body.request };
    case "withdrawn/v1":
      return { ...next, is_withdrawn: true };
    case "received/v1":
      return { ...next, response: { ...body, at } };
    case "adopted/v1":
      return { ...next, adoption: body };
    case "committed/v1":
      return { ...next, effects: [...next.effects, body] };
  }
}

/** Accepting is idempotent by the call that asks. `isUnknown`: an effect like this one has an outcome nobody knows. */
export function decideAccept(
  known: Interaction | null,
  request: InteractionRequest,
  isUnknown: boolean,
): Decided | { known: Interaction } {
  if (known !== null) {
    const isSame = canonicalJson(known.request.asked) === canonicalJson(request.asked);
    return isSame || known.request.revision > 1 ? { known } : { refused: "REQUEST_CONFLICT" };
  }
  if (isUnknown) return { refused: "EFFECT_UNKNOWN" };
  const effect_key = effectKey(request.asked);
  return { event: { type: "accepted/v1", body: { request, root_id: request.root_id, effect_key } } };
}

export function decideRevise(
  interaction: Interaction | null,
  taskId: string,
  changes: Extract<Asked, { kind: "question" }>,
): Decided {
  if (interaction === null) return { refused: "INTERACTION_UNKNOWN" };
  const { request } = interaction;
  if (request.asked.kind !== "question" || request.task_id !== taskId) return { refused: "NOT_REVISABLE" };
  if (interaction.is_withdrawn) return { refused: "INTERACTION_WITHDRAWN" };
  if (interaction.response !== null) return { refused: "INTERACTION_ANSWERED" };
  const revised = { ...request, revision: request.revision + 1, asked: changes };
  return { event: { type: "revised/v1", body: { request: revised } } };
}

/**
 * Whether a response is received. `earlier`: what the same account sent before under the same response id, to whatever
 * request. Sent again word for word it is what it was, even after the request expired: `repeated`.
 */
export function decideRespond(
  interaction: Interaction | null,
  respondent: Respondent,
  response: Response,
  earlier: EventBody<"received/v1"> | null,
  now: string,
): Decided | { repeated: EventBody<"received/v1"> } {
  if (interaction === null) return { refused: "INTERACTION_UNKNOWN" };
  const { request } = interaction;
  if (request.asked.kind !== "question" && !respondent.is_authenticated) return { refused: "PERSON_REQUIRED" };
  if (request.recipient !== null && request.recipient !== respondent.account) return { refused: "WRONG_ACCOUNT" };
  const response_digest = responseDigest(respondent.account, response);
  if (earlier !== null) {
    return earlier.response_digest === response_digest ? { repeated: earlier } : { refused: "RESPONSE_CONFLICT" };
  }
  const unfit = unfitness(request.asked, response.answer);
  if (unfit !== null) return { refused: unfit };
  if (response.revision !== request.revision) {
    return { refused: response.revision < request.revision ? "REVISION_OLD" : "REVISION_UNKNOWN" };
  }
  if (interaction.is_withdrawn) return { refused: "INTERACTION_WITHDRAWN" };
  if (interaction.response !== null) return { refused: "INTERACTION_ANSWERED" };
  if (now >= request.expires_at) return { refused: "INTERACTION_EXPIRED" };
  const { revision, client_response_id, answer } = response;
  const { account, is_authenticated } = respondent;
  const body = { revision, respondent: account, is_authenticated, client_response_id, answer, response_digest };
  return { event: { type: "received/v1", body } };
}

/** Words are never read for more than they are: a decision is one only in an answer of the request's own kind. */
function unfitness(asked: Asked, answer: Answer): RefusalCode | null {
  if (asked.kind !== answer.kind) return "ANSWER_KIND";
  if (asked.kind !== "question" || answer.kind !== "question" || asked.options.length === 0) return null;
  return asked.options.includes(answer.text) ? null : "ANSWER_NOT_OFFERED";
}

export function decideWithdraw(interaction: Interaction | null, reason: string): Decided {
  if (interaction === null) return { refused: "INTERACTION_UNKNOWN" };
  if (interaction.is_withdrawn) return { refused: "INTERACTION_WITHDRAWN" };
  if (interaction.response !== null) return { refused: "INTERACTION_ANSWERED" };
  return { event: { type: "withdrawn/v1", body: { reason } } };
}

/** The receipt of the consumer. Of a question: of the task that asked, or of one in a run that continues an ended one. */
export function decideAdopt(interaction: Interaction | null, adoption: EventBody<"adopted/v1">): Decided {
  if (interaction === null) return { refused: "INTERACTION_UNKNOWN" };
  if (interaction.response === null) return { refused: "NOT_ANSWERED" };
  if (adoption.owner !== OWNERS[interaction.request.asked.kind]) return { refused: "WRONG_OWNER" };
  if (interaction.adoption !== null) return { refused: "ALREADY_ADOPTED" };
  return { event: { type: "adopted/v1", body: adoption } };
}

type Done = Pick<EventBody<"committed/v1">, "arguments_digest" | "preview_digest">;

/** Whether the owner may do what was allowed: asked immediately before, with what would be done. Null: it may. */
export function effectBarrier(interaction: Interaction | null, wouldBe: Done, now: string): RefusalCode | null {
  const barrier = commitBarrier(interaction, wouldBe);
  return barrier ?? (now >= interaction!.request.expires_at ? "INTERACTION_EXPIRED" : null);
}

function commitBarrier(interaction: Interaction | null, done: Done): RefusalCode | null {
  if (interaction === null) return "INTERACTION_UNKNOWN";
  const { request, response, adoption, effects } = interaction;
  if (response === null) return "NOT_ANSWERED";
  if (adoption === null) return "NOT_ADOPTED";
  const { answer } = response;
  if (!("decision" in answer) || !["grant", "approve"].includes(answer.decision)) return "NOT_ALLOWED";
  const { asked } = request;
  if (
    asked.kind === "approval" &&
    (asked.arguments_digest !== done.arguments_digest || asked.preview_digest !== done.preview_digest)
  ) {
    return "EFFECT_CHANGED";
  }
  if (effects.at(-1)?.outcome === "UNKNOWN") return "EFFECT_UNKNOWN";
  return effects.length > 0 ? "EFFECT_SETTLED" : null;
}

/** What came of it. After UNKNOWN only what it was found to be: nothing is done again. */
export function decideCommit(interaction: Interaction | null, committed: EventBody<"committed/v1">): Decided {
  const barrier = commitBarrier(interaction, committed);
  const isFound = barrier === "EFFECT_UNKNOWN" && committed.outcome !== "UNKNOWN";
  if (barrier !== null && !isFound) return { refused: barrier };
  return { event: { type: "committed/v1", body: committed } };
}
