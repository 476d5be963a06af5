/**
 * What a gateway to a provider is told by the configuration. A key is a function, so that no print, log or JSON of the
 * settings can show it.
 */
export const PROVIDERS = ["anthropic", "openai", "openai-compatible"] as const;
export type Provider = (typeof PROVIDERS)[number];

export interface ProviderSettings {
  apiKey(): string | null;
  /** With its version path, such as `https://api.anthropic.com/v1`; null: the provider's own. */
  baseUrl: string | null;
}

/** USD per million tokens, which is micro-USD per token. */
export interface Price {
  input: number;
  cached_input: number;
  output: number;
}

export interface ModelSettings {
  providers: Record<Provider, ProviderSettings>;
  /** By full spec, such as `anthropic:<model>`. A model that is not listed costs null, never zero. */
  prices: Readonly<Record<string, Price>>;
  /** Answers asked of one provider at a time. */
  concurrency: number;
  /** HTTP attempts for one answer, the first included. */
  maxAttempts: number;
  attemptTimeoutMs: number;
  /** The first wait between attempts, before jitter; each next one doubles. */
  backoffMs: number;
}

/** Time and chance, handed in. `now` is milliseconds since 1970; `random` lies in [0, 1). */
export interface Ambient {
  now(): number;
  random(): number;
  /** Rejects as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
