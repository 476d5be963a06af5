/**
 * Spans of a run as plain records for whoever exports them, in the words of OpenTelemetry's conventions for generative AI.
 * Only identities, counts and codes: no text of a model, a person or a payload. A tracer that throws stops nothing.
 */
export interface Span {
  trace_id: string;
  span_id: string;
  parent_id: string | null;
  name: string;
  started_at: string;
  ended_at: string;
  /** Code of what went wrong; null when nothing did. */
  fault: string | null;
  attributes: Record<string, string | number | boolean>;
}

export type Tracer = (span: Span) => void;

export function emit(tracer: Tracer | undefined, span: Span): void {
  try {
    tracer?.(span);
  } catch {
    // What watches a run must not change it.
  }
}
