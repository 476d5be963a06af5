/**
 * Spans of a run as plain records for whoever exports them, in the words of OpenTelemetry's conventions for generative AI:
 * invoke_agent, below it chat and execute_tool, below that the invoke_agent of a child. Only identities, counts and codes: no
 * text of a model, a person or a payload. A tracer that throws stops nothing.
 */
import { getTask, type RunState, type TaskState } from "./run-state.ts";

/** The last release that holds the conventions for generative AI beside all others, so that they have a schema address. */
export const CONVENTIONS = "1.41.0";

export interface Span {
  trace_id: string;
  span_id: string;
  parent_id: string | null;
  name: string;
  started_at: string;
  ended_at: string;
  /** Code of what went wrong; null when nothing did. */
  fault: string | null;
  attributes: Record<string, string | number | boolean | string[]>;
}

export type Tracer = (span: Span) => void;

type Told = Omit<Span, "trace_id" | "attributes"> & { operation: string; attributes: Span["attributes"] };

export function emit(
  tracer: Tracer | undefined,
  run: RunState,
  { contract }: TaskState,
  { operation, ...span }: Told,
): void {
  if (tracer === undefined) return;
  try {
    tracer({
      ...span,
      trace_id: traceOf(run, contract.tenant),
      attributes: {
        "gen_ai.operation.name": operation,
        "gen_ai.conversation.id": contract.root_id,
        ...(span.fault === null ? {} : { "error.type": span.fault }),
        ...span.attributes,
        "assay.task.id": contract.task_id,
      },
    });
  } catch {
    // What watches a run must not change it.
  }
}

/** Of the run, however often it was taken up again. Root ids of batches repeat; when the root was opened does not. */
function traceOf(run: RunState, tenant: string): string {
  const [root] = run.tasks.keys();
  return `${tenant}/${run.root_id}@${root === undefined ? "" : getTask(run, root).opened_at}`;
}

/** Of one attempt at a call. What a worker did and took down with it is told again by the next one, as another span. */
export function callSpanId(call: string, attempt: number, fence: number): string {
  return `${call}@${attempt}/${fence}`;
}
