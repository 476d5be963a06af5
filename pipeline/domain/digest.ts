/** Canonical JSON (RFC 8785) and tagged SHA-256. Refuses what JSON cannot say: undefined, NaN, dates, maps. */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { AssayError } from "./outcome.ts";

/** 64 lower-case hexadecimal digits. */
export type Sha256 = string;

export function sha256(bytes: Uint8Array | string): Sha256 {
  return createHash("sha256").update(bytes).digest("hex");
}

export function canonicalJson(document: unknown): string {
  assertJson(document, "$");
  return (canonicalize as unknown as (value: unknown) => string)(document);
}

/** Digest of a document: SHA-256 over canonical JSON of `["assay/<kind>/v1", document]`. */
export function digestOf(kind: string, document: unknown): Sha256 {
  return sha256(canonicalJson([`assay/${kind}/v1`, document]));
}

function assertJson(value: unknown, path: string): void {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value)) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      assertJson(item, `${path}[${index}]`);
    });
    return;
  }
  if (typeof value === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    for (const [key, item] of Object.entries(value)) assertJson(item, `${path}.${key}`);
    return;
  }
  throw new AssayError("NOT_JSON", `${path} holds what JSON cannot say`);
}
