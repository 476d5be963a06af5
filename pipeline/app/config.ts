/**
 * The only reader of the environment. Everything else is handed what it needs. Paths come out absolute; nothing is
 * opened or created here.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ModelSettings, Price } from "../agents/gateways/settings.ts";
import type { McpSettings } from "../agents/mcp/settings.ts";
import { AssayError } from "../domain/outcome.ts";
import type { TracingTarget } from "./otlp.ts";

// React draws eight times slower in its development build; it chooses when it is first imported, which is after this.
process.env.NODE_ENV ??= "production";

export interface Config {
  /** Folder of package.json: batches of the repository and the build live below it. */
  root: string;
  dataDir: string;
  databaseUrl: string | null;
  adminDatabaseUrl: string | null;
  redisUrl: string | null;
  chromePath: string | null;
  allowRoots: string[];
  tenant: string;
  /** Who composes claims, as `provider:model`. */
  composer: string;
  version: string;
  isTerminal: boolean;
}

export function readConfig(env: NodeJS.ProcessEnv = process.env, cwd = process.cwd()): Config {
  const root = packageRoot();
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    version: string;
    assay?: { allow_roots?: string[] };
  };
  // A variable set to nothing is not set.
  const given = (name: string) => env[name] || undefined;
  const tenant = given("ASSAY_TENANT") ?? "main";
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(tenant)) {
    throw new AssayError("CONFIG_INVALID", `ASSAY_TENANT ${JSON.stringify(tenant)} is not a tenant id`, {
      hint: "use lower-case letters, digits and hyphens",
    });
  }
  const declared = (manifest.assay?.allow_roots ?? []).map((path) => resolve(root, path));
  const fromEnv = (given("ASSAY_ALLOW_ROOTS") ?? "").split(":").filter((path) => path !== "");
  return {
    root,
    dataDir: resolve(cwd, given("ASSAY_DATA") ?? ".assay"),
    databaseUrl: given("DATABASE_URL") ?? null,
    adminDatabaseUrl: given("ASSAY_ADMIN_DATABASE_URL") ?? null,
    redisUrl: given("REDIS_URL") ?? null,
    chromePath: given("CHROME_PATH") ?? null,
    allowRoots: [...declared, ...fromEnv.map((path) => resolve(cwd, path))].filter((path) => existsSync(path)),
    tenant,
    composer: given("ASSAY_COMPOSER") ?? "builtin:composer",
    version: manifest.version,
    isTerminal: process.stderr.isTTY === true && env.CI === undefined,
  };
}

