/**
 * What a task may still spend: its own limit and that of every task above it, up to the root. All is counted from the
 * journal, so that children, repetitions and recovery draw on the same amounts and nothing resets them. Pure.
 */
import type { Budget } from "../schema/task.ts";
import { getTask, type RunState, type Spent, type TaskState } from "./run-state.ts";

/** Of the task and everything below it. */
export function spendingOf(run: RunState, task: TaskState): Spent {
  const sum: Spent = { requests: 0, tokens: 0, money_microusd: 0, unpriced_requests: 0, unmetered_requests: 0 };
  for (const other of run.tasks.values()) {
    if (!lineOf(run, other).includes(task)) continue;
    for (const key of Object.keys(sum) as (keyof Spent)[]) sum[key] += other.spent[key];
  }
  return sum;
}

/** The first limit that stands in the way, the task's own before those above. A call spends no request and no tokens. */
export function budgetBarrier(run: RunState, task: TaskState, what: "request" | "call", now: string): string | null {
  for (const holder of lineOf(run, task)) {
    const { budget } = holder.contract;
    const spent = spendingOf(run, holder);
    if (wallLeftOf(holder, now) <= 0) return "BUDGET_WALL_TIME";
    if (what === "request" && spent.requests >= budget.requests) return "BUDGET_REQUESTS";
    if (what === "request" && spent.tokens >= budget.tokens) return "BUDGET_TOKENS";
    // A provider that counts nothing cannot be held to a limit of tokens, and an estimate would be our word for it. An answer
    // that broke off is let pass: its count was lost, not withheld, and requests and failures in a row have limits of their own.
    if (what === "request" && spent.unmetered_requests > 0) return "BUDGET_UNMETERED";
    const money = moneyBarrier(budget, spent, what);
    if (money !== null) return money;
  }
  return null;
}

function moneyBarrier({ money_microusd }: Budget, spent: Spent, what: "request" | "call"): string | null {
  if (money_microusd === null) return null;
  // What has no price cannot be held to a limit of money.
  if (spent.unpriced_requests > 0) return "BUDGET_UNPRICED";
  // A limit of nothing still lets through what costs nothing.
  const isSpent =
    what === "request" ? spent.money_microusd >= Math.max(1, money_microusd) : spent.money_microusd > money_microusd;
  return isSpent ? "BUDGET_MONEY" : null;
}

/** Milliseconds until the first deadline. Time goes on while nobody works at the run. */
export function wallLeft(run: RunState, task: TaskState, now: string): number {
  return Math.min(...lineOf(run, task).map((holder) => wallLeftOf(holder, now)));
}

function wallLeftOf({ opened_at, contract }: TaskState, now: string): number {
  return Date.parse(opened_at) + contract.budget.wall_ms - Date.parse(now);
}

const REQUESTS_LOW = 2;
const TOKENS_LOW = 0.8;

/** Reminders that belong into the next request. Each is due once; it was given only if it was in one that went out. */
export function remindersDue(run: RunState, task: TaskState): string[] {
  const due = new Set<string>();
  for (const holder of lineOf(run, task)) {
    const spent = spendingOf(run, holder);
    const { requests, tokens } = holder.contract.budget;
    if (requests - spent.requests <= REQUESTS_LOW) due.add("REQUESTS_LOW");
    if (spent.tokens >= tokens * TOKENS_LOW) due.add("TOKENS_LOW");
  }
  if (task.failures.code === "MODEL_INTERRUPTED") due.add("ANSWER_BROKE_OFF");
  if (idleTurns(task) > 0) due.add("NOTHING_CALLED");
  const repeatable = new Set(["ANSWER_BROKE_OFF", "NOTHING_CALLED"]);
  return [...due].filter((code) => repeatable.has(code) || !task.reminders.includes(code)).sort();
}

/** Turns in a row, the last ones, that called nothing. */
export function idleTurns(task: TaskState): number {
  let count = 0;
  for (const { turn } of task.turns.toReversed()) {
    if (turn.calls.length > 0 || turn.stop === "interrupted") break;
    count += 1;
  }
  return count;
}

/** The task and those above it, the root last. */
function lineOf(run: RunState, task: TaskState): TaskState[] {
  const line = [task];
  for (let parent = task.contract.parent_id; parent !== null; parent = line.at(-1)!.contract.parent_id) {
    line.push(getTask(run, parent));
  }
  return line;
}
