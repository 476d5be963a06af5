/** What no journal keeps: NUL and halves of characters, keys that name prototypes, nesting without end. */
import type { JsonValue } from "../schema/turn.ts";

const DEPTH_MAX = 32;
const PROTOTYPE_KEYS = new Set(["__proto__", "constructor", "prototype"]);

/** A code with a place, or null. */
export function textFault(value: JsonValue, depth = 0): string | null {
  if (depth > DEPTH_MAX) return `TOO_DEEP: more than ${DEPTH_MAX} levels`;
  if (typeof value === "string") return isStorable(value) ? null : "BROKEN_TEXT: a NUL or half a character";
  if (typeof value !== "object" || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    if (PROTOTYPE_KEYS.has(key)) return `KEY_REFUSED: ${key}`;
    const fault = isStorable(key) ? textFault(item, depth + 1) : "BROKEN_TEXT: in a key";
    if (fault !== null) return fault;
  }
  return null;
}

function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}
const UNSTORABLE = /\0|\p{Surrogate}/u;

export function storable(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, "\uFFFD");
}
