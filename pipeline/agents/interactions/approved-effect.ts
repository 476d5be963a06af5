/**
 * A tool whose effect a person approves first. A call proposes it: exact arguments and preview, each by digest. The same call
 * after the approval does it, once; with anything changed it is a new proposal. What nobody knows the outcome of is not done again.
 */
import type { z } from "zod";
import { digestOf } from "../../domain/digest.ts";
import { AssayError } from "../../domain/outcome.ts";
import type { TaskContract } from "../../schema/task.ts";
import type { JsonObject } from "../../schema/turn.ts";
import { defineTool, type Scope, type Tool, type ToolContext, type ToolOutcome } from "../tool.ts";
import { effectBarrier, type Interaction } from "./interaction.ts";
import { REFUSALS } from "./refusals.ts";
import { expiryOf, failed } from "./request-permission.ts";
import type { Requests } from "./requests.ts";

/** What would be done: the arguments name it whole, so that no other effect has the same. */
export interface Prepared {
  arguments: JsonObject;
  /** What the person is shown of it. */
  preview: string;
  /** Does it and says where. `code`: it certainly did not happen. Where that is not certain, it throws. */
  commit(): Promise<{ reference: string } | { code: string; message: string }>;
}

export interface Effect<S extends z.ZodType> {
  name: string;
  version: string;
  description: string;
  input: S;
  scope(input: z.output<S>, contract: TaskContract): Scope;
  /** Looks, and changes nothing. */
  prepare(input: z.output<S>, context: ToolContext): Promise<Prepared | { code: string; message: string }>;
}

export function approvedEffect<S extends z.ZodType>(
  requests: Requests,
  terms: { open_ms: number },
  effect: Effect<S>,
): Tool {
  const { name, version, input, scope } = effect;
  return defineTool({
    name,
    version,
    effect: "write",
    description: `${effect.description}
A person approves it first: the first call proposes it and does nothing; call it again with the same arguments once it was approved.`,
    input,
    scope,
    async run(given, context) {
      const prepared = await effect.prepare(given, context);
      if ("code" in prepared) return { status: "FAILED", ...prepared };
      const proposal = await propose(requests, name, prepared, context, terms.open_ms);
      return "status" in proposal ? proposal : doApproved(requests, prepared, proposal, context);
    },
  });
}

function digestsOf({ arguments: args, preview }: Prepared) {
  return { arguments_digest: digestOf("tool_arguments", args), preview_digest: digestOf("preview", preview) };
}

/** One proposal for this very effect in this task. That it cannot be made is no effect of unknown outcome. */
async function propose(
  requests: Requests,
  tool: string,
  prepared: Prepared,
  { contract: { root_id, task_id }, now }: ToolContext,
  openMs: number,
): Promise<Interaction | ToolOutcome> {
  const digests = digestsOf(prepared);
  const { arguments: args, preview } = prepared;
  const producer = `${task_id}/effect/${tool}/${digestOf("effect_proposal", digests).slice(0, 24)}`;
  const asked = { kind: "approval" as const, tool, arguments: args, preview, ...digests };
  try {
    const expires_at = expiryOf(now(), openMs);
    return await requests.accept({ root_id, task_id, producer, recipient: null, expires_at, asked });
  } catch (fault) {
    if (!(fault instanceof AssayError) || !(fault.code in REFUSALS || fault.code.startsWith("REQUEST"))) throw fault;
    return { status: "FAILED", code: fault.code, message: fault.message };
  }
}

async function doApproved(
  requests: Requests,
  prepared: Prepared,
  proposal: Interaction,
  { call, now }: ToolContext,
): Promise<ToolOutcome> {
  const { request, response, adoption, effects } = proposal;
  const { interaction_id, revision, expires_at } = request;
  const at = now();
  const digests = digestsOf(prepared);
  // A proposal that an approval came for in time and that was begun stays what it was, however late it is looked at.
  if (adoption === null && at >= expires_at) return failed("INTERACTION_EXPIRED");
  if (response === null) {
    const content = {
      done: false,
      awaits: "approval",
      interaction_id,
      revision,
      expires_at,
      preview: prepared.preview,
    };
    return { status: "OK", content, parks: true };
  }
  const adopted =
    adoption === null
      ? await requests.adopt(interaction_id, { owner: "effect", consumer: call, reference: null })
      : proposal;
  const isAllowed = "decision" in response.answer && response.answer.decision === "approve";
  if (adoption !== null && isAllowed && effects.length === 0) {
    // Another call took the approval up and left no word of what came of it.
    await requests.commit(interaction_id, { outcome: "UNKNOWN", ...digests, reference: adoption.consumer });
    return failed("EFFECT_UNKNOWN");
  }
  const barrier = effectBarrier(adopted, digests, at);
  if (barrier !== null) return failed(barrier);
  const record = (outcome: "COMMITTED" | "FAILED" | "UNKNOWN", reference: string) =>
    requests.commit(interaction_id, { outcome, ...digests, reference });
  try {
    const done = await prepared.commit();
    await record("code" in done ? "FAILED" : "COMMITTED", "code" in done ? call : done.reference);
    if ("code" in done) return { status: "FAILED", ...done };
    return { status: "OK", content: { done: true, interaction_id, reference: done.reference } };
  } catch (fault) {
    await record("UNKNOWN", call).catch(() => undefined);
    throw fault;
  }
}
