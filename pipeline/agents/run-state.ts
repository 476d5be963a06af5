/** A run's state as the fold of its journal. Pure; decides nothing. What is not in an entry did not happen. */
import { digestOf, type Sha256 } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import type { Receipt } from "../schema/receipt.ts";
import type { RunEntry, TaskEnd, TaskInput } from "../schema/run-entry.ts";
import type { TaskContract, TaskRequest } from "../schema/task.ts";
import type { ModelTurn } from "../schema/turn.ts";
import type { ProposedCall } from "./gateway.ts";

export const FINISH = "finish";

export interface CallState {
  /** `main#3.2`: task, turn, place. */
  key: string;
  proposed: ProposedCall;
  /** How often it was dispatched, and a receipt for each time that was accounted for. */
  attempts: number;
  receipts: Receipt[];
}

export interface TurnState {
  turn: ModelTurn;
  calls: CallState[];
  /** Inputs that were adopted after this turn. */
  inputs: TaskInput[];
  /** HTTP attempts made for the answer, and the time they took together. */
  attempts: number;
  latency_ms: number;
}

/** Known amounts, and how many requests are in none of them. */
export interface Spent {
  requests: number;
  tokens: number;
  money_microusd: number;
  /** Answers whose price is not known: they are in no sum of money. */
  unpriced_requests: number;
  /** Whole answers whose tokens were not counted. */
  unmetered_requests: number;
}

export interface TaskState {
  contract: TaskContract;
  request: TaskRequest;
  opened_at: string;
  /** Inputs that came before the first turn. */
  inputs: TaskInput[];
  turns: TurnState[];
  spent: Spent;
  reminders: string[];
  /** Requests in a row that failed, or whose answer broke off. */
  failures: { count: number; code: string | null; may_retry: boolean };
  /** Waits for a person: null while it never did. */
  parked: boolean | null;
  end: TaskEnd | null;
}

export interface RunState {
  root_id: string;
  seq: number;
  digest: Sha256;
  tasks: Map<string, TaskState>;
}

export function callKey(taskId: string, turn: number, place: number): string {
  return `${taskId}#${turn}.${place}`;
}

export function getTask(run: RunState, taskId: string): TaskState {
  const task = run.tasks.get(taskId);
  if (task === undefined) throw new AssayError("RUN_JOURNAL_BROKEN", `the journal has no task ${taskId}`);
  return task;
}

/** Changes `run`: a journal of thousands of entries is folded once and then entry by entry. */
export function applyEntry(run: RunState, { seq, digest, task_id, at, body }: RunEntry): void {
  run.seq = seq;
  run.digest = digest;
  if (body.type === "task_opened") {
    run.tasks.set(task_id, {
      contract: body.contract,
      request: body.request,
      opened_at: at,
      inputs: [],
      turns: [],
      spent: { requests: 0, tokens: 0, money_microusd: 0, unpriced_requests: 0, unmetered_requests: 0 },
      reminders: [],
      failures: { count: 0, code: null, may_retry: true },
      parked: null,
      end: null,
    });
    return;
  }
  const task = getTask(run, task_id);
  switch (body.type) {
    case "input_adopted":
      (task.turns.at(-1)?.inputs ?? task.inputs).push(body.input);
      if (task.parked) task.parked = false;
      return;
    case "request_dispatched":
      task.spent.requests += 1;
      task.reminders.push(...body.reminders);
      return;
    case "request_failed":
      task.failures = { count: task.failures.count + 1, code: body.code, may_retry: body.may_retry };
      return;
    case "turn_sealed":
      applyTurn(task, body);
      return;
    case "call_dispatched":
      getCall(task, body.call).attempts = body.attempt;
      return;
    case "call_settled":
      getCall(task, body.receipt.call).receipts.push(body.receipt);
      task.spent.money_microusd += body.receipt.cost_microusd ?? 0;
      return;
    case "call_reconciled":
      reconcile(task, body);
      return;
    case "task_parked":
      task.parked = true;
      return;
    case "task_ended":
      task.end = body.end;
  }
}

function applyTurn(
  task: TaskState,
  { turn, attempts, latency_ms }: { turn: ModelTurn; attempts: number; latency_ms: number },
): void {
  task.turns.push({
    turn,
    calls: turn.calls.map((proposed, index) => ({
      key: callKey(turn.task_id, turn.seq, index + 1),
      proposed,
      attempts: 0,
      receipts: [],
    })),
    inputs: [],
    attempts,
    latency_ms,
  });
  // The gateway's own repetitions are requests like any other.
  task.spent.requests += Math.max(0, attempts - 1);
  if (turn.usage !== null) task.spent.tokens += turn.usage.input_tokens + turn.usage.output_tokens;
  else if (turn.stop !== "interrupted") task.spent.unmetered_requests += 1;
  if (turn.cost_microusd === null) task.spent.unpriced_requests += 1;
  else task.spent.money_microusd += turn.cost_microusd;
  task.failures =
    turn.stop === "interrupted"
      ? { count: task.failures.count + 1, code: "MODEL_INTERRUPTED", may_retry: true }
      : { count: 0, code: null, may_retry: true };
}

function getCall(task: TaskState, key: string): CallState {
  const call = task.turns.at(-1)?.calls.find((candidate) => candidate.key === key);
  if (call === undefined) throw new AssayError("RUN_JOURNAL_BROKEN", `the journal has no open call ${key}`);
  return call;
}

/** The receipt as it would have been: that it is a person's word stands in its detail, and in the journal by whom. */
function reconcile(
  task: TaskState,
  { call: key, happened, note }: Extract<RunEntry["body"], { type: "call_reconciled" }>,
) {
  const call = task.turns.flatMap(({ calls }) => calls).find((candidate) => candidate.key === key);
  const last = call?.receipts.at(-1);
  if (last?.outcome !== "UNKNOWN") throw new AssayError("RUN_JOURNAL_BROKEN", `call ${key} was not of unknown outcome`);
  const found = happened
    ? { outcome: "COMPLETED" as const, code: null, detail: `a person found that it happened: ${note}` }
    : { outcome: "FAILED" as const, code: "NOT_HAPPENED", detail: `a person found that it did not happen: ${note}` };
  call!.receipts.push({ ...last, ...found });
}

/** An effect whose outcome is unknown is settled as that; a read without an outcome may run again. */
export function isSettled(call: CallState): boolean {
  const last = call.receipts.at(-1);
  return last !== undefined && (last.outcome !== "UNKNOWN" || last.effect === "write");
}

export function receiptsOf(task: TaskState): Receipt[] {
  return task.turns.flatMap(({ calls }) => calls.flatMap(({ receipts }) => receipts.slice(-1)));
}

/** What the model may be offered: what the contract offers, with what was granted and without what was withdrawn. */
export function surfaceOf(task: TaskState): string[] {
  const names = new Set(task.contract.tools.offered);
  for (const { surface } of receiptsOf(task)) {
    for (const name of surface.granted) names.add(name);
    for (const name of surface.withdrawn) names.delete(name);
  }
  return [...names].sort();
}

export type TaskOutput = Receipt["outputs"][number];

/** Handed in so far, the later of a name only, by name. */
export function outputsOf(task: TaskState): TaskOutput[] {
  const outputs = new Map(
    receiptsOf(task).flatMap((receipt) => receipt.outputs.map((output) => [output.name, output])),
  );
  return [...outputs.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Over names and documents alone: no call, receipt or time is in it. */
export function outputDigest(outputs: readonly { name: string; digest: Sha256 }[]): Sha256 {
  return digestOf(
    "task_outputs",
    outputs.map(({ name, digest }) => [name, digest]),
  );
}
