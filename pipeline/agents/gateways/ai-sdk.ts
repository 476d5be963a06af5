/**
 * A gateway over the AI SDK's provider models, used at their own interface, one streamed step an answer. The loop that the SDK
 * has above them is left out: running, repairing, retrying and keeping the conversation are the host's. Whether an answer
 * is whole is read from the wire (guarded-fetch.ts), not from what the SDK makes of it.
 */
import type { Gateway, GatewayAnswer, GatewayRequest } from "../gateway.ts";
import { type Heard, toAnswer, usageOf } from "./answer.ts";
import { type Attempt, limited, persist } from "./attempts.ts";
import { toPrompt } from "./conversation.ts";
import { faultOf, timeoutFault } from "./faults.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import type { Ambient, ModelSettings } from "./settings.ts";
import type { WireFormat } from "./wire-format.ts";

export function sdkGateway(format: WireFormat, settings: ModelSettings, ambient: Ambient): Gateway {
  const inTurn = limited(settings.concurrency);
  const apiKey = settings.providers[format.provider].apiKey();
  return {
    provider: format.provider,
    answer: (request, signal) =>
      inTurn(signal, () => {
        const spec = `${format.provider}:${request.model}`;
        const started = ambient.now();
        const plan = { ...settings, deadlineMs: request.timeout_ms };
        return persist(plan, ambient, signal, async (number, remainingMs): Promise<Attempt<GatewayAnswer>> => {
          const timeoutMs = Math.max(1, Math.ceil(Math.min(settings.attemptTimeoutMs, remainingMs)));
          const timeout = AbortSignal.timeout(timeoutMs);
          const heard = await listen(format, request, AbortSignal.any([signal, timeout]));
          signal.throwIfAborted();
          const begun = heard.text !== "" || heard.calls.length > 0 || heard.halves.length > 0;
          const { report } = heard;
          if (timeout.aborted) return { fault: timeoutFault(spec, timeoutMs, begun) };
          const isWhole = report.ended && report.failure === null && heard.error === null;
          const isCut = !report.ended && begun && report.malformed === null;
          if (report.malformed !== null || (!isWhole && !isCut)) {
            return { fault: faultOf(report, heard.error ?? "", { spec, apiKey, now: ambient.now() }) };
          }
          const latencyMs = Math.round(ambient.now() - started);
          const price = settings.prices[spec];
          return { answer: { ...toAnswer(heard, format, request, price), latency_ms: latencyMs, attempts: number } };
        });
      }),
  };
}

async function listen(format: WireFormat, request: GatewayRequest, signal: AbortSignal): Promise<Heard> {
  const { settings, tools } = request;
  const { fetch, report } = guardedFetch(format.ends, settings.max_output_tokens);
  const heard: Heard = { report, text: "", calls: [], halves: [], reason: "", usage: null, error: null };
  const open = new Map<string, { tool: string; text: string }>();
  try {
    const { stream } = await format.model(request.model, fetch).doStream({
      prompt: toPrompt(request.system, request.messages),
      tools: tools.map(({ name, description, input_schema: inputSchema }) => {
        return { type: "function", name, description, inputSchema };
      }),
      maxOutputTokens: settings.max_output_tokens,
      ...(settings.temperature === null ? {} : { temperature: settings.temperature }),
      ...(format.options === null ? {} : { providerOptions: format.options }),
      abortSignal: signal,
    });
    for await (const part of stream) {
      switch (part.type) {
        case "text-delta":
          heard.text += part.delta;
          break;
        case "tool-input-start":
          open.set(part.id, { tool: part.toolName, text: "" });
          break;
        case "tool-input-delta": {
          const call = open.get(part.id);
          if (call !== undefined) call.text += part.delta;
          break;
        }
        case "tool-call":
          open.delete(part.toolCallId);
          heard.calls.push({ id: part.toolCallId, tool: part.toolName, text: part.input });
          break;
        case "finish":
          heard.reason = part.finishReason.unified;
          heard.usage = usageOf(part.usage);
          break;
        case "error":
          heard.error ??= messageOf(part.error);
          break;
      }
    }
  } catch (error) {
    heard.error ??= messageOf(error);
  }
  heard.halves = [...open.values()];
  return heard;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "the provider's stream reported an error";
}
