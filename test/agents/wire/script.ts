/** What a wire-format server is told to say, and what it saw: the same words for all three formats. */
import type { JsonObject, JsonValue } from "../../../pipeline/schema/turn.ts";

export type WireProvider = "anthropic" | "openai" | "openai-compatible";

export interface WireCall {
  /** Default `call_<turn>_<n>`. */
  id?: string;
  tool: string;
  /** A string goes out as it stands: malformed on purpose. */
  arguments: JsonObject | string;
}

export interface WireTurn {
  text?: string;
  calls?: WireCall[];
  stop?: "length" | "refusal";
  usage?: { input: number; cached: number; output: number };
  /** Says nothing of usage, as some servers of the compatible format do. */
  uncounted?: boolean;
  /** One: every time this turn is asked for. A list: the first times, then the turn goes well. */
  trouble?: Trouble | Trouble[];
}

export type Trouble =
  | { kind: "status"; status: number; retryAfter?: string; code?: string; message?: string; location?: string }
  /** The stream ends before the last piece of this part; `reset` breaks the connection in place of ending it. */
  | { kind: "cut"; within: Part; reset?: boolean }
  | { kind: "reset" }
  | { kind: "silence" }
  | { kind: "slow"; ms: number }
  | { kind: "stall"; within: Part }
  | { kind: "endless" }
  | { kind: "endless_line" }
  | { kind: "content_type"; type: string; body: string }
  /** Bytes put into the stream within the text. */
  | { kind: "bytes"; bytes: string | Uint8Array }
  | { kind: "error_event"; within: Part; code: string; message: string }
  /** The honest stream, three bytes at a time. */
  | { kind: "slivers" };

/** `end` is what makes an answer whole: within it means before it. */
export type Part = "start" | "text" | "arguments" | "end";

/** One event of the stream, as text, with the part of the answer that it carries. */
export interface Frame {
  part: Part | "body";
  sse: string;
}

export interface SeenMessage {
  role: "user" | "assistant" | "tool";
  text?: string;
  calls?: { call_id: string; tool: string; arguments: JsonValue }[];
  results?: { call_id: string; output: JsonValue; is_error?: boolean }[];
}

/** A request in the port's words, whatever the format. */
export interface Conversation {
  model: string;
  system: string;
  messages: SeenMessage[];
  tools: { name: string; description: string; input_schema: JsonValue }[];
  max_output_tokens: number | null;
  temperature: number | null;
}

export interface WireRequest {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: JsonObject;
  seen: Conversation;
}

/** One provider's format. */
export interface Dialect {
  path: string;
  frames(
    turn: Required<Pick<WireTurn, "text" | "usage">> & WireTurn,
    context: { turn: number; model: string },
  ): Frame[];
  errorFrame(code: string, message: string): string;
  errorBody(code: string, message: string): JsonObject;
  isKeyRight(headers: WireRequest["headers"], key: string): boolean;
  read(body: JsonObject): Conversation;
  /** What this provider's API would refuse, beyond what all refuse. */
  faults(body: JsonObject): string[];
}

export function object(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function list(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(object) : [];
}

/** At least two pieces, so that there is a middle to break. */
export function pieces(text: string): string[] {
  const characters = [...text];
  const size = Math.max(1, Math.min(24, Math.ceil(characters.length / 2)));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(""),
  );
}

export function written(call: WireCall): string {
  return typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
}

export function idOf(call: WireCall, turn: number, at: number): string {
  return call.id ?? `call_${turn}_${at + 1}`;
}

/** Results travel as JSON text. */
export function parsed(text: unknown): JsonValue {
  return JSON.parse(String(text)) as JsonValue;
}
