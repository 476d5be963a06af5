/**
 * One request to a model: take in what came from outside, project, note the request, ask, seal the answer. The request counts
 * before it goes out, and the answer is sealed before anything that it asks for is looked at: it becomes durable with the first
 * mark after it, so that nothing runs that an unsealed turn asked for.
 */
import { AssayError } from "../domain/outcome.ts";
import { remindersDue, wallLeft } from "./budget.ts";
import type { Host, ModelChoice } from "./host.ts";
import { adoptInputs, findStop } from "./inputs.ts";
import type { Journal } from "./journal.ts";
import { project } from "./projector.ts";
import { surfaceOf, type TaskState } from "./run-state.ts";
import { sealTurn } from "./seal.ts";
import { offersOf } from "./tool.ts";
import { emit } from "./trace.ts";

export async function askModel(host: Host, journal: Journal, task: TaskState): Promise<void> {
  const { task_id } = task.contract;
  await adoptInputs(host, journal, task);
  if (findStop(task) !== undefined) return;
  const choice = host.modelFor(task.contract);
  const reminders = remindersDue(journal.run, task);
  const input = tryProject(host, journal, task, choice, reminders);
  if (input === null) return;
  const input_digest = journal.keep("projected_input", input);
  journal.note(task_id, {
    type: "request_dispatched",
    turn: input.turn,
    projected_input_digest: input_digest,
    reminders,
  });
  await journal.commit();

  const started_at = host.now();
  const { gateway, model, settings, timeout_ms } = choice;
  let fault: string | null = null;
  try {
    const answer = await gateway.answer(
      {
        model,
        system: input.system,
        messages: input.messages,
        tools: offersOf(host.toolbox, surfaceOf(task)),
        settings,
        timeout_ms: Math.max(1, Math.min(timeout_ms, wallLeft(journal.run, task, started_at))),
      },
      host.signal,
    );
    const turn = sealTurn(task.contract, { provider: gateway.provider, model, settings, input, input_digest }, answer);
    const latency_ms = Math.max(0, Math.round(answer.latency_ms));
    journal.note(task_id, { type: "turn_sealed", turn, attempts: answer.attempts, latency_ms });
  } catch (error) {
    // Ours to stop, or no fault of a model: the run stops here and can go on.
    if (host.signal.aborted || !(error instanceof AssayError)) throw error;
    fault = error.code;
    noteFailure(journal, task_id, error);
  }
  emitRequest(host, journal, task, choice, { started_at, turn: input.turn, fault });
}

function tryProject(
  host: Host,
  journal: Journal,
  task: TaskState,
  { characters_max }: ModelChoice,
  reminders: readonly string[],
) {
  try {
    return project(task, {
      role_text: host.roleText(task.contract),
      toolbox: host.toolbox,
      reminders,
      characters_max,
      documentOf: (digest) => journal.document(digest),
    });
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== "INPUT_TOO_LARGE") throw error;
    noteFailure(journal, task.contract.task_id, error);
    return null;
  }
}

function noteFailure(journal: Journal, taskId: string, { code, message, retry }: AssayError): void {
  const body = { type: "request_failed" as const, code, detail: message.slice(0, 1000), may_retry: retry !== "never" };
  journal.note(taskId, body);
}

function emitRequest(
  host: Host,
  { run, fence }: Journal,
  task: TaskState,
  { gateway, model, settings }: ModelChoice,
  { started_at, turn, fault }: { started_at: string; turn: number; fault: string | null },
): void {
  const sealed = fault === null ? task.turns.at(-1)!.turn : null;
  const usage = sealed?.usage ?? null;
  emit(host.trace, run, task, {
    operation: "chat",
    span_id: `${task.contract.task_id}#${turn}@${task.spent.requests}/${fence}`,
    parent_id: task.contract.task_id,
    name: `chat ${model}`,
    started_at,
    ended_at: host.now(),
    fault: sealed?.stop === "interrupted" ? "MODEL_INTERRUPTED" : fault,
    attributes: {
      "gen_ai.provider.name": gateway.provider,
      "gen_ai.request.model": model,
      "gen_ai.request.max_tokens": settings.max_output_tokens,
      ...(settings.temperature === null ? {} : { "gen_ai.request.temperature": settings.temperature }),
      ...(sealed === null ? {} : { "gen_ai.response.finish_reasons": [FINISH_REASONS[sealed.stop]] }),
      ...(usage === null
        ? {}
        : {
            "gen_ai.usage.input_tokens": usage.input_tokens,
            "gen_ai.usage.cache_read.input_tokens": usage.cached_input_tokens,
            "gen_ai.usage.output_tokens": usage.output_tokens,
          }),
    },
  });
}

const FINISH_REASONS = {
  calls: "tool_call",
  end: "stop",
  length: "length",
  refusal: "content_filter",
  interrupted: "error",
} as const;
