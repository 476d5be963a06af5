/**
 * Whether a proposed call may run: boundaries of its turn, its input, the rules, then contract, scope and budget. Pure.
 * Decides by what is written down, never by what the call seems to mean.
 */
import { digestOf } from "../domain/digest.ts";
import { budgetBarrier } from "./budget.ts";
import type { ProposedCall } from "./gateway.ts";
import { type CallState, FINISH, type RunState, surfaceOf, type TaskState, type TurnState } from "./run-state.ts";
import type { Tool, Toolbox } from "./tool.ts";

export interface Refusal {
  code: string;
  detail: string | null;
}

/** A rule before a call: null, or why not. Sees the task as it is, changes nothing. */
export type PreCallRule = (call: ProposedCall, task: TaskState) => Refusal | null;

export type Admission = { tool: Tool; input: unknown } | { finish: true } | Refusal;

interface Terms {
  toolbox: Toolbox;
  rules: readonly PreCallRule[];
  run: RunState;
  task: TaskState;
  now: string;
}

export function admit(call: CallState, terms: Terms): Admission {
  const { toolbox, rules, run, task, now } = terms;
  const { proposed } = call;
  const turn = task.turns.at(-1)!;
  const boundary = boundaryBefore(call, turn, task.contract.calls_per_turn);
  if (boundary !== null) return refusal(boundary);
  if (proposed.arguments === null) return refusal("ARGUMENTS_MALFORMED", proposed.malformed);
  if (proposed.tool === FINISH) return { finish: true };
  const tool = toolbox.get(proposed.tool);
  if (tool === undefined) return refusal("TOOL_UNKNOWN");
  if (!surfaceOf(task).includes(tool.name)) return refusal("TOOL_NOT_OFFERED");
  const parsed = tool.parse(proposed.arguments);
  if (!parsed.ok) return refusal("ARGUMENTS_REFUSED", parsed.issues);
  for (const rule of rules) {
    const refused = rule(proposed, task);
    if (refused !== null) return refused;
  }
  const { read = [], write = [] } = tool.scope(parsed.input, task.contract);
  const outside =
    read.find((scope) => !covers(task.contract.scopes.read, scope)) ??
    write.find((scope) => !covers(task.contract.scopes.write, scope)) ??
    (tool.effect === "write" && write.length === 0 ? "a write without a scope" : undefined);
  if (outside !== undefined) return refusal("OUTSIDE_SCOPE", outside.slice(0, 300));
  const spent = budgetBarrier(run, task, "call", now);
  if (spent !== null) return refusal(spent);
  return { tool, input: parsed.input };
}

/** What happened earlier in the turn that stops this call from being judged under the terms it was made under. */
function boundaryBefore(call: CallState, turn: TurnState, callsMax: number): string | null {
  const before = turn.calls.slice(0, turn.calls.indexOf(call));
  if (turn.turn.stop === "interrupted") return "TURN_INTERRUPTED";
  if (before.length >= callsMax) return "CALLS_TOO_MANY";
  if (before.some((other) => other.proposed.call_id === call.proposed.call_id)) return "CALL_ID_REPEATED";
  for (const { proposed, receipts } of before) {
    const last = receipts.at(-1)!;
    if (proposed.tool === FINISH && last.outcome === "COMPLETED") return "TASK_ENDING";
    if (last.surface.granted.length + last.surface.withdrawn.length > 0) return "SURFACE_CHANGED";
  }
  return null;
}

/** `facts:*` covers everything that begins with `facts:`; else they are equal. */
export function covers(granted: readonly string[], asked: string): boolean {
  return granted.some((scope) => scope === asked || (scope.endsWith(":*") && asked.startsWith(scope.slice(0, -1))));
}

/** The same call over and over brings nothing new: after `times` outcomes it is refused. */
export function refuseRepeats(times: number): PreCallRule {
  return (proposed, task) => {
    const before = task.turns
      .flatMap(({ calls }) => calls)
      .filter((call) => call.proposed.tool === proposed.tool && call.attempts > 0 && call.proposed !== proposed);
    if (before.length < times) return null;
    const asked = digestOf("tool_arguments", proposed.arguments);
    const same = before.filter((call) => digestOf("tool_arguments", call.proposed.arguments) === asked);
    return same.length >= times ? refusal("CALL_REPEATED", `asked ${same.length} times already`) : null;
  };
}

function refusal(code: string, detail: string | null = null): Refusal {
  return { code, detail };
}
