/** Chat Completions as vLLM, Ollama and proxies speak it: `POST /v1/chat/completions`, unnamed chunks, `[DONE]`. */
import type { JsonObject } from "../../../pipeline/schema/turn.ts";
import { type Dialect, type Frame, idOf, list, object, parsed, pieces, type SeenMessage, written } from "./script.ts";

const sse = (chunk: JsonObject) => `data: ${JSON.stringify(chunk)}\n\n`;

export const compatibleDialect: Dialect = {
  path: "/v1/chat/completions",

  frames({ text, calls = [], stop, usage, uncounted = false }, { turn, model }) {
    const frames: Frame[] = [];
    const chunk = (choices: JsonObject[], more: JsonObject = {}): string =>
      sse({
        id: `chatcmpl-${turn}`,
        object: "chat.completion.chunk",
        created: 1_700_000_000,
        model,
        choices,
        usage: null,
        ...more,
      });
    const add = (part: Frame["part"], delta: JsonObject, finish_reason: string | null = null) =>
      frames.push({ part, sse: chunk([{ index: 0, delta, finish_reason, logprobs: null }]) });
    add("start", { role: "assistant", content: "" });
    for (const piece of text === "" ? [] : pieces(text)) {
      add("text", stop === "refusal" ? { refusal: piece } : { content: piece });
    }
    calls.forEach((call, index) => {
      const id = idOf(call, turn, index);
      add("body", { tool_calls: [{ index, id, type: "function", function: { name: call.tool, arguments: "" } }] });
      for (const piece of pieces(written(call))) {
        add("arguments", { tool_calls: [{ index, function: { arguments: piece } }] });
      }
    });
    const usual = calls.length > 0 ? "tool_calls" : "stop";
    add("end", {}, stop === "length" ? "length" : usual);
    const counts = {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cached },
    };
    if (!uncounted) frames.push({ part: "end", sse: chunk([], { usage: counts }) });
    frames.push({ part: "end", sse: "data: [DONE]\n\n" });
    return frames;
  },

  errorFrame: (code, message) => sse({ error: { message, type: code, param: null, code } }),
  errorBody: (code, message) => ({ error: { message, type: code, param: null, code } }),
  isKeyRight: (headers, key) => headers.authorization === `Bearer ${key}`,

  read(body) {
    const messages = list(body.messages);
    return {
      model: String(body.model),
      system: messages
        .filter(({ role }) => role === "system")
        .map(({ content }) => content)
        .join("\n"),
      messages: gather(messages.filter(({ role }) => role !== "system")),
      tools: list(body.tools).map((tool) => ({
        name: String(object(tool.function).name),
        description: String(object(tool.function).description),
        input_schema: object(tool.function).parameters ?? null,
      })),
      max_output_tokens: (body.max_tokens as number | undefined) ?? null,
      temperature: (body.temperature as number | undefined) ?? null,
    };
  },

  faults(body) {
    const faults: string[] = [];
    if (object(body.stream_options).include_usage !== true) faults.push("usage was not asked for");
    for (const { role, content, tool_calls } of list(body.messages)) {
      if (role === "assistant" && !content && list(tool_calls).length === 0) faults.push("assistant without content");
      for (const call of list(tool_calls)) {
        if (call.type !== "function") faults.push("tool call is no function");
        if (!/^[\w-]{1,64}$/.test(String(object(call.function).name))) faults.push("tool call name");
      }
    }
    return faults;
  },
};

function gather(messages: JsonObject[]): SeenMessage[] {
  const seen: SeenMessage[] = [];
  for (const { role, content, tool_calls, tool_call_id } of messages) {
    if (role === "tool") {
      const result = { call_id: String(tool_call_id), output: parsed(content) };
      if (seen.at(-1)?.role === "tool") seen.at(-1)!.results!.push(result);
      else seen.push({ role, results: [result] });
    } else if (role === "assistant") {
      const calls = list(tool_calls).map((call) => ({
        call_id: String(call.id),
        tool: String(object(call.function).name),
        arguments: parsed(object(call.function).arguments),
      }));
      seen.push({ role, text: String(content ?? ""), calls });
    } else {
      seen.push({ role: "user", text: String(content) });
    }
  }
  return seen;
}
