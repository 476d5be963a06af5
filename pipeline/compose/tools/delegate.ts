/**
 * Tool: gives one role's work to a child. Who calls chooses role and inputs; the child's contract is compiled by code from the
 * role, within the caller's own. The caller gets the hand-over, not the documents: what a child read, the child has read.
 */
import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "../../agents/tool.ts";
import type { TaskContract, TaskRequest } from "../../schema/task.ts";
import type { JsonObject } from "../../schema/turn.ts";
import { referenceTo } from "../drafts.ts";

const TIMEOUT_MS = 20 * 60_000;
const INPUTS_MAX = 40;

export interface DelegateTerms {
  /** Each role with what it is for. */
  roles: readonly { name: string; purpose: string }[];
  /** Throws INPUTS_MISSING where the role cannot work with these. */
  compile(
    order: { role: string; inputs: string[]; note: string | null },
    context: ToolContext,
  ): {
    contract: TaskContract;
    request: TaskRequest;
  };
  /** The output that the whole work is for: handed on as the caller's own. */
  adopts: string;
}

export function delegate({ roles, compile, adopts }: DelegateTerms): Tool {
  const names = roles.map(({ name }) => name) as [string, ...string[]];
  return defineTool({
    name: "delegate",
    version: "1",
    description: `Give one role's work to a child task and wait for it. Roles:
${roles.map(({ name, purpose }) => `${name}: ${purpose}`).join("\n")}
inputs: references (task:…) of documents that your children handed in, as far as the new child needs them; note: what to attend to,
or null. You get back its references, what it read and its gaps.`,
    input: z.strictObject({
      role: z.enum(names),
      inputs: z.array(z.string().min(1).max(300)).max(INPUTS_MAX),
      note: z.string().trim().min(1).max(2000).nullable(),
    }),
    effect: "read",
    scope: () => ({}),
    timeout_ms: TIMEOUT_MS,
    async run(order, context) {
      const { contract, request } = compile(order, context);
      const { task_id, role, end, outputs, is_partial, sources, gaps } = await context.runChild(contract, request);
      // What did not come through the terminal gate cannot be read by anybody, and is not passed on.
      const handedOn = is_partial ? [] : outputs;
      const content = {
        task_id,
        role,
        end,
        is_partial,
        outputs: handedOn.map(({ name, document }) => ({ reference: referenceTo(task_id, name), ...sizeOf(document) })),
        sources: sources.map(({ id, ranges }) => (ranges.length === 0 ? id : `${id} ${ranges.join(" ")}`)),
        gaps,
      };
      if (handedOn.length === 0) return { status: "EMPTY", code: `CHILD_${end.code}`, content };
      const adopted = handedOn.find(({ name }) => name === adopts);
      return {
        status: "OK",
        content,
        sources: handedOn.map(({ name }) => ({ id: referenceTo(task_id, name), range: null })),
        outputs:
          adopted === undefined
            ? []
            : [
                {
                  name: adopts,
                  document: adopted.document as JsonObject,
                  references: [referenceTo(task_id, adopts)],
                },
              ],
      };
    },
  });
}

/** How many of what a document holds: enough to see whether anybody need look. */
function sizeOf(document: unknown): Record<string, number> {
  const counts = Object.entries(document as JsonObject).flatMap(([name, items]) =>
    Array.isArray(items) ? [[name, items.length] as const] : [],
  );
  return Object.fromEntries(counts);
}
