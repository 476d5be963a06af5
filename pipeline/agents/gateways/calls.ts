/**
 * Calls as the model wrote them, made safe to keep: bounded in number, size and depth, one id each, arguments a JSON object
 * or null with the reason. Whether the tool exists and the arguments fit is the host's to judge.
 */
import type { JsonObject, JsonValue } from "../../schema/turn.ts";
import type { ProposedCall } from "../gateway.ts";

export const MAX_CALLS = 128;
export const MAX_ARGUMENTS = 100_000;
export const MAX_DEPTH = 32;
const MAX_NAME = 200;
const MAX_ID = 64;
const MAX_DISCARDED = 16;
const MAX_QUOTE = 300;

/** A call as it came: the arguments still text. */
export interface RawCall {
  id: string;
  tool: string;
  text: string;
}

export function toProposedCalls(
  raw: readonly RawCall[],
  takenIds: Iterable<string>,
  foreignInId: RegExp,
): ProposedCall[] {
  const taken = new Set(takenIds);
  return raw.slice(0, MAX_CALLS).map(({ id, tool, text }) => {
    const found = tool.length > MAX_NAME ? "the tool's name is too long" : readArguments(text);
    const isFault = typeof found === "string";
    return {
      call_id: freshId(id.replace(foreignInId, "_"), taken),
      tool: tool.slice(0, MAX_NAME),
      arguments: isFault ? null : found,
      malformed: isFault ? found : null,
    };
  });
}

/** What was not kept as a call, for the record: bounded, and the rest counted. */
export function toDiscarded(halves: readonly { tool: string; text: string }[], surplus: number): string[] {
  const lines = halves.slice(0, MAX_DISCARDED).map(({ tool, text }) => quote(`${tool} ${text}`));
  const uncounted = halves.length - lines.length + surplus;
  return uncounted === 0 ? lines : [...lines, `and ${uncounted} calls more`];
}

/** Ids bind results to calls, so none may stand twice in a conversation, whatever the provider does. */
function freshId(given: string, taken: Set<string>): string {
  const base = given.slice(0, MAX_ID) || "call";
  let id = base;
  for (let n = 2; taken.has(id); n++) id = `${base}_${n}`;
  taken.add(id);
  return id;
}

/** The arguments, or why there are none. Models write nothing at all for a call without arguments. */
export function readArguments(text: string): JsonObject | string {
  if (text.trim() === "") return {};
  if (text.length > MAX_ARGUMENTS) return `arguments of ${text.length} characters, more than ${MAX_ARGUMENTS}`;
  let read: JsonValue;
  try {
    read = JSON.parse(text) as JsonValue;
  } catch {
    return quote(`arguments are no JSON: ${text}`);
  }
  if (typeof read !== "object" || read === null || Array.isArray(read)) {
    return quote(`arguments are no JSON object: ${text}`);
  }
  return faultWithin(read, MAX_DEPTH) ?? read;
}

/** What would hurt whoever walks or copies it later. Goes no deeper than `depth`, so it cannot overflow itself. */
function faultWithin(value: JsonValue, depth: number): string | null {
  if (typeof value !== "object" || value === null) return null;
  if (depth === 0) return `arguments nested deeper than ${MAX_DEPTH}`;
  if (Object.hasOwn(value, "__proto__")) return "arguments name a prototype";
  for (const child of Object.values(value)) {
    const fault = faultWithin(child, depth - 1);
    if (fault !== null) return fault;
  }
  return null;
}

function quote(text: string): string {
  return text.length <= MAX_QUOTE ? text : `${text.slice(0, MAX_QUOTE)}…`;
}
