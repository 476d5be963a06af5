/**
 * The tool by which a task asks a person for a tool that its contract holds ready. Called again after the answer, it takes a grant
 * up, and the tool is offered from the next turn on. Only a permission's own answer grants: words, whatever they say, do not.
 */
import { z } from "zod";
import { digestOf } from "../../domain/digest.ts";
import { interactionId } from "../../schema/interaction.ts";
import type { TaskContract } from "../../schema/task.ts";
import { defineTool, type Tool } from "../tool.ts";
import { effectBarrier, type Interaction } from "./interaction.ts";
import { REFUSALS } from "./refusals.ts";
import type { Requests } from "./requests.ts";

export const REQUEST_PERMISSION = "request_permission";

export function requestPermission(requests: Requests, terms: { open_ms: number }): Tool {
  return defineTool({
    name: REQUEST_PERMISSION,
    version: "1",
    // A call that was lost may run again: request, adoption and grant are each recorded once.
    effect: "read",
    description: `Ask a person for a tool that is held ready for this task. Once it was granted, call this again for the same tool
to take the grant up: the tool is offered from the next turn on. mode blocking proposes to wait for the answer.`,
    input: z.strictObject({
      tool: z.string().min(1).max(64),
      reason: z.string().trim().min(1).max(2000),
      mode: z.enum(["non_blocking", "blocking"]).default("non_blocking"),
    }),
    scope: () => ({}),
    async run({ tool, reason, mode }, { contract, call, now }) {
      if (!contract.tools.on_request.includes(tool)) {
        return {
          status: "FAILED",
          code: "NOT_HELD_READY",
          message: `held ready: ${contract.tools.on_request.join(", ")}`,
        };
      }
      const at = now();
      const interaction = await askOnce(requests, contract, tool, reason, expiryOf(at, terms.open_ms));
      const { request, response, adoption } = interaction;
      const { interaction_id, expires_at } = request;
      if (response === null) {
        if (at >= expires_at) return failed("INTERACTION_EXPIRED");
        return { status: "OK", content: { granted: [], interaction_id, expires_at }, parks: mode === "blocking" };
      }
      const adopted =
        adoption === null
          ? await requests.adopt(interaction_id, { owner: "authorization", consumer: call, reference: null })
          : interaction;
      const done = { arguments_digest: digestOf("permission", request.asked), preview_digest: null };
      // Taken up before: it stays granted, and is recorded once.
      if (adopted.effects.length === 0) {
        const barrier = effectBarrier(adopted, done, at);
        if (barrier !== null) return failed(barrier);
        await requests.commit(interaction_id, { outcome: "COMMITTED", ...done, reference: call });
      }
      return {
        status: "OK",
        content: { granted: [tool], interaction_id, by: response.respondent },
        surface: { grant: [tool] },
      };
    },
  });
}

/** One request for a tool in a task, in the words of the first. */
async function askOnce(
  requests: Requests,
  { tenant, root_id, task_id, scopes }: TaskContract,
  tool: string,
  reason: string,
  expires_at: string,
): Promise<Interaction> {
  const producer = `${task_id}/permission/${tool}`;
  const known = await requests.find(interactionId(tenant, root_id, producer));
  const asked = { kind: "permission" as const, tools: [tool], scopes: { read: [], write: scopes.write }, reason };
  return known ?? requests.accept({ root_id, task_id, producer, recipient: null, expires_at, asked });
}

export function expiryOf(at: string, openMs: number): string {
  return new Date(Date.parse(at) + openMs).toISOString();
}

export function failed(code: keyof typeof REFUSALS) {
  return { status: "FAILED" as const, code, message: REFUSALS[code] };
}
