/**
 * The text of one payload for a tool, or why there is none: what cannot be fetched, cannot be read as text or is longer than a
 * tool looks at are three different things, and none of them says that something is not in it.
 */
import { AssayError } from "../../domain/outcome.ts";
import type { EvidenceText } from "./desk.ts";

/** Characters of one payload that a tool looks at. */
export const TEXT_MAX = 8_000_000;

export type PayloadText = { text: string } | { code: "FETCH_FAILED" | "EXTRACTION_FAILED"; detail: string };

export async function readPayload(evidence: EvidenceText): Promise<PayloadText> {
  try {
    return { text: await evidence.text() };
  } catch (fault) {
    // A fault of the program is none of the payload's.
    if (!(fault instanceof AssayError)) throw fault;
    const code = fault.code === "PAYLOAD_UNREADABLE" ? "EXTRACTION_FAILED" : "FETCH_FAILED";
    return { code, detail: `${fault.code}: ${fault.message}` };
  }
}

/** Lines as an editor numbers them, from 1. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}
