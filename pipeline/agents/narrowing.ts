/** Whether a view of a result only leaves parts out. A shortened text or number is another one: it counts as altered. */
import type { JsonValue } from "../schema/turn.ts";

export function isNarrowing(view: JsonValue, original: JsonValue): boolean {
  if (Array.isArray(view)) return Array.isArray(original) && isSubsequence(view, original);
  if (typeof view === "object" && view !== null) {
    if (typeof original !== "object" || original === null || Array.isArray(original)) return false;
    return Object.entries(view).every(
      ([key, item]) => Object.hasOwn(original, key) && isNarrowing(item, original[key] as JsonValue),
    );
  }
  return view === original;
}

/** In the original's order, each item standing for one of the original. */
function isSubsequence(view: readonly JsonValue[], original: readonly JsonValue[]): boolean {
  let next = 0;
  return view.every((item) => {
    while (next < original.length && !isNarrowing(item, original[next] as JsonValue)) next += 1;
    next += 1;
    return next <= original.length;
  });
}
