/**
 * What one attempt brought, as the port's answer: which calls stand, how it stopped, what it used and cost. A half-written
 * call never stands.
 */
import type { GatewayAnswer, GatewayRequest, Usage } from "../gateway.ts";
import { MAX_CALLS, type RawCall, readArguments, toDiscarded, toProposedCalls } from "./calls.ts";
import type { WireReport } from "./guarded-fetch.ts";
import type { Price } from "./settings.ts";
import type { WireFormat } from "./wire-format.ts";

/** All that one attempt brought. */
export interface Heard {
  report: WireReport;
  text: string;
  calls: RawCall[];
  /** Calls that were begun and not finished. */
  halves: { tool: string; text: string }[];
  reason: string;
  usage: Usage | null;
  /** The SDK's complaint, if any. */
  error: string | null;
}

/** Which of the calls stand, and how the answer stopped. */
export function toAnswer(
  { report, text, calls, halves, reason, usage }: Heard,
  { marksEachCall, foreignInId }: Pick<WireFormat, "marksEachCall" | "foreignInId">,
  request: GatewayRequest,
  price: Price | undefined,
): Omit<GatewayAnswer, "latency_ms" | "attempts"> {
  const taken = request.messages.flatMap((message) =>
    message.role === "assistant" ? message.calls.map((call) => call.call_id) : [],
  );
  const stop = !report.ended ? "interrupted" : (STOPS[reason] ?? (calls.length > 0 ? "calls" : "end"));
  const stands = (call: RawCall) => {
    if (stop === "interrupted") return marksEachCall;
    // Cut by the token limit, a call may look finished: with no arguments, or with half of them.
    if (stop === "length") return call.text.trim() !== "" && typeof readArguments(call.text) !== "string";
    return stop !== "refusal";
  };
  // What was counted before a cut is less than what was used.
  const counted = stop === "interrupted" ? null : usage;
  const kept = calls.filter(stands);
  const dropped = [...calls.filter((call) => !stands(call)), ...halves];
  return {
    text,
    calls: toProposedCalls(kept, taken, foreignInId),
    stop,
    discarded: toDiscarded(dropped, Math.max(0, kept.length - MAX_CALLS)),
    usage: counted,
    cost_microusd: costOf(counted, price),
  };
}

const STOPS: Record<string, GatewayAnswer["stop"]> = { length: "length", "content-filter": "refusal" };

/** Null where the provider counted nothing: that is not zero, and has no cost. */
export function usageOf(usage: {
  inputTokens: { total: number | undefined; cacheRead: number | undefined };
  outputTokens: { total: number | undefined };
}): Usage | null {
  const { total: input, cacheRead: cached } = usage.inputTokens;
  const { total: output } = usage.outputTokens;
  if (!isCount(input) || !isCount(output)) return null;
  return {
    input_tokens: input,
    cached_input_tokens: isCount(cached) ? Math.min(cached, input) : 0,
    output_tokens: output,
  };
}

const isCount = (value: number | undefined): value is number => Number.isSafeInteger(value) && value! >= 0;

/** Rounded up: a budget is never undercharged. */
function costOf(usage: Usage | null, price: Price | undefined): number | null {
  if (usage === null || price === undefined) return null;
  const fresh = usage.input_tokens - usage.cached_input_tokens;
  return Math.ceil(
    fresh * price.input + usage.cached_input_tokens * price.cached_input + usage.output_tokens * price.output,
  );
}
