/**
 * Searches a product's payloads for a literal text, alike in case and width, and leaves a receipt of the query. The receipt
 * says that this was looked for there and what came of it; it is no source of facts. What was not looked through is never "not found".
 */
import { z } from "zod";
import { defineTool, type Tool } from "../../agents/tool.ts";
import { digestOf } from "../../domain/digest.ts";
import { type QueryReceipt, SEARCH } from "../../schema/query-receipt.ts";
import { type Desk, type EvidenceText, readScopes } from "./desk.ts";
import { linesOf, readPayload, TEXT_MAX } from "./payload-text.ts";
import { instrumentInput } from "./sources.ts";

const QUERY_MAX = 200;
const PLACES_MAX = 20;
const EXCERPT = 160;
/** Characters of all payloads of one search together. */
const SEARCHED_MAX = 40_000_000;

interface Searched {
  places: { evidence_id: string; source_id: string; line: number; excerpt: string }[];
  matches: number;
  whole: string[];
  unread: { evidence_id: string; code: string }[];
}

const input = z.strictObject({
  instrument: instrumentInput,
  query: z
    .string()
    .max(QUERY_MAX)
    .refine((text) => fold(text.trim()) !== "" && !/[\n\r]/.test(text), "must be one line with something on it"),
  evidence_ids: z.array(z.string().min(1).max(128)).min(1).max(200).optional(),
});

export function searchPayloads(desk: Desk): Tool {
  return defineTool({
    name: "search_payloads",
    version: "1",
    description: `Search the product's payloads for a literal text on one line; case and width of characters do not matter. Leaves a
query receipt: only a receipt with NO_MATCH can support that something is absent, and no receipt is evidence of anything else.`,
    input,
    effect: "read",
    scope: ({ instrument }) => ({ read: [readScopes(instrument).evidence] }),
    async run({ instrument, query, evidence_ids }, { contract, call, now, signal }) {
      const all = desk.products.get(instrument)?.evidence ?? [];
      const unknown = evidence_ids?.find((id) => all.every(({ evidence_id }) => evidence_id !== id));
      if (unknown !== undefined) return { status: "FAILED", code: "EVIDENCE_UNKNOWN", message: unknown };
      const chosen = all.filter(({ evidence_id }) => evidence_ids?.includes(evidence_id) ?? true);
      if (chosen.length === 0) return { status: "EMPTY", code: "NO_EVIDENCE" };
      const found = await search(chosen, fold(query.trim()), signal);
      const read_at = now();
      const receipt: QueryReceipt = {
        schema: "query_receipt/v1",
        // The same call of the same run is the same query, however often it is tried.
        receipt_id: digestOf("query_receipt", [contract.tenant, contract.root_id, call]).slice(0, 32),
        call_id: call,
        query,
        source_as_of: desk.as_of,
        read_at,
        created_at: now(),
        searched_source_evidence_ids: found.whole,
        status: statusOf(found),
        result_count: found.matches,
      };
      return {
        status: "OK",
        content: { receipt: { ...receipt }, places: found.places, unread: found.unread },
        sources: [{ id: `receipt/${receipt.receipt_id}`, range: null }],
        outputs: [{ name: SEARCH, document: { ...receipt }, references: [] }],
      };
    },
  });
}

async function search(chosen: readonly EvidenceText[], wanted: string, signal: AbortSignal): Promise<Searched> {
  const found: Searched = { places: [], matches: 0, whole: [], unread: [] };
  let left = SEARCHED_MAX;
  for (const evidence of chosen) {
    signal.throwIfAborted();
    const { evidence_id, source_id } = evidence;
    const read = await readPayload(evidence);
    if ("code" in read) {
      found.unread.push({ evidence_id, code: read.code });
      continue;
    }
    const bound = Math.min(TEXT_MAX, left);
    const text = read.text.slice(0, bound);
    left -= text.length;
    for (const [index, line] of linesOf(text).entries()) {
      const count = occurrences(fold(line), wanted);
      if (count === 0) continue;
      found.matches += count;
      if (found.places.length >= PLACES_MAX) continue;
      found.places.push({ evidence_id, source_id, line: index + 1, excerpt: excerptOf(line, wanted) });
    }
    if (read.text.length > bound) found.unread.push({ evidence_id, code: "LONGER_THAN_THE_BOUND" });
    else found.whole.push(evidence_id);
  }
  return found;
}

/** What was not looked through whole leaves the question open, whatever was found elsewhere. */
function statusOf({ matches, whole, unread }: Searched): QueryReceipt["status"] {
  if (unread.length === 0) return matches > 0 ? "MATCH" : "NO_MATCH";
  if (whole.length > 0 || matches > 0 || unread.some(({ code }) => code === "LONGER_THAN_THE_BOUND")) return "PARTIAL";
  return unread.some(({ code }) => code === "FETCH_FAILED") ? "FETCH_FAILED" : "EXTRACTION_FAILED";
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().normalize("NFKC");
}

function occurrences(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count += 1;
  return count;
}

/** Around the first match, of the line as it stands; where folding moved characters, of the line's beginning. */
function excerptOf(line: string, wanted: string): string {
  const at = fold(line).length === line.length ? fold(line).indexOf(wanted) : 0;
  const from = Math.max(0, at - EXCERPT / 4);
  return line.slice(from, from + EXCERPT);
}
