/**
 * The host's loop: look at the journal, do the one thing that is next, note it, look again. It keeps nothing of its own, so a
 * run that was killed goes on by being started again, and fresh and recovered runs are one path.
 */
import { canonicalJson } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import type { TaskContract, TaskRequest } from "../schema/task.ts";
import { taskContractSchema, taskRequestSchema } from "../schema/task.ts";
import { askModel } from "./ask.ts";
import { settleCall } from "./call.ts";
import { assertWithin, handoffOf } from "./children.ts";
import type { Host } from "./host.ts";
import { adoptInputs, inputsOf } from "./inputs.ts";
import type { Journal } from "./journal.ts";
import { isAnswer, nextStep } from "./next-step.ts";
import { getTask, outputDigest, outputsOf, type TaskState } from "./run-state.ts";
import type { RunChild } from "./run-tool.ts";
import { emit } from "./trace.ts";

/** Runs a task to its end or until it waits for a person (`parked`), or goes on with it. The same task with another contract or request is refused. */
export async function runTask(
  host: Host,
  journal: Journal,
  contract: TaskContract,
  request: TaskRequest,
  /** Of the call that opened it. */
  parentSpan: string | null = null,
): Promise<TaskState> {
  const task = openTask(journal, contract, request);
  const runChild: RunChild = async (child, asked, signal, span) => {
    // A tool opens children of the task that it was called in, and of no other.
    assertWithin(contract, child);
    const ran = await runTask({ ...host, signal }, journal, child, asked, span);
    return handoffOf(ran, (digest) => journal.document(digest));
  };
  while (task.end === null) {
    host.signal.throwIfAborted();
    const next = nextStep(journal.run, task, host.now());
    if (next.do === "settle") await settleCall(host, journal, task, next.call, runChild);
    else if (next.do === "ask") await askModel(host, journal, task);
    else if (next.do === "wait") {
      if (await isStillWaiting(host, journal, task)) return task;
    } else {
      await endTask(journal, task, next);
      emitTask(host, journal, task, parentSpan);
    }
  }
  return task;
}

/** An answer that is there already is adopted, and the task goes on. */
async function isStillWaiting(host: Host, journal: Journal, task: TaskState): Promise<boolean> {
  const known = inputsOf(task).length;
  await adoptInputs(host, journal, task);
  if (inputsOf(task).length > known) return false;
  if (!task.parked) journal.note(task.contract.task_id, { type: "task_parked" });
  await journal.commit();
  return true;
}

async function endTask(
  journal: Journal,
  task: TaskState,
  { code, detail }: { code: string; detail: string | null },
): Promise<void> {
  const outputs = outputsOf(task).map(({ name, digest }) => ({ name, digest }));
  const last = task.turns.at(-1)?.turn;
  if (code === "FINISHED" && task.contract.stop_rule === "text" && last !== undefined && isAnswer(last)) {
    const digest = journal.keep("task_output", { schema: "answer_text/v1", text: last.text });
    outputs.push({ name: "text", digest });
  }
  const { task_id } = task.contract;
  journal.note(task_id, { type: "task_ended", end: { code, detail, outputs, output_digest: outputDigest(outputs) } });
  await journal.commit();
}

function emitTask(host: Host, { run }: Journal, task: TaskState, parent_id: string | null): void {
  const { task_id, role } = task.contract;
  const last = task.turns.at(-1)?.turn;
  const code = task.end?.code ?? null;
  emit(host.trace, run, task, {
    operation: "invoke_agent",
    span_id: task_id,
    parent_id,
    name: `invoke_agent ${role}`,
    started_at: task.opened_at,
    ended_at: host.now(),
    fault: code === "FINISHED" ? null : code,
    // Tokens stand with the requests that used them: who adds up spans must not count them twice.
    attributes: {
      "gen_ai.agent.name": role,
      ...(last === undefined ? {} : { "gen_ai.provider.name": last.provider, "gen_ai.request.model": last.model }),
      "assay.requests": task.spent.requests,
    },
  });
}

function openTask(journal: Journal, contract: TaskContract, request: TaskRequest): TaskState {
  const { run } = journal;
  const known = run.tasks.get(contract.task_id);
  if (known !== undefined) {
    const isSame = canonicalJson([known.contract, known.request]) === canonicalJson([contract, request]);
    if (isSame) return known;
    throw new AssayError("TASK_CONFLICT", `task ${contract.task_id} was opened with another contract or request`, {
      hint: "A changed request is a new run.",
    });
  }
  const [terms, asked] = [taskContractSchema.safeParse(contract), taskRequestSchema.safeParse(request)];
  if (!terms.success || !asked.success || contract.root_id !== run.root_id) {
    throw new AssayError("TASK_MALFORMED", "the contract or the request is not what it should be", {
      cause: terms.error ?? asked.error,
    });
  }
  if (contract.parent_id !== null) assertWithin(getTask(run, contract.parent_id).contract, contract);
  // The root's budget is that of the run: there is one.
  else if (run.tasks.size > 0) throw new AssayError("TASK_MALFORMED", "a run has one task without a parent");
  journal.note(contract.task_id, { type: "task_opened", contract, request });
  return getTask(run, contract.task_id);
}
