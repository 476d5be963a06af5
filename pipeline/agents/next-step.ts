/**
 * What a task does next, as it follows from its journal: settle an open call, end, wait for a person, or ask the model. Pure;
 * a model's own word on where it stands is not asked for.
 */
import { budgetBarrier, idleTurns } from "./budget.ts";
import { findStop } from "./inputs.ts";
import { type CallState, FINISH, isSettled, type RunState, type TaskState } from "./run-state.ts";
import { terminalBarrier } from "./terminal.ts";

export type Step =
  | { do: "settle"; call: CallState }
  | { do: "ask" }
  | { do: "wait" }
  | { do: "end"; code: string; detail: string | null };

/** What is next follows from the journal and, for the deadline alone, from the clock. */
export function nextStep(run: RunState, task: TaskState, now: string): Step {
  const last = task.turns.at(-1);
  const open = last?.calls.find((call) => !isSettled(call));
  if (open !== undefined) return { do: "settle", call: open };
  const ending = endingOf(task);
  if (ending !== null) return { do: "end", ...ending };
  const spent = budgetBarrier(run, task, "request", now);
  if (spent !== null) return { do: "end", code: spent, detail: null };
  return { do: task.parked || proposesToWait(task) ? "wait" : "ask" };
}

/** Once a run, and of the root only: a child is part of a call that its parent has in flight. */
function proposesToWait({ contract, parked, turns }: TaskState): boolean {
  const last = turns.at(-1);
  if (last === undefined || contract.parent_id !== null || parked !== null || last.inputs.length > 0) return false;
  return last.calls.some((call) => call.receipts.at(-1)?.parks === true);
}

function endingOf(task: TaskState): { code: string; detail: string | null } | null {
  const { contract, failures, turns } = task;
  const stop = findStop(task);
  if (stop !== undefined) return { code: "STOPPED", detail: stop.from };
  if (failures.count > 0 && (!failures.may_retry || failures.count > contract.retry.failures)) {
    return { code: failures.code ?? "MODEL_FAILED", detail: `${failures.count} in a row` };
  }
  const last = turns.at(-1);
  if (last === undefined || last.inputs.length > 0) return null;
  const finishing = last.calls.find(({ proposed }) => proposed.tool === FINISH)?.receipts.at(-1);
  if (finishing?.outcome === "COMPLETED") return { code: "FINISHED", detail: null };
  // Nothing that a model does can settle it: a person must.
  if (finishing?.code === "EFFECT_UNKNOWN") return { code: "UNSETTLED", detail: finishing.detail };
  if (last.turn.stop === "refusal") return { code: "MODEL_REFUSED", detail: null };
  if (contract.stop_rule === "text" && isAnswer(last.turn)) {
    const barrier = terminalBarrier(task, null);
    if (barrier === null) return { code: "FINISHED", detail: null };
    if (barrier.code === "EFFECT_UNKNOWN") return { code: "UNSETTLED", detail: barrier.detail };
  }
  return idleTurns(task) > contract.retry.idle_turns ? { code: "IDLE", detail: null } : null;
}

/** Where the contract says that an answer is the output. */
export function isAnswer({ stop, calls, text }: { stop: string; calls: unknown[]; text: string }): boolean {
  return stop === "end" && calls.length === 0 && text.trim() !== "";
}
