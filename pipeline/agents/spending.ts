/**
 * What a run has cost, from its journal: by turn, by role, in all. What nobody counted is null in a turn, and in a sum a number
 * of answers that are missing from it: never zero. Adds up and limits nothing (budget.ts does). Pure.
 */
import type { RunState, TaskState, TurnState } from "./run-state.ts";

export interface TurnSpending {
  task_id: string;
  role: string;
  turn: number;
  model: string;
  /** Null, all three: the provider did not say, or the answer broke off. */
  input_tokens: number | null;
  cached_input_tokens: number | null;
  output_tokens: number | null;
  /** Of the model alone, in micro-units of USD. Null: it has no price, or its tokens were not counted. */
  money_microusd: number | null;
  latency_ms: number;
  attempts: number;
}

/** `known` is the whole only where no answer is missing. */
export interface Amount {
  known: number;
  missing: number;
}

export interface Sum {
  /** All that went out: a gateway's repetitions too, and those that were lost with their worker. */
  requests: number;
  /** Of these, without an answer: what they used nobody said, and it is in no amount. */
  unanswered: number;
  input_tokens: Amount;
  cached_input_tokens: Amount;
  output_tokens: Amount;
  /** Models and tools. */
  money_microusd: Amount;
  /** Of the answers, added up. Tasks may have run beside each other, so it is no duration. */
  latency_ms: number;
}

export interface RunSpending {
  turns: TurnSpending[];
  roles: (Sum & { role: string })[];
  total: Sum;
}

export function runSpending(run: RunState): RunSpending {
  const tasks = [...run.tasks.values()];
  const roles = [...new Set(tasks.map(({ contract }) => contract.role))];
  return {
    turns: tasks.flatMap(turnsOf),
    roles: roles.map((role) => ({ role, ...sumOf(tasks.filter(({ contract }) => contract.role === role)) })),
    total: sumOf(tasks),
  };
}

function turnsOf({ contract: { task_id, role }, turns }: TaskState): TurnSpending[] {
  return turns.map(({ turn, latency_ms, attempts }: TurnState) => ({
    task_id,
    role,
    turn: turn.seq,
    model: `${turn.provider}:${turn.model}`,
    input_tokens: turn.usage?.input_tokens ?? null,
    cached_input_tokens: turn.usage?.cached_input_tokens ?? null,
    output_tokens: turn.usage?.output_tokens ?? null,
    money_microusd: turn.cost_microusd,
    latency_ms,
    attempts,
  }));
}

function sumOf(tasks: readonly TaskState[]): Sum {
  const turns = tasks.flatMap(turnsOf);
  const requests = total(tasks.map(({ spent }) => spent.requests));
  const paidToTools = total(
    tasks.flatMap((task) =>
      task.turns.flatMap(({ calls }) =>
        calls.flatMap(({ receipts }) => receipts.map(({ cost_microusd }) => cost_microusd ?? 0)),
      ),
    ),
  );
  const money = amountOf(turns.map(({ money_microusd }) => money_microusd));
  return {
    requests,
    unanswered: requests - turns.length,
    input_tokens: amountOf(turns.map(({ input_tokens }) => input_tokens)),
    cached_input_tokens: amountOf(turns.map(({ cached_input_tokens }) => cached_input_tokens)),
    output_tokens: amountOf(turns.map(({ output_tokens }) => output_tokens)),
    money_microusd: { ...money, known: money.known + paidToTools },
    latency_ms: total(turns.map(({ latency_ms }) => latency_ms)),
  };
}

export function amountOf(values: readonly (number | null)[]): Amount {
  const known = values.filter((value) => value !== null);
  return { known: total(known), missing: values.length - known.length };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
