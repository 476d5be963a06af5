/**
 * One attempt that gave no answer, as the port's coded fault. Messages carry at most 300 characters of what the provider
 * said, without the key; no request, response body or cause goes with them, since those hold the whole conversation.
 */
import { AssayError, type RetryClass } from "../../domain/outcome.ts";
import type { WireReport } from "./guarded-fetch.ts";

const MAX_QUOTE = 300;

export interface AttemptFault {
  error: AssayError;
  /** May the next attempt of the same answer help? */
  again: boolean;
  /** What the provider asked us to wait; null where it said nothing. */
  retryAfterMs: number | null;
}

interface Context {
  spec: string;
  apiKey: string | null;
  now: number;
}

export function faultOf(report: WireReport, message: string, context: Context): AttemptFault {
  const retryAfterMs = waitOf(report.retryAfter, context.now);
  const make = (code: string, what: string, retry: RetryClass, hint: string, again: boolean): AttemptFault => ({
    error: new AssayError(code, `${context.spec}: ${quotable(what, context.apiKey)}`, { retry, hint }),
    again,
    retryAfterMs,
  });
  const unavailable = (what: string) =>
    make("MODEL_UNAVAILABLE", what, "later", "try again later; check the provider's status and the base URL", true);

  if (report.malformed !== null)
    return make("MODEL_ANSWER_MALFORMED", report.malformed, "at_once", BASE_URL_HINT, false);
  const status = report.failure === null ? report.status : statusOf(report.failure.code);
  const said = report.failure?.message ?? message;
  if (status === null) {
    if (report.unreachable !== null) return unavailable(`no connection: ${report.unreachable}`);
    return make("MODEL_REJECTED", `request could not be made: ${message}`, "never", "report this: it is ours", false);
  }
  const what = `${report.failure?.code ?? `HTTP ${status}`}: ${said}`;
  if (/insufficient_quota|billing/.test(what)) return make("MODEL_REJECTED", what, "never", hintFor(402), false);
  if (status === 429) {
    const hint = "lower ASSAY_MODEL_CONCURRENCY, or wait for the provider's limit to pass";
    return make("MODEL_RATE_LIMITED", what, "later", hint, true);
  }
  if (status === 408 || status === 409 || status >= 500) return unavailable(what);
  if (status >= 300) return make("MODEL_REJECTED", what, "never", hintFor(status), false);
  if (report.ended) return make("MODEL_ANSWER_MALFORMED", message, "at_once", BASE_URL_HINT, false);
  return unavailable("the stream ended before an answer began");
}

export function timeoutFault(spec: string, timeoutMs: number, begun: boolean): AttemptFault {
  const state = begun ? "whole" : "begun";
  return {
    error: new AssayError("MODEL_TIMEOUT", `${spec}: no ${state} answer within ${timeoutMs} ms`, {
      retry: "later",
      hint: "raise ASSAY_MODEL_TIMEOUT_MS, or ask for fewer output tokens",
    }),
    // An answer that had begun was paid for; asking again is the host's decision.
    again: !begun,
    retryAfterMs: null,
  };
}

/** Seconds or a date (RFC 9110), as milliseconds from now. */
export function waitOf(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null;
  if (/^\d{1,9}(\.\d+)?$/.test(retryAfter)) return Math.ceil(Number(retryAfter) * 1000);
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? null : Math.max(0, until - now);
}

/** One line, at most 300 characters, and the key nowhere in it. */
export function quotable(text: string, apiKey: string | null): string {
  const open = apiKey === null || apiKey === "" ? text : text.replaceAll(apiKey, "[key]");
  const line = open.replace(/\b(sk|key)-[\w-]{8,}/g, "[key]").replace(/[\p{Cc}\p{Cf}\s]+/gu, " ");
  return line.length <= MAX_QUOTE ? line : `${line.slice(0, MAX_QUOTE - 1)}…`;
}

const BASE_URL_HINT = "check that the base URL speaks this provider's format; a proxy may have answered";

/** Providers send errors inside a stream that was already 200. */
function statusOf(code: string): number {
  if (/^[45]\d\d$/.test(code)) return Number(code);
  if (/rate_limit|quota/.test(code)) return 429;
  if (/invalid|authentication|permission|not_found|context_length|too_large|billing/.test(code)) return 400;
  return 500;
}

function hintFor(status: number): string {
  if (status < 400) return "the base URL redirects, which is not followed: configure the final address";
  if (status === 401 || status === 403) return "check the provider's API key and what it may use";
  if (status === 402) return "the account has no credit left";
  if (status === 404) return "check the model's id and the base URL";
  if (status === 413) return "the request is too large: give the task less input";
  return "the provider refuses this request; its message says why";
}
