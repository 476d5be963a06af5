/** How a gateway is told of a wire server: its address, the server's key, and no waiting for real. */
import type { GatewayOptions } from "../../../pipeline/agents/gateways/open.ts";
import { WIRE_KEY } from "./start.ts";

export const FORMATS = ["anthropic", "openai", "openai-compatible"] as const;

export function wireOptions(url: string): GatewayOptions {
  const provider = { apiKey: () => WIRE_KEY, baseUrl: url };
  return {
    settings: {
      providers: { anthropic: provider, openai: provider, "openai-compatible": provider },
      prices: Object.fromEntries(FORMATS.map((name) => [`${name}:m-1`, { input: 1, cached_input: 1, output: 1 }])),
      concurrency: 4,
      maxAttempts: 2,
      attemptTimeoutMs: 20_000,
      backoffMs: 1,
    },
    ambient: { now: () => performance.now(), random: () => 0, sleep: async () => undefined },
  };
}
