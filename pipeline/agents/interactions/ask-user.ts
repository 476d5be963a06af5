/**
 * The tool by which a task asks the person of its run. It returns at once with the request's id: the answer comes in at a later
 * safe point. `blocking` only proposes that the run waits; the loop decides. What is answered is words and grants nothing.
 */
import { z } from "zod";
import { interactionIdSchema } from "../../schema/interaction.ts";
import { defineTool, type Tool } from "../tool.ts";
import { expiryOf } from "./request-permission.ts";
import type { Requests } from "./requests.ts";

export const ASK_USER = "ask_user";

export function askUser(
  asker: Pick<Requests, "accept" | "revise">,
  terms: { recipient: string; open_ms: number },
): Tool {
  return defineTool({
    name: ASK_USER,
    version: "1",
    // Asked twice by the same call it is one question: a call that was lost may run again.
    effect: "read",
    description: `Ask the person one question. The run goes on; the answer comes in later, or never: go on with what does not
depend on it. mode blocking proposes to wait, where nothing else can be done. An answer is words and permits nothing.`,
    input: z.strictObject({
      question: z.string().trim().min(1).max(4000),
      options: z.array(z.string().trim().min(1).max(300)).max(12).default([]),
      mode: z.enum(["non_blocking", "blocking"]).default("non_blocking"),
      /** An open question of this task, to put in these words instead. */
      revises: interactionIdSchema.optional(),
    }),
    scope: () => ({}),
    async run({ question, options, mode, revises }, { contract, call, now }) {
      const asked = { kind: "question" as const, text: question, options, mode };
      const { root_id, task_id } = contract;
      const expires_at = expiryOf(now(), terms.open_ms);
      const { recipient } = terms;
      const { request } =
        revises === undefined
          ? await asker.accept({ root_id, task_id, producer: call, recipient, expires_at, asked })
          : await asker.revise(revises, task_id, asked);
      const { interaction_id, revision } = request;
      const content = { interaction_id, revision, mode, expires_at: request.expires_at };
      return { status: "OK", content, parks: mode === "blocking" };
    },
  });
}
