/** Canonical JSON (RFC 8785) and tagged SHA-256. Refuses what JSON cannot say: undefined, NaN, dates, maps. */
import { createHash } from "node:crypto";
import { AssayError } from "./outcome.ts";

/** 64 lower-case hexadecimal digits. */
export type Sha256 = string;

export function sha256(bytes: Uint8Array | string): Sha256 {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Texts of documents that nobody changes any more. What is part of many documents is then written once. */
export type KnownTexts = WeakMap<object, string>;

/**
 * RFC 8785: keys sorted by UTF-16 code units, numbers and strings as ECMAScript prints them. Written here because the
 * documents are large and many; the test holds it to the reference implementation.
 */
export function canonicalJson(document: unknown, known?: KnownTexts): string {
  switch (typeof document) {
    case "string":
      return JSON.stringify(document);
    case "boolean":
      return document ? "true" : "false";
    case "number":
      if (Number.isFinite(document)) return JSON.stringify(document);
      break;
    case "object": {
      if (document === null) return "null";
      const before = known?.get(document);
      if (before !== undefined) return before;
      if (Array.isArray(document)) {
        let text = "[";
        for (let index = 0; index < document.length; index += 1) {
          text += index === 0 ? canonicalJson(document[index], known) : `,${canonicalJson(document[index], known)}`;
        }
        return `${text}]`;
      }
      const prototype: unknown = Object.getPrototypeOf(document);
      if (prototype !== Object.prototype && prototype !== null) break;
      let text = "{";
      for (const key of sortedKeys(document)) {
        text += `${text.length === 1 ? "" : ","}${JSON.stringify(key)}:${canonicalJson((document as Record<string, unknown>)[key], known)}`;
      }
      return `${text}}`;
    }
  }
  throw new AssayError("NOT_JSON", `the document holds what JSON cannot say: ${String(document).slice(0, 60)}`);
}

/** Documents read back have their keys in order already: looking costs less than sorting. */
function sortedKeys(document: object): string[] {
  const keys = Object.keys(document);
  for (let index = 1; index < keys.length; index += 1) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return keys.sort();
  }
  return keys;
}

/** Digest of a document: SHA-256 over canonical JSON of `["assay/<kind>/v1", document]`. */
export function digestOf(kind: string, document: unknown, known?: KnownTexts): Sha256 {
  return sha256(canonicalJson([`assay/${kind}/v1`, document], known));
}
