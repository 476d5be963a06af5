/** EvidenceEnvelope / SOURCE_VERSION: one version of one source's payload, with all its clocks and rights. */
import { z } from "zod";
import { RIGHTS } from "./batch.ts";

export const sourceVersionSchema = z.strictObject({
  schema: z.literal("source_version/v1"),
  tenant: z.string(),
  /** Source id within the batch, and the adapter that reads it. */
  source_id: z.string(),
  source_contract: z.string(),
  /** Digest of the source's contract document (columns, basis, unit, currency): the terms under which it is read. */
  contract_digest: z.string(),
  /** The file as the batch names it, with `{ticker}` filled in. Never an absolute path. */
  source_locator: z.string(),
  vendor: z.string(),
  /** Instrument that a per-instrument file belongs to; null for a file that serves many. */
  instrument: z.string().nullable(),
  payload_sha256: z.string(),
  payload_bytes: z.number().int(),
  media_type: z.string(),
  encoding: z.enum(["utf-8", "cp949", "euc-kr"]),
  /** Last date that the payload describes, where its first or last row says; else null. */
  observed_at: z.string().nullable(),
  published_at: z.string().nullable(),
  /** The later of publication and retrieval; `declared` when an operator stated it for a recorded file. */
  first_usable_at: z.string(),
  first_usable_basis: z.enum(["declared", "measured"]),
  retrieved_at: z.string(),
  revision_id: z.string(),
  supersedes: z.string().nullable(),
  quality_state: z.enum(["USABLE", "PARTIAL", "UNUSABLE"]),
  rights_state: z.strictObject({ internal: z.enum(RIGHTS), client_delivery: z.enum(RIGHTS) }),
  is_demonstration: z.boolean(),
});
/** `ingested_at` is kept beside the document (database, ledger), never in it: it would change every digest. */
export type SourceVersion = z.infer<typeof sourceVersionSchema>;
