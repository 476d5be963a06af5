/** Anthropic Messages: `POST /v1/messages`, named events, one content block after another. */
import type { JsonObject } from "../../../pipeline/schema/turn.ts";
import { type Dialect, type Frame, idOf, list, object, parsed, pieces, type SeenMessage, written } from "./script.ts";

const sse = (event: JsonObject) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

export const anthropicDialect: Dialect = {
  path: "/v1/messages",

  frames({ text, calls = [], stop, usage }, { turn, model }) {
    const frames: Frame[] = [];
    const add = (part: Frame["part"], event: JsonObject) => frames.push({ part, sse: sse(event) });
    const { input, cached, output } = usage;
    add("start", {
      type: "message_start",
      message: {
        id: `msg_${turn}`,
        type: "message",
        role: "assistant",
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        // Here the input without what came from the cache.
        usage: {
          input_tokens: input - cached,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: cached,
          output_tokens: 1,
        },
      },
    });
    add("start", { type: "ping" });
    let index = 0;
    if (text !== "") {
      add("body", { type: "content_block_start", index, content_block: { type: "text", text: "" } });
      for (const piece of pieces(text)) {
        add("text", { type: "content_block_delta", index, delta: { type: "text_delta", text: piece } });
      }
      add("body", { type: "content_block_stop", index });
      index++;
    }
    calls.forEach((call, at) => {
      const block = { type: "tool_use", id: idOf(call, turn, at), name: call.tool, input: {} };
      add("body", { type: "content_block_start", index, content_block: block });
      for (const piece of ["", ...pieces(written(call))]) {
        const part = piece === "" ? "body" : "arguments";
        add(part, { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: piece } });
      }
      add("body", { type: "content_block_stop", index });
      index++;
    });
    const usual = calls.length > 0 ? "tool_use" : "end_turn";
    const stop_reason = stop === "length" ? "max_tokens" : (stop ?? usual);
    add("end", {
      type: "message_delta",
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: output },
    });
    add("end", { type: "message_stop" });
    return frames;
  },

  errorFrame: (code, message) => sse({ type: "error", error: { type: code, message } }),
  errorBody: (code, message) => ({ type: "error", error: { type: code, message } }),
  isKeyRight: (headers, key) => headers["x-api-key"] === key && headers.authorization === undefined,

  read(body) {
    return {
      model: String(body.model),
      system: list(body.system)
        .map(({ text }) => text)
        .join("\n"),
      messages: list(body.messages).flatMap(({ role, content }) => readMessage(String(role), list(content))),
      tools: list(body.tools).map(({ name, description, input_schema }) => ({
        name: String(name),
        description: String(description),
        input_schema: input_schema ?? null,
      })),
      max_output_tokens: (body.max_tokens as number | undefined) ?? null,
      temperature: (body.temperature as number | undefined) ?? null,
    };
  },

  faults(body) {
    const faults: string[] = [];
    if (!(Number(body.max_tokens) > 0)) faults.push("max_tokens is required");
    const roles = list(body.messages).map(({ role }) => role);
    if (roles[0] !== "user") faults.push("the first message must be the user's");
    if (roles.some((role, at) => role === roles[at - 1])) faults.push("roles must alternate");
    for (const { content } of list(body.messages)) {
      const blocks = list(content);
      if (blocks.length === 0) faults.push("content must not be empty");
      if (blocks.some(({ type, text }) => type === "text" && String(text).trim() === "")) faults.push("blank text");
      for (const { type, id, name, input } of blocks) {
        if (type !== "tool_use") continue;
        if (!/^[\w-]+$/.test(String(id))) faults.push(`tool_use id ${id}`);
        if (!/^[\w-]{1,128}$/.test(String(name))) faults.push(`tool_use name ${name}`);
        if (input !== object(input)) faults.push("tool_use input must be an object");
      }
    }
    return faults;
  },
};

function readMessage(role: string, blocks: JsonObject[]): SeenMessage[] {
  const text = blocks
    .filter(({ type }) => type === "text")
    .map((block) => String(block.text))
    .join("");
  if (role === "assistant") {
    const calls = blocks.filter(({ type }) => type === "tool_use");
    return [
      {
        role,
        text,
        calls: calls.map(({ id, name, input }) => ({
          call_id: String(id),
          tool: String(name),
          arguments: input ?? null,
        })),
      },
    ];
  }
  const results = blocks.filter(({ type }) => type === "tool_result");
  const seen: SeenMessage[] = [];
  if (results.length > 0) {
    seen.push({
      role: "tool",
      results: results.map(({ tool_use_id, content, is_error }) => ({
        call_id: String(tool_use_id),
        output: parsed(typeof content === "string" ? content : list(content)[0]?.text),
        is_error: is_error === true,
      })),
    });
  }
  if (text !== "") seen.push({ role: "user", text });
  return seen;
}
