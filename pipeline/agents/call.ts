/**
 * One call from proposal to receipt: admission, the mark that it is dispatched, the run, the receipt. The mark is durable
 * before the tool runs, and the receipt of an effect before anything else happens.
 */
import { digestOf } from "../domain/digest.ts";
import { type Receipt, receiptSchema } from "../schema/receipt.ts";
import type { JsonValue } from "../schema/turn.ts";
import { type Admission, admit } from "./admission.ts";
import { markChecked } from "./checked.ts";
import { documentHandedIn } from "./children.ts";
import type { Host } from "./host.ts";
import type { Journal } from "./journal.ts";
import { isLost, lostOutcome } from "./recovery.ts";
import { type ReceiptFacts, takeOutcome } from "./result.ts";
import { type CallState, FINISH, type TaskState } from "./run-state.ts";
import { type RunChild, runTool } from "./run-tool.ts";
import { textFault } from "./storable-text.ts";
import { terminalBarrier } from "./terminal.ts";
import type { Tool } from "./tool.ts";
import { callSpanId, emit } from "./trace.ts";

/** Notes one receipt. Throws only when the run itself cannot go on. */
export async function settleCall(
  host: Host,
  journal: Journal,
  task: TaskState,
  call: CallState,
  runChild: RunChild,
): Promise<void> {
  const { task_id } = task.contract;
  const started_at = host.now();
  const known = host.toolbox.get(call.proposed.tool);
  const settle = (facts: ReceiptFacts, tool: Tool | undefined = known) => {
    const receipt = toReceipt(call, tool, facts, { started_at, ended_at: host.now() });
    journal.note(task_id, { type: "call_settled", receipt });
    emitCall(host, journal, task, receipt);
  };
  if (isLost(call)) {
    // A tool that is no longer known is taken for an effect: it must not run again.
    const effect = known?.effect ?? "write";
    return settle({ admission: "ADMITTED", effect, ...lostOutcome(call, effect) });
  }
  const admission = judge(host, journal, task, call, started_at);
  if ("code" in admission) return settle({ admission: "REFUSED", outcome: "NOT_RUN", ...admission });
  if ("finish" in admission) {
    const barrier = terminalBarrier(task, call);
    return settle({ admission: "ADMITTED", outcome: barrier === null ? "COMPLETED" : "FAILED", ...barrier });
  }
  const { tool, input } = admission;
  const attempt = call.attempts + 1;
  journal.note(task_id, { type: "call_dispatched", call: call.key, attempt });
  await journal.commit();
  const handedIn = (reference: string) => documentHandedIn(journal, task.contract, reference);
  const span = callSpanId(call.key, attempt, journal.fence);
  const terms = { contract: task.contract, call: call.key, attempt, handedIn, span };
  const outcome = await runTool(tool, input, host, terms, runChild);
  settle({ admission: "ADMITTED", ...takeOutcome(outcome, tool, task.contract, journal) }, tool);
  if (tool.effect === "write") await journal.commit();
}

/** A rule that throws has not let the call through. */
function judge({ toolbox, rules }: Host, { run }: Journal, task: TaskState, call: CallState, now: string): Admission {
  try {
    return admit(call, { toolbox, rules, run, task, now });
  } catch (error) {
    return { code: "ADMISSION_FAULT", detail: error instanceof Error ? error.message : String(error) };
  }
}

function toReceipt(call: CallState, tool: Tool | undefined, facts: ReceiptFacts, clock: Receipt["clock"]): Receipt {
  const { proposed } = call;
  const bare: Receipt = {
    schema: "tool_receipt/v1",
    call: call.key,
    attempt: Math.max(1, call.attempts),
    call_id: proposed.call_id,
    tool: proposed.tool,
    version: tool?.version ?? null,
    effect: tool?.effect ?? null,
    arguments_digest: proposed.arguments === null ? null : digestOf("tool_arguments", proposed.arguments),
    admission: facts.admission,
    outcome: facts.outcome,
    code: null,
    detail: null,
    result_digest: null,
    view_digest: null,
    sources: [],
    outputs: [],
    surface: { granted: [], withdrawn: [] },
    parks: false,
    cost_microusd: null,
    clock,
  };
  const receipt = { ...bare, ...facts, detail: facts.detail?.slice(0, 1000) ?? null };
  if (receiptSchema.safeParse(receipt).success && textFault(receipt as unknown as JsonValue) === null) {
    return markChecked(receipt);
  }
  // What a tool said of itself cannot be recorded; that it ran can.
  const outcome = facts.outcome === "COMPLETED" ? (tool?.effect === "write" ? "UNKNOWN" : "FAILED") : facts.outcome;
  return { ...bare, outcome, code: "RESULT_MALFORMED" };
}

function emitCall(host: Host, { run, fence }: Journal, task: TaskState, receipt: Receipt): void {
  // A name that is no tool's is a model's own words.
  const tool = receipt.effect === null && receipt.tool !== FINISH ? "unknown" : receipt.tool;
  emit(host.trace, run, task, {
    operation: "execute_tool",
    span_id: callSpanId(receipt.call, receipt.attempt, fence),
    parent_id: task.contract.task_id,
    name: `execute_tool ${tool}`,
    ...receipt.clock,
    // What ran and found nothing did not fail.
    fault: receipt.outcome === "COMPLETED" ? null : (receipt.code ?? receipt.outcome),
    attributes: {
      "gen_ai.tool.name": tool,
      "gen_ai.tool.type": "function",
      // The host's own id: the other one is what a model wrote.
      "gen_ai.tool.call.id": receipt.call,
      "assay.outcome": receipt.outcome,
      ...(receipt.code === null ? {} : { "assay.code": receipt.code }),
    },
  });
}
