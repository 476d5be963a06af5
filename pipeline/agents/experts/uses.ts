/**
 * Four facts of a method in a run, each from whoever owns it: chosen (a person's message, or a sealed call), admitted (a child
 * was opened with that method), delivered (its text was in a request that went out), adopted (an output of the parent refers
 * to what the child handed in). Folded from the journal; none follows from another.
 */
import { GENERAL } from "../../schema/expert.ts";
import type { ProjectedInput } from "../../schema/projected-input.ts";
import type { RunEntry } from "../../schema/run-entry.ts";
import { CONSULT, childOf } from "./consult.ts";

export interface ExpertUse {
  agent_id: string;
  /** `message` of a person, or `call` of a task. */
  chosen: { by: "person" | "task"; reference: string };
  admitted: { task_id: string; content_hash: string; seq: number } | null;
  delivered: { projected_input_digest: string; seq: number } | null;
  adopted: { call: string; output: string; seq: number } | null;
  /** Why it was not admitted. */
  refused: string | null;
}

/** `chosen`: what the person named, with their message. `projected`: inputs by digest, of the children at least. */
export function expertUses(
  entries: readonly RunEntry[],
  projected: ReadonlyMap<string, ProjectedInput>,
  chosen: { agent_id: string; message: string } | null,
): ExpertUse[] {
  const uses = new Map<string, ExpertUse>();
  if (chosen !== null) uses.set("", newUse(chosen.agent_id, "person", chosen.message));
  for (const { seq, task_id, body } of entries) {
    switch (body.type) {
      case "turn_sealed":
        body.turn.calls.forEach(({ tool, arguments: args }, index) => {
          if (tool !== CONSULT || typeof args?.agent_id !== "string" || args.agent_id === GENERAL) return;
          const call = `${task_id}#${body.turn.seq}.${index + 1}`;
          // Whom a person named is the person's choice, whoever calls them in.
          const named = args.agent_id === chosen?.agent_id ? uses.get("") : undefined;
          uses.set(childOf(call), named ?? newUse(args.agent_id, "task", call));
        });
        break;
      case "task_opened": {
        // A child of the host's own making, for what a person named, was chosen by the person.
        const use = uses.get(task_id) ?? (body.contract.expert?.id === chosen?.agent_id ? uses.get("") : undefined);
        if (use === undefined || body.contract.expert?.id !== use.agent_id) break;
        use.admitted ??= { task_id, content_hash: body.contract.expert.hash, seq };
        break;
      }
      case "request_dispatched": {
        const use = [...uses.values()].find(({ admitted }) => admitted?.task_id === task_id);
        const input = projected.get(body.projected_input_digest);
        if (use === undefined || use.delivered !== null || input === undefined || !holdsMethod(input, use)) break;
        use.delivered = { projected_input_digest: body.projected_input_digest, seq };
        break;
      }
      case "call_settled": {
        const { call, code, admission, outputs } = body.receipt;
        const asked = uses.get(childOf(call));
        if (asked !== undefined && asked.admitted === null) asked.refused = code ?? admission;
        for (const use of new Set(uses.values())) {
          const prefix = `task:${use.admitted?.task_id}/`;
          const output = outputs.find(({ references }) => references.some((id) => id.startsWith(prefix)));
          if (use.admitted !== null && output !== undefined) use.adopted ??= { call, output: output.name, seq };
        }
      }
    }
  }
  return [...new Set(uses.values())];
}

function newUse(agent_id: string, by: "person" | "task", reference: string): ExpertUse {
  return { agent_id, chosen: { by, reference }, admitted: null, delivered: null, adopted: null, refused: null };
}

/** That a block was left out so that the rest fits is not delivery. */
function holdsMethod({ messages, left_out }: ProjectedInput, { agent_id, admitted }: ExpertUse): boolean {
  const isMethod = (text: string) =>
    text.includes(`method:${agent_id}`) && text.includes(`:${admitted!.content_hash.slice(0, 12)}`);
  const isLeftOut = left_out.some(({ what }) => what.startsWith("block ") && isMethod(what));
  return !isLeftOut && messages.some((message) => message.role === "user" && isMethod(message.text));
}
