/**
 * A fetch for one attempt that sees what really came over the wire: status, end event, error event, and bytes that are no
 * answer at all. It bounds sizes, follows no redirect (a key must not travel), and gives the SDK a stream that only ever
 * ends, so that what arrived before a cut is not lost.
 */
import type { JsonObject } from "../../schema/turn.ts";
import { asObject } from "./wire-format.ts";

/** More than any honest answer of so many tokens takes, with an event for each and the whole again at the end. */
const maxAnswerBytes = (outputTokens: number) => Math.min(32, 1 + outputTokens / 1024) * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
/** A line is kept until its end comes; without a bound, one endless line is scanned again and again. */
const MAX_LINE = 4 * 1024 * 1024;

export interface WireReport {
  /** Null: no answer at all, for `unreachable` if the connection failed. */
  status: number | null;
  retryAfter: string | null;
  unreachable: string | null;
  /** The bytes are no answer in this format. */
  malformed: string | null;
  /** The provider reported this inside the stream. */
  failure: { code: string; message: string } | null;
  /** The format's own word that the answer is whole. */
  ended: boolean;
}

export function guardedFetch(
  ends: (event: JsonObject) => boolean,
  maxOutputTokens: number,
): { fetch: typeof fetch; report: WireReport } {
  const report: WireReport = {
    status: null,
    retryAfter: null,
    unreachable: null,
    malformed: null,
    failure: null,
    ended: false,
  };

  const guarded: typeof fetch = async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "manual" }).catch((error: unknown) => {
      report.unreachable = connectionFault(error);
      throw error;
    });
    report.status = response.status;
    report.retryAfter = response.headers.get("retry-after");
    if (!response.ok) {
      const words = bounded(response, MAX_ERROR_BYTES, () => undefined);
      return copyOf(response, words);
    }

    const type = response.headers.get("content-type") ?? "none";
    if (!type.startsWith("text/event-stream")) {
      report.malformed = `content type ${type} in place of text/event-stream`;
      await response.body?.cancel().catch(() => undefined);
      return copyOf(response, null);
    }
    const read = eventReader((event) => {
      report.ended ||= ends(event);
      report.failure ??= failureIn(event);
    });
    const body = bounded(response, maxAnswerBytes(maxOutputTokens), read, (why) => {
      report.malformed ??= why;
    });
    return copyOf(response, body);
  };
  return { fetch: guarded, report };
}

function copyOf(response: Response, body: ReadableStream<Uint8Array> | null): Response {
  const { status, statusText, headers } = response;
  return new Response(body ?? "", { status, statusText, headers });
}

/** The body, ending at the first cut, at `maxBytes`, or at the first chunk that `read` refuses by throwing. */
function bounded(
  response: Response,
  maxBytes: number,
  read: (chunk: Uint8Array) => void,
  refused: (why: string) => void = () => undefined,
): ReadableStream<Uint8Array> | null {
  if (response.body === null) return null;
  const reader = response.body.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = await reader.read().catch(() => ({ done: true, value: undefined }) as const);
      if (part.value === undefined) return controller.close();
      try {
        bytes += part.value.byteLength;
        if (bytes > maxBytes) throw new Error("more bytes than such an answer can have");
        read(part.value);
        controller.enqueue(part.value);
      } catch (fault) {
        refused((fault as Error).message);
        controller.close();
        await reader.cancel().catch(() => undefined);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Feeds each event's JSON to `see`; throws at bytes that are not UTF-8 and at events that are not JSON objects. */
function eventReader(see: (event: JsonObject) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  let payload: string[] = [];
  return (chunk) => {
    const lines = (rest + decodeOrThrow(decoder, chunk)).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    if (rest.length > MAX_LINE) throw new Error(`a line of more than ${MAX_LINE} characters`);
    for (const line of lines) {
      if (line.startsWith("data:")) payload.push(line.slice(5).trimStart());
      if (line !== "" || payload.length === 0) continue;
      const text = payload.join("\n");
      payload = [];
      if (text !== "[DONE]") see(eventOrThrow(text));
    }
  };
}

function decodeOrThrow(decoder: TextDecoder, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw new Error("bytes that are not UTF-8");
  }
}

function eventOrThrow(text: string): JsonObject {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    throw new Error("an event that is not JSON");
  }
  if (typeof event !== "object" || event === null || Array.isArray(event))
    throw new Error("an event that is no object");
  return event as JsonObject;
}

/** All three formats put an error under `error`, the Responses API also flat or in its `response`. */
function failureIn(event: JsonObject): WireReport["failure"] {
  const nested = [event.error, asObject(event.response).error]
    .map(asObject)
    .find((error) => Object.keys(error).length > 0);
  const error = nested ?? (event.type === "error" || event.type === "response.failed" ? event : undefined);
  if (error === undefined) return null;
  return { code: `${error.code ?? error.type ?? "unknown"}`, message: `${error.message ?? ""}` };
}

/** The innermost reason: `fetch failed` says nothing. */
function connectionFault(error: unknown): string {
  const cause = (error as { cause?: { code?: unknown; message?: unknown } }).cause;
  return `${cause?.code ?? cause?.message ?? (error as Error).message}`;
}
