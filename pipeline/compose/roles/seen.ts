/** What a built-in method has in front of it: the terms of its task and what came of its calls, read from the messages alone. */
import type { GatewayMessage } from "../../agents/gateway.ts";
import type { JsonObject, JsonValue } from "../../schema/turn.ts";

export interface SeenCall {
  tool: string;
  arguments: JsonObject;
  /** Null where the call brought no data. */
  content: JsonValue | null;
}

export interface Seen {
  instrument: string;
  /** References of documents that the task was given. */
  inputs: string[];
  calls: SeenCall[];
}

/** The lines by which `contracts.ts` tells every task what it is about; they stand before anything of others. */
export function termsText(instrument: string, language: string, inputs: readonly string[]): string {
  return [`instrument: ${instrument}`, `language: ${language}`, ...inputs.map((input) => `input: ${input}`)].join("\n");
}

export function seenIn(messages: readonly GatewayMessage[]): Seen {
  const [first] = messages;
  const words = first?.role === "user" ? (first.text.split("<<<DATA", 1)[0] as string) : "";
  const lines = (name: string) => [...words.matchAll(new RegExp(`^${name}: (\\S+)$`, "gm"))].map(([, value]) => value!);
  const asked = new Map<string, JsonObject>();
  const calls: SeenCall[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const { call_id, arguments: args } of message.calls) asked.set(call_id, args ?? {});
    } else if (message.role === "tool") {
      for (const { call_id, tool, output, is_error } of message.results) {
        const content = is_error ? null : ((output as JsonObject).data ?? null);
        calls.push({ tool, arguments: asked.get(call_id) ?? {}, content });
      }
    }
  }
  return { instrument: lines("instrument")[0] ?? "", inputs: lines("input"), calls };
}

export function hasCalled({ calls }: Seen, tool: string): boolean {
  return calls.some((call) => call.tool === tool);
}

/** What the last call of a tool brought, as the tool says that it looks. */
export function contentOf<T>({ calls }: Seen, tool: string): T | null {
  return (calls.findLast((call) => call.tool === tool)?.content ?? null) as T | null;
}
