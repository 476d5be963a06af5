/** Anthropic Messages over SSE. */
import { createAnthropic } from "@ai-sdk/anthropic";
import type { WireFormat } from "./wire-format.ts";

export function anthropicFormat(apiKey: string, baseUrl: string | null): WireFormat {
  const baseURL = baseUrl ?? "https://api.anthropic.com/v1";
  return {
    provider: "anthropic",
    model: (id, fetch) => createAnthropic({ apiKey, baseURL, fetch })(id),
    ends: (event) => event.type === "message_stop",
    marksEachCall: true,
    foreignInId: /[^\w-]/g,
    options: null,
  };
}
