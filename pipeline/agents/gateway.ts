/**
 * The port to a model: one request in, one answer out, one step at a time. The host runs every tool; a gateway runs none and
 * keeps no state. `builtin:` (compose), `anthropic:`, `openai:` and `openai-compatible:` stand behind it alike.
 */
import type { JsonObject, JsonValue } from "../schema/turn.ts";

/** A tool as the model sees it: its input as JSON Schema, made from the zod schema by which the host checks calls. */
export interface ToolOffer {
  name: string;
  description: string;
  input_schema: JsonObject;
}

/** What the model has been told so far, in order. Content that is not the host's own stands in marked blocks already. */
export type GatewayMessage =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; calls: ProposedCall[] }
  | { role: "tool"; results: { call_id: string; tool: string; output: JsonValue; is_error: boolean }[] };

export interface GatewayRequest {
  /** Model id without the provider's prefix. */
  model: string;
  system: string;
  messages: readonly GatewayMessage[];
  tools: readonly ToolOffer[];
  settings: { max_output_tokens: number; temperature: number | null };
  timeout_ms: number;
}

/** A call as the model wrote it. `arguments` null: what it wrote is no JSON object; `malformed` then holds why, bounded. */
export interface ProposedCall {
  call_id: string;
  tool: string;
  arguments: JsonObject | null;
  malformed: string | null;
}

export interface Usage {
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
}

export interface GatewayAnswer {
  text: string;
  calls: ProposedCall[];
  /** interrupted: the stream ended early; calls that were half written are in `discarded`, never in `calls`. */
  stop: "calls" | "end" | "length" | "refusal" | "interrupted";
  discarded: string[];
  /** Null: the provider did not count, or broke off before it had. */
  usage: Usage | null;
  /** Money in micro-units of USD by the configured price list; null where the model has no price there. */
  cost_microusd: number | null;
  latency_ms: number;
  /** HTTP attempts made for this answer, the last one included. */
  attempts: number;
}

/**
 * Throws AssayError: MODEL_RATE_LIMITED and MODEL_UNAVAILABLE (retry later, after the gateway's own attempts), MODEL_REJECTED
 * (never: bad key, unknown model, request too large), MODEL_TIMEOUT (later), MODEL_ANSWER_MALFORMED (at once).
 */
export interface Gateway {
  /** Such as `anthropic`. */
  provider: string;
  answer(request: GatewayRequest, signal: AbortSignal): Promise<GatewayAnswer>;
}
