/**
 * Child tasks: a contract that lies within its parent's, the same budget above, and a hand-over made from the journal. What
 * a child read, the child has read; its parent has only the hand-over.
 */
import type { Sha256 } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import type { Budget, TaskContract } from "../schema/task.ts";
import type { JsonValue } from "../schema/turn.ts";
import { covers } from "./admission.ts";
import type { Journal } from "./journal.ts";
import { outputsOf, receiptsOf, type TaskState } from "./run-state.ts";
import type { ToolOutcome } from "./tool.ts";

export interface Handoff {
  task_id: string;
  role: string;
  end: { code: string; detail: string | null };
  /** Handed in, whether or not the task came to its end: `is_partial` then. */
  outputs: { name: string; digest: Sha256; document: unknown }[];
  is_partial: boolean;
  sources: { id: string; ranges: string[] }[];
  /** Calls that brought no data, with why. */
  gaps: { call: string; tool: string; code: string }[];
}

export function handoffOf(task: TaskState, documentOf: (digest: Sha256) => unknown): Handoff {
  if (task.end === null) throw new AssayError("TASK_NOT_ENDED", `task ${task.contract.task_id} has not ended`);
  const ranges = new Map<string, Set<string>>();
  const gaps: Handoff["gaps"] = [];
  for (const { call, tool, code, sources } of receiptsOf(task)) {
    if (code !== null) gaps.push({ call, tool, code });
    for (const { id, range } of sources) {
      const known = ranges.get(id) ?? new Set();
      ranges.set(id, range === null ? known : known.add(range));
    }
  }
  return {
    task_id: task.contract.task_id,
    role: task.contract.role,
    end: { code: task.end.code, detail: task.end.detail },
    outputs: outputsOf(task).map(({ name, digest }) => ({ name, digest, document: documentOf(digest) })),
    is_partial: task.end.code !== "FINISHED",
    sources: [...ranges].map(([id, read]) => ({ id, ranges: [...read].sort() })).sort((a, b) => (a.id < b.id ? -1 : 1)),
    gaps,
  };
}

/** Throws CHILD_OUTSIDE_PARENT with what lies outside. Whatever a parent may be granted later, its child is not. */
export function assertWithin(parent: TaskContract, child: TaskContract): void {
  const mayGive = [...parent.tools.offered, ...(parent.tools.for_children ?? [])];
  const outside =
    firstDifference(parent, child) ??
    toolsOf(child).find((name) => !mayGive.includes(name)) ??
    child.scopes.read.find((scope) => !covers(parent.scopes.read, scope)) ??
    child.scopes.write.find((scope) => !covers(parent.scopes.write, scope)) ??
    child.inputs.find((input) => !parent.inputs.includes(input) && !isFromChildOf(parent, input)) ??
    exceeding(parent.budget, child.budget) ??
    looserThan(parent, child);
  if (outside === undefined) return;
  throw new AssayError(
    "CHILD_OUTSIDE_PARENT",
    `the child's contract goes beyond its parent's: ${outside.slice(0, 200)}`,
  );
}

function firstDifference(parent: TaskContract, child: TaskContract): string | undefined {
  if (child.tenant !== parent.tenant) return "tenant";
  if (child.root_id !== parent.root_id) return "root_id";
  if (child.parent_id !== parent.task_id) return "parent_id";
  return child.task_id.startsWith(`${parent.task_id}/`) ? undefined : "task_id";
}

function toolsOf({ tools }: TaskContract): string[] {
  return [...tools.offered, ...tools.on_request, ...(tools.for_children ?? [])];
}

function exceeding(parent: Budget, child: Budget): string | undefined {
  const money = parent.money_microusd ?? Number.POSITIVE_INFINITY;
  if ((child.money_microusd ?? Number.POSITIVE_INFINITY) > money) return "budget.money_microusd";
  const names = ["requests", "tokens", "wall_ms"] as const;
  const name = names.find((key) => child[key] > parent[key]);
  return name === undefined ? undefined : `budget.${name}`;
}

/** What bounds a turn and a row of failures, beside the budget. */
function looserThan(parent: TaskContract, child: TaskContract): string | undefined {
  if (child.calls_per_turn > parent.calls_per_turn) return "calls_per_turn";
  const name = (["failures", "idle_turns"] as const).find((key) => child.retry[key] > parent.retry[key]);
  return name === undefined ? undefined : `retry.${name}`;
}

function isFromChildOf({ task_id }: TaskContract, reference: string): boolean {
  return reference.startsWith(`task:${task_id}/`);
}

/**
 * Null for what was not handed to the task, and for what is not there. Of others, only what came through the terminal gate: a
 * task that did not finish may refer to what it never read.
 */
export function documentHandedIn(journal: Journal, contract: TaskContract, reference: string): JsonValue | null {
  if (!contract.inputs.includes(reference) && !isFromChildOf(contract, reference)) return null;
  const at = reference.lastIndexOf("/");
  const task = journal.run.tasks.get(reference.slice("task:".length, at));
  const isOwn = task?.contract.task_id === contract.task_id;
  if (task === undefined || !(isOwn || task.end?.code === "FINISHED")) return null;
  const output = outputsOf(task).find(({ name }) => name === reference.slice(at + 1));
  return output === undefined ? null : journal.document<JsonValue>(output.digest);
}

/** The hand-over as a tool's outcome. What a parent may refer to are the child's outputs, by `task:<id>/<name>`. */
export function handoffOutcome(handoff: Handoff): ToolOutcome {
  const content = JSON.parse(JSON.stringify(handoff)) as JsonValue;
  if (handoff.outputs.length === 0) return { status: "EMPTY", code: `CHILD_${handoff.end.code}`, content };
  const sources = handoff.outputs.map(({ name }) => ({ id: `task:${handoff.task_id}/${name}`, range: null }));
  return { status: "OK", content, sources };
}
