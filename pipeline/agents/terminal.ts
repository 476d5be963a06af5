/**
 * Whether a task may end as its model proposes. Asks only what the host can check: an output exists, what it refers to was
 * read in this very task, nothing is unsettled. It does not judge whether the work is complete or good.
 */
import { type CallState, isSettled, outputsOf, receiptsOf, type TaskState } from "./run-state.ts";

export interface Barrier {
  code: "NO_OUTPUT" | "REFERENCE_NOT_READ" | "CALL_UNSETTLED" | "EFFECT_UNKNOWN";
  detail: string | null;
}

export function terminalBarrier(task: TaskState, finishing: CallState | null): Barrier | null {
  const calls = task.turns.flatMap((turn) => turn.calls);
  const last = finishing === null ? calls.length : calls.indexOf(finishing);
  const open = calls.slice(0, last).find((call) => !isSettled(call));
  if (open !== undefined) return { code: "CALL_UNSETTLED", detail: open.key };
  const receipts = receiptsOf(task);
  const unknown = receipts.find(({ outcome }) => outcome === "UNKNOWN");
  if (unknown !== undefined) return { code: "EFFECT_UNKNOWN", detail: unknown.call };
  const outputs = outputsOf(task);
  // A record of what was looked for is no result: a task that only searched has nothing to end with.
  const isResult = ({ name }: { name: string }) => !name.startsWith("record:");
  if (!outputs.some(isResult) && task.contract.stop_rule === "finish") return { code: "NO_OUTPUT", detail: null };
  const read = new Set(receipts.flatMap(({ sources }) => sources.map(({ id }) => id)));
  const foreign = outputs.flatMap(({ references }) => references).find((reference) => !read.has(reference));
  return foreign === undefined ? null : { code: "REFERENCE_NOT_READ", detail: foreign.slice(0, 300) };
}
