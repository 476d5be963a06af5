/**
 * That a query was run and what it returned. It supports that result only: never domain evidence, never an input of a
 * calculation. "Not found" is not "absent" unless the search looked at what it says, completed, and found nothing.
 */
import { z } from "zod";

const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export const queryReceiptSchema = z.strictObject({
  schema: z.literal("query_receipt/v1"),
  receipt_id: z.string(),
  call_id: z.string(),
  query: z.string().max(400),
  source_as_of: instant,
  /** The read of the last input; each use comes after `created_at`. */
  read_at: instant,
  created_at: instant,
  searched_source_evidence_ids: z.array(z.string()),
  status: z.enum(["MATCH", "NO_MATCH", "PARTIAL", "FETCH_FAILED", "EXTRACTION_FAILED"]),
  result_count: z.number().int().min(0),
});
export type QueryReceipt = z.infer<typeof queryReceiptSchema>;

/** A receipt as a batch's documents keep it: without its clock, which is today's. */
export type SearchRecord = Omit<QueryReceipt, "schema" | "read_at" | "created_at"> & {
  schema: "search_record/v1";
  /** What was searched was read before the receipt was created. */
  in_order: boolean;
};

export function toSearchRecord({ read_at, created_at, ...facts }: QueryReceipt): SearchRecord {
  return { ...facts, schema: "search_record/v1", in_order: read_at <= created_at };
}

/** What a search hands in: a record of work, and no result that a task could end with. */
export const SEARCH = "record:search";
