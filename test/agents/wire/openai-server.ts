/** OpenAI Responses: `POST /v1/responses`, numbered events, output items that are added, filled and done. */
import type { JsonObject } from "../../../pipeline/schema/turn.ts";
import { type Dialect, type Frame, idOf, list, object, parsed, pieces, type SeenMessage, written } from "./script.ts";

export const openaiDialect: Dialect = {
  path: "/v1/responses",

  frames({ text, calls = [], stop, usage }, { turn, model }) {
    const frames: Frame[] = [];
    const add = (part: Frame["part"], event: JsonObject) =>
      frames.push({ part, sse: sse({ ...event, sequence_number: frames.length }) });
    const output: JsonObject[] = [];
    const response = (status: string, more: JsonObject = {}): JsonObject => ({
      id: `resp_${turn}`,
      object: "response",
      created_at: 1_700_000_000,
      status,
      error: null,
      incomplete_details: null,
      model,
      output,
      usage: null,
      ...more,
    });
    add("start", { type: "response.created", response: response("in_progress") });
    add("start", { type: "response.in_progress", response: response("in_progress") });
    if (text !== "") {
      const kind = stop === "refusal" ? "refusal" : "output_text";
      addMessage(add, output, text, kind, `msg_${turn}`);
    }
    calls.forEach((call, at) => {
      addCall(add, output, { id: `fc_${turn}_${at}`, call_id: idOf(call, turn, at), name: call.tool }, written(call));
    });
    const counts = {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    };
    const isCut = stop === "length";
    add("end", {
      type: isCut ? "response.incomplete" : "response.completed",
      response: response(isCut ? "incomplete" : "completed", {
        usage: counts,
        incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
      }),
    });
    return frames;
  },

  errorFrame: (code, message) => sse({ type: "error", code, message, param: null, sequence_number: 0 }),
  errorBody: (code, message) => ({ error: { message, type: code, param: null, code } }),
  isKeyRight: (headers, key) => headers.authorization === `Bearer ${key}`,

  read(body) {
    const items = list(body.input);
    return {
      model: String(body.model),
      system: items
        .filter(isSystem)
        .map(({ content }) => content)
        .join("\n"),
      messages: gather(items.filter((item) => !isSystem(item))),
      tools: list(body.tools).map(({ name, description, parameters }) => ({
        name: String(name),
        description: String(description),
        input_schema: parameters ?? null,
      })),
      max_output_tokens: (body.max_output_tokens as number | undefined) ?? null,
      temperature: (body.temperature as number | undefined) ?? null,
    };
  },

  faults(body) {
    const faults: string[] = [];
    if (body.store !== false) faults.push("the conversation must not be stored");
    for (const { type, name, call_id } of list(body.input)) {
      if (type !== "function_call") continue;
      if (!/^[\w-]{1,64}$/.test(String(name))) faults.push(`function_call name ${name}`);
      if (String(call_id).length > 64) faults.push("call_id is longer than 64");
    }
    for (const { type, name } of list(body.tools)) if (type !== "function") faults.push(`tool ${name} is no function`);
    return faults;
  },
};

const sse = (event: JsonObject) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

type Add = (part: Frame["part"], event: JsonObject) => void;

function addMessage(add: Add, output: JsonObject[], text: string, kind: "output_text" | "refusal", id: string): void {
  const output_index = output.length;
  const place = { item_id: id, output_index, content_index: 0 };
  const whole: JsonObject = kind === "refusal" ? { type: kind, refusal: text } : { type: kind, text, annotations: [] };
  const empty: JsonObject =
    kind === "refusal" ? { type: kind, refusal: "" } : { type: kind, text: "", annotations: [] };
  const item = (status: string, content: JsonObject[]) => ({ id, type: "message", status, role: "assistant", content });
  add("body", { type: "response.output_item.added", output_index, item: item("in_progress", []) });
  add("body", { type: "response.content_part.added", ...place, part: empty });
  for (const delta of pieces(text)) add("text", { type: `response.${kind}.delta`, ...place, delta });
  const done: JsonObject = kind === "refusal" ? { refusal: text } : { text };
  add("body", { type: `response.${kind}.done`, ...place, ...done });
  add("body", { type: "response.content_part.done", ...place, part: whole });
  add("body", { type: "response.output_item.done", output_index, item: item("completed", [whole]) });
  output.push(item("completed", [whole]));
}

function addCall(
  add: Add,
  output: JsonObject[],
  call: { id: string; call_id: string; name: string },
  text: string,
): void {
  const output_index = output.length;
  const item = (status: string, args: string) => ({ ...call, type: "function_call", status, arguments: args });
  const place = { item_id: call.id, output_index };
  add("body", { type: "response.output_item.added", output_index, item: item("in_progress", "") });
  for (const delta of pieces(text))
    add("arguments", { type: "response.function_call_arguments.delta", ...place, delta });
  add("body", { type: "response.function_call_arguments.done", ...place, arguments: text });
  add("body", { type: "response.output_item.done", output_index, item: item("completed", text) });
  output.push(item("completed", text));
}

const isSystem = ({ role }: JsonObject) => role === "system" || role === "developer";

/** The flat list of items, as turns: text and calls of one answer stand together, and so do its results. */
function gather(items: JsonObject[]): SeenMessage[] {
  const seen: SeenMessage[] = [];
  const last = (role: SeenMessage["role"], fresh: SeenMessage) => {
    if (seen.at(-1)?.role !== role) seen.push(fresh);
    return seen.at(-1)!;
  };
  for (const item of items) {
    if (item.type === "function_call") {
      const call = { call_id: String(item.call_id), tool: String(item.name), arguments: parsed(item.arguments) };
      last("assistant", { role: "assistant", text: "", calls: [] }).calls!.push(call);
    } else if (item.type === "function_call_output") {
      const result = { call_id: String(item.call_id), output: parsed(item.output) };
      last("tool", { role: "tool", results: [] }).results!.push(result);
    } else {
      const text = list(item.content)
        .map((part) => part.text)
        .join("");
      if (item.role === "user") seen.push({ role: "user", text });
      else seen.push({ role: object(item).role === "assistant" ? "assistant" : "user", text, calls: [] });
    }
  }
  return seen;
}
