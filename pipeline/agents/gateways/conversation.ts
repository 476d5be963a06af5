/**
 * The conversation in the SDK's words. Text, calls and results go out as they were sealed; only a malformed call's
 * arguments (none exist) and names that no wire allows are replaced. What a name or a result says is never interpreted.
 */
import type { JsonValue } from "../../schema/turn.ts";
import type { GatewayMessage, ProposedCall } from "../gateway.ts";

/** Every provider allows these in a tool's name. The SDK looks names up in plain objects: what every object has is renamed. */
function wireName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed";
  return plain in {} ? `unknown_${plain}` : plain;
}

export function toPrompt(system: string, messages: readonly GatewayMessage[]) {
  // Providers refuse turns without content.
  const turns = messages.map(toTurn).filter(({ content }) => content.length > 0);
  return system === "" ? turns : [{ role: "system" as const, content: system }, ...turns];
}

function toTurn(message: GatewayMessage) {
  switch (message.role) {
    case "user":
      return { role: "user" as const, content: toTextParts(message.text) };
    case "assistant":
      return { role: "assistant" as const, content: [...toTextParts(message.text), ...message.calls.map(toToolCall)] };
    case "tool":
      return { role: "tool" as const, content: message.results.map(toToolResult) };
  }
}

/** Blank text is refused by some providers too. */
const toTextParts = (text: string) => (text.trim() === "" ? [] : [{ type: "text" as const, text }]);

function toToolCall({ call_id, tool, arguments: input }: ProposedCall) {
  return { type: "tool-call" as const, toolCallId: call_id, toolName: wireName(tool), input: input ?? {} };
}

type Result = Extract<GatewayMessage, { role: "tool" }>["results"][number];

/** Two of the three formats have no mark for an error, so the text says it in all three alike. */
function toToolResult({ call_id, tool, output, is_error }: Result) {
  const value: JsonValue = is_error ? { error: output } : output;
  const type: "error-json" | "json" = is_error ? "error-json" : "json";
  return { type: "tool-result" as const, toolCallId: call_id, toolName: wireName(tool), output: { type, value } };
}
