/** What people said while a task ran: taken in at a safe point, once each, and by then part of what the model is sent next. */
import type { TaskInput } from "../schema/run-entry.ts";
import type { Host } from "./host.ts";
import type { Journal } from "./journal.ts";
import type { TaskState } from "./run-state.ts";

export function inputsOf(task: TaskState): TaskInput[] {
  return [...task.inputs, ...task.turns.flatMap(({ inputs }) => inputs)];
}

/** Those adopted before are not adopted again, however often they are offered. */
export async function adoptInputs(host: Host, journal: Journal, task: TaskState): Promise<void> {
  const known = new Set(inputsOf(task).map(({ id }) => id));
  for (const input of (await host.takeInputs?.(task.contract.task_id)) ?? []) {
    if (known.has(input.id)) continue;
    known.add(input.id);
    journal.note(task.contract.task_id, { type: "input_adopted", input });
  }
}

export function findStop(task: TaskState): TaskInput | undefined {
  return inputsOf(task).find(({ kind }) => kind === "stop");
}