/** Read only when a model is asked for: a broken price list must not stop a command that needs none. */
export function readModelSettings(env: NodeJS.ProcessEnv = process.env, cwd = process.cwd()): ModelSettings {
  const provider = (key: string, address: string) => ({
    apiKey: () => env[key] || null,
    baseUrl: toBaseUrl(address, env[address]),
  });
  const pricesFile = env.ASSAY_MODEL_PRICES;
  return {
    providers: {
      anthropic: provider("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
      openai: provider("OPENAI_API_KEY", "OPENAI_BASE_URL"),
      "openai-compatible": provider("ASSAY_COMPATIBLE_API_KEY", "ASSAY_COMPATIBLE_BASE_URL"),
    },
    prices: pricesFile ? readPrices(resolve(cwd, pricesFile)) : {},
    concurrency: toCount("ASSAY_MODEL_CONCURRENCY", env.ASSAY_MODEL_CONCURRENCY, { least: 1, most: 64, otherwise: 4 }),
    maxAttempts: toCount("ASSAY_MODEL_ATTEMPTS", env.ASSAY_MODEL_ATTEMPTS, { least: 1, most: 10, otherwise: 4 }),
    attemptTimeoutMs: toCount("ASSAY_MODEL_TIMEOUT_MS", env.ASSAY_MODEL_TIMEOUT_MS, {
      least: 1000,
      most: 3_600_000,
      otherwise: 120_000,
    }),
    backoffMs: 1000,
  };
}

/** Who answers people, as `provider:model`. Without a setting nobody's key is needed: sentences by rule. */
export function readModelSpec(env: NodeJS.ProcessEnv = process.env): string {
  return env.ASSAY_MODEL || "builtin:answerer";
}

/** What answering one question may cost, in micro-units of USD; null: no limit on money. Needs a price of the model. */
export function readAskBudget(env: NodeJS.ProcessEnv = process.env): number | null {
  const text = env.ASSAY_BUDGET_USD;
  if (!text) return null;
  const amount = toMicroUsd(text);
  if (amount !== null) return amount;
  throw new AssayError("CONFIG_INVALID", `ASSAY_BUDGET_USD ${JSON.stringify(text.slice(0, 40))} is not an amount`, {
    hint: "write US dollars such as 0.25",
  });
}

/** Null: no amount of dollars with at most six places. Exact: no fraction passes through a binary number. */
export function toMicroUsd(text: string): number | null {
  const [, whole = "", places = ""] = /^(\d{1,7})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  return whole === "" ? null : Number(whole) * 1_000_000 + Number(places.padEnd(6, "0"));
}

/** OpenTelemetry's own variables, those for traces before those for everything. No address: no traces. */
export function readTracing(env: NodeJS.ProcessEnv = process.env): Omit<TracingTarget, "version"> {
  const own = toBaseUrl("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
  const base = toBaseUrl("OTEL_EXPORTER_OTLP_ENDPOINT", env.OTEL_EXPORTER_OTLP_ENDPOINT);
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === "true";
  return {
    url: isOff ? null : (own ?? (base === null ? null : `${base}/v1/traces`)),
    headers: () => toHeaders(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS || env.OTEL_EXPORTER_OTLP_HEADERS || ""),
  };
}

/** `name=value,name=value`, the values percent-encoded. What is none is left out: it may hold a key and is not quoted. */
function toHeaders(text: string): Record<string, string> {
  const pairs = text.split(",").flatMap((pair) => {
    const [, name, value] = /^\s*([\w.-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    if (name === undefined || value === undefined || /%(?![0-9a-f]{2})/i.test(value)) return [];
    return [[name, decodeURIComponent(value)]];
  });
  return Object.fromEntries(pairs);
}

/** Where the MCP servers are listed; null: none. `secret` reads the variables that the list names for a server. */
export function readMcpSettings(env: NodeJS.ProcessEnv = process.env, cwd = process.cwd()): McpSettings {
  const path = env.ASSAY_MCP_CONFIG;
  return { path: path ? resolve(cwd, path) : null, secret: (name) => env[name] || null };
}

/** A URL with a user or password in it is refused unseen: it would be printed with every fault. */
function toBaseUrl(name: string, text: string | undefined): string | null {
  if (!text) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "") {
    return text.replace(/\/+$/, "");
  }
  throw new AssayError("CONFIG_INVALID", `${name} is not an address`, {
    hint: "write http:// or https://, host and path, without user and password",
  });
}

function toCount(
  name: string,
  text: string | undefined,
  { least, most, otherwise }: { least: number; most: number; otherwise: number },
): number {
  if (!text) return otherwise;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= least && count <= most) return count;
  throw new AssayError("CONFIG_INVALID", `${name} ${JSON.stringify(text)} is not a number from ${least} to ${most}`);
}

function readPrices(path: string): Record<string, Price> {
  const refuse = (what: string) =>
    new AssayError("CONFIG_INVALID", `the price list of ASSAY_MODEL_PRICES ${what}`, {
      at: path,
      hint: 'write JSON such as {"anthropic:<model>": {"input": 3, "cached_input": 0.3, "output": 15}}, in USD per million tokens',
    });
  let list: unknown;
  try {
    list = JSON.parse(readFileSync(path, "utf8"));
  } catch (fault) {
    throw refuse(fault instanceof SyntaxError ? "is not JSON" : "cannot be read");
  }
  if (typeof list !== "object" || list === null || Array.isArray(list)) throw refuse("is not an object");
  const isPrice = (value: unknown) => typeof value === "number" && value >= 0 && value < 1e6;
  for (const [spec, price] of Object.entries(list)) {
    const { input, cached_input, output } = (price ?? {}) as Record<string, unknown>;
    if (![input, cached_input, output].every(isPrice)) throw refuse(`lacks a price for ${JSON.stringify(spec)}`);
  }
  return list as Record<string, Price>;
}

function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new AssayError("CONFIG_INVALID", "package.json not found above the program");
    folder = parent;
  }
  return folder;
}
