/** OpenAI Responses over SSE. Nothing is stored at the provider: the conversation is sent whole each time. */
import { createOpenAI } from "@ai-sdk/openai";
import type { WireFormat } from "./wire-format.ts";

export function openaiFormat(apiKey: string, baseUrl: string | null): WireFormat {
  const baseURL = baseUrl ?? "https://api.openai.com/v1";
  return {
    provider: "openai",
    model: (id, fetch) => createOpenAI({ apiKey, baseURL, fetch }).responses(id),
    ends: (event) => event.type === "response.completed" || event.type === "response.incomplete",
    marksEachCall: true,
    foreignInId: /[^\w-]/g,
    options: { openai: { store: false } },
  };
}
