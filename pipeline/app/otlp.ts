/**
 * Sends the spans of runs to an OpenTelemetry collector over HTTP, in batches beside the work. A collector that is slow, wrong
 * or gone is said once and then left to itself: no run waits for it or fails by it, and what it misses is not kept.
 */
import { SpanKind, SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import { CONVENTIONS, type Span, type Tracer } from "../agents/trace.ts";
import { sha256 } from "../domain/digest.ts";

export interface TracingTarget {
  /** The address for traces, whole; null: nobody listens. */
  url: string | null;
  /** A function, so that no print of the settings shows a key. */
  headers(): Record<string, string>;
  version: string;
}

export interface Tracing {
  tracer: Tracer;
  /** Sends what is left. Returns after `wait_ms` at the latest, whatever the collector does. */
  close(): Promise<void>;
}

const WAIT_MS = 3000;

/** Undefined where no collector is configured. `warn` is told at most once. */
export function openTracing(
  target: TracingTarget,
  warn: (message: string) => void,
  wait_ms = WAIT_MS,
): Tracing | undefined {
  if (target.url === null) return undefined;
  const exporter = new OTLPTraceExporter({ url: target.url, headers: target.headers(), timeoutMillis: wait_ms });
  const batches = new BatchSpanProcessor(unfailing(exporter, warn), { exportTimeoutMillis: wait_ms });
  const frame = frameOf(target.version);
  return {
    tracer: (span) => batches.onEnd(toReadable(span, frame)),
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const tired = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, wait_ms);
      });
      await Promise.race([batches.shutdown().catch(() => undefined), tired]);
      clearTimeout(timer);
    },
  };
}

/** The batches see success alone: what they would do about a failure is to tell a handler of the whole program. */
function unfailing(exporter: SpanExporter, warn: (message: string) => void): SpanExporter {
  let isTold = false;
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        if (code !== 0 && !isTold) {
          isTold = true;
          warn(`traces do not reach the collector: ${(error?.message ?? "no reason given").slice(0, 200)}`);
        }
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

type Frame = Pick<ReadableSpan, "resource" | "instrumentationScope">;

function frameOf(version: string): Frame {
  const schemaUrl = `https://opentelemetry.io/schemas/${CONVENTIONS}`;
  return {
    resource: resourceFromAttributes({ "service.name": "assay", "service.version": version }, { schemaUrl }),
    instrumentationScope: { name: "assay.agents", version, schemaUrl },
  };
}

function toReadable(span: Span, frame: Frame): ReadableSpan {
  const context = (spanId: string) => ({
    // Ids of this program's own, as the digits that the protocol asks for: alike in every process that works at the run.
    traceId: sha256(span.trace_id).slice(0, 32),
    spanId: sha256(`${span.trace_id}\n${spanId}`).slice(0, 16),
    traceFlags: TraceFlags.SAMPLED,
  });
  const [start, end] = [Date.parse(span.started_at), Date.parse(span.ended_at)];
  return {
    ...frame,
    name: span.name,
    kind: span.attributes["gen_ai.operation.name"] === "chat" ? SpanKind.CLIENT : SpanKind.INTERNAL,
    spanContext: () => context(span.span_id),
    ...(span.parent_id === null ? {} : { parentSpanContext: context(span.parent_id) }),
    startTime: toHrTime(start),
    endTime: toHrTime(end),
    duration: toHrTime(Math.max(0, end - start)),
    status: { code: span.fault === null ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
    attributes: span.attributes,
    links: [],
    events: [],
    ended: true,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function toHrTime(ms: number): [number, number] {
  return [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
}
