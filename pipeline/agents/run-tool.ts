/** Runs a tool that was admitted, within its time. Whatever it does, there is an outcome; an effect that did not say is UNKNOWN. */
import { AssayError } from "../domain/outcome.ts";
import type { TaskContract, TaskRequest } from "../schema/task.ts";
import type { Handoff } from "./children.ts";
import type { Host } from "./host.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";

/** `span`: that of the call in which the child is run. */
export type RunChild = (
  contract: TaskContract,
  request: TaskRequest,
  signal: AbortSignal,
  span: string,
) => Promise<Handoff>;
export type RanOutcome = ToolOutcome | { status: "UNKNOWN"; code: string; message: string };

/** Of the run as a whole, not of the tool in which they showed. */
const RUN_FAULTS = new Set([
  "RUN_FENCED",
  "RUN_FORK",
  "RUN_JOURNAL_BROKEN",
  "RUN_ENTRY_MALFORMED",
  "RUN_DOCUMENT_MISSING",
  "DATABASE_UNREACHABLE",
  "DATABASE_BUSY",
  "DISK_FULL",
]);

export async function runTool(
  tool: Tool,
  input: unknown,
  host: Host,
  { span, ...terms }: Pick<ToolContext, "contract" | "call" | "attempt" | "handedIn"> & { span: string },
  runChild: RunChild,
): Promise<RanOutcome> {
  const timeout = AbortSignal.timeout(tool.timeout_ms);
  const signal = AbortSignal.any([host.signal, timeout]);
  const context: ToolContext = {
    ...terms,
    now: host.now,
    signal,
    runChild: (contract, request) => runChild(contract, request, signal, span),
  };
  try {
    return await untilAborted(signal, async () => tool.run(input, context));
  } catch (error) {
    if (error instanceof AssayError && RUN_FAULTS.has(error.code)) throw error;
    // The run was stopped, not the tool: without a receipt the call is looked at again when the run goes on.
    host.signal.throwIfAborted();
    const code = timeout.aborted ? "TOOL_TIMEOUT" : error instanceof AssayError ? error.code : "TOOL_FAULT";
    const message = error instanceof Error ? error.message : String(error);
    return { status: tool.effect === "write" ? "UNKNOWN" : "FAILED", code, message };
  }
}

function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}
