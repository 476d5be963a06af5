/**
 * What differs between providers: how to make the SDK's model, and by which event of its stream a format says that an
 * answer is whole. Everything else is common (ai-sdk.ts).
 */
import type { createAnthropic } from "@ai-sdk/anthropic";
import type { JsonObject } from "../../schema/turn.ts";
import type { Provider } from "./settings.ts";

/** Every provider of the SDK makes models of this one type. */
export type SdkModel = ReturnType<ReturnType<typeof createAnthropic>>;

export interface WireFormat {
  provider: Provider;
  /** A model that speaks through `fetch` and reads nothing from the environment. */
  model(id: string, fetch: typeof globalThis.fetch): SdkModel;
  /** Does this event say that the answer is whole? A stream without one was cut. */
  ends(event: JsonObject): boolean;
  /** Does the format mark the end of each call? If not, no call of a cut stream can be known to be whole. */
  marksEachCall: boolean;
  /** What may not stand in a call's id on this wire. */
  foreignInId: RegExp;
  options: { [provider: string]: JsonObject } | null;
}

export function asObject(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
