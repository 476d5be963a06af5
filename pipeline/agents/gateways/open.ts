/**
 * From a spec such as `anthropic:<model>` to a gateway. One gateway a provider, so that its concurrency limit holds for the
 * whole run. The SDK is loaded when a provider that needs it is first asked for. `builtin:` and others come as `makers`.
 */
import { AssayError } from "../../domain/outcome.ts";
import type { Gateway } from "../gateway.ts";
import type { Ambient, ModelSettings, Provider } from "./settings.ts";

export type GatewayMaker = (settings: ModelSettings, ambient: Ambient) => Promise<Gateway>;

export interface GatewayOptions {
  settings: ModelSettings;
  ambient: Ambient;
  /** Further providers by prefix, such as `builtin`. */
  makers?: Readonly<Record<string, GatewayMaker>>;
}

export interface OpenedModel {
  gateway: Gateway;
  /** Without the provider's prefix. */
  model: string;
}

const SDK_MAKERS: Record<Provider, GatewayMaker> = {
  async anthropic(settings, ambient) {
    const key = keyOrThrow(settings, "anthropic", "ANTHROPIC_API_KEY");
    const [{ sdkGateway }, { anthropicFormat }] = await Promise.all([import("./ai-sdk.ts"), import("./anthropic.ts")]);
    return sdkGateway(anthropicFormat(key, settings.providers.anthropic.baseUrl), settings, ambient);
  },
  async openai(settings, ambient) {
    const key = keyOrThrow(settings, "openai", "OPENAI_API_KEY");
    const [{ sdkGateway }, { openaiFormat }] = await Promise.all([import("./ai-sdk.ts"), import("./openai.ts")]);
    return sdkGateway(openaiFormat(key, settings.providers.openai.baseUrl), settings, ambient);
  },
  async "openai-compatible"(settings, ambient) {
    const { apiKey, baseUrl } = settings.providers["openai-compatible"];
    if (baseUrl === null) {
      throw new AssayError("MODEL_NOT_CONFIGURED", "openai-compatible: has no address", {
        hint: "set ASSAY_COMPATIBLE_BASE_URL, such as http://127.0.0.1:11434/v1",
      });
    }
    const [{ sdkGateway }, { compatibleFormat }] = await Promise.all([
      import("./ai-sdk.ts"),
      import("./openai-compatible.ts"),
    ]);
    return sdkGateway(compatibleFormat(apiKey(), baseUrl), settings, ambient);
  },
};

/** Throws MODEL_SPEC_INVALID and MODEL_NOT_CONFIGURED. */
export function gatewayOpener(options: GatewayOptions): (spec: string) => Promise<OpenedModel> {
  const makers = new Map(Object.entries({ ...SDK_MAKERS, ...options.makers }));
  const opened = new Map<string, Promise<Gateway>>();
  return async (spec) => {
    // Models have colons of their own: only the first one ends the provider.
    const [, provider = "", model = ""] = /^([^:]*):([\x21-\x7e]{1,200})$/.exec(spec) ?? [];
    const make = makers.get(provider);
    if (make === undefined || model === "") {
      throw new AssayError("MODEL_SPEC_INVALID", `${JSON.stringify(spec.slice(0, 100))} names no model`, {
        hint: `write <provider>:<model>, where the provider is one of ${[...makers.keys()].join(", ")}`,
      });
    }
    if (!opened.has(provider)) opened.set(provider, make(options.settings, options.ambient));
    return { gateway: await opened.get(provider)!, model };
  };
}

function keyOrThrow(settings: ModelSettings, provider: Provider, variable: string): string {
  const key = settings.providers[provider].apiKey();
  if (key === null) {
    throw new AssayError("MODEL_NOT_CONFIGURED", `${provider}: has no API key`, { hint: `set ${variable}` });
  }
  return key;
}
