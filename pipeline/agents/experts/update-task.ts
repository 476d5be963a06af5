/**
 * The tool by which a child puts its own task in other words. They go to its later requests only, as the result of this call:
 * the task as it was given, the user's words, what was sent already, method, budget and contract all stay.
 */
import { z } from "zod";
import { defineTool } from "../tool.ts";

export const updateTask = defineTool({
  name: "update_task",
  version: "1",
  effect: "read",
  description: "Put your own task in other words, for your later steps. Widens nothing.",
  input: z.strictObject({
    task: z.string().trim().min(1).max(4000),
    /** How it relates to the rest of the work: a wish, not an order. */
    relation: z.string().trim().max(1000).default(""),
    inputs: z.array(z.string().max(200)).max(100).default([]),
  }),
  scope: () => ({}),
  run({ task, relation, inputs }, { contract }) {
    if (contract.parent_id === null) {
      return { status: "FAILED", code: "NOT_A_CHILD", message: "the task that a person gave stays as they said it" };
    }
    // One input too many does not undo the words.
    const refused = inputs.filter((input) => !contract.inputs.includes(input));
    const accepted = inputs.filter((input) => contract.inputs.includes(input));
    return { status: "OK", content: { task, relation, inputs: accepted, refused_inputs: refused } };
  },
});
