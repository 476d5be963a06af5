/** Chat Completions over SSE at any base URL: vLLM, Ollama, a proxy. A key is sent only if there is one. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { asObject, type WireFormat } from "./wire-format.ts";

export function compatibleFormat(apiKey: string | null, baseURL: string): WireFormat {
  const settings = { name: "compatible", baseURL, includeUsage: true, ...(apiKey === null ? {} : { apiKey }) };
  return {
    provider: "openai-compatible",
    model: (id, fetch) => createOpenAICompatible({ ...settings, fetch })(id),
    // The usage comes in one more event after this one.
    ends: ({ choices }) => Array.isArray(choices) && typeof asObject(choices[0]).finish_reason === "string",
    marksEachCall: false,
    // Some models answer only to ids of their own form, such as `functions.<name>:0`.
    foreignInId: /[^\w.:-]/g,
    options: null,
  };
}
