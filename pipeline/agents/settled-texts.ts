/**
 * Canonical texts of what is settled in a run: results, messages, schemas of tools. A run says the same again in every input;
 * each part is written once. Only for objects that nobody changes any more; they are forgotten with the objects.
 */
import { canonicalJson, type KnownTexts } from "../domain/digest.ts";

export const SETTLED: KnownTexts = new WeakMap();

export function settledText(document: object): string {
  const text = canonicalJson(document, SETTLED);
  SETTLED.set(document, text);
  return text;
}
