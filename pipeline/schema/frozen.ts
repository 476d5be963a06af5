/** A batch after collection: the request, the universe bytes and every source version, all by digest. */
import type { Batch } from "./batch.ts";
import type { SourceVersion } from "./evidence.ts";
import type { Instrument } from "./instrument.ts";
import type { SourceFault } from "./observation.ts";

export interface FrozenBatch {
  schema: "frozen_batch/v1";
  tenant: string;
  batch: Batch;
  batch_sha256: string;
  universe_sha256: string;
  instruments: Instrument[];
  evidence: { evidence_id: string; version: SourceVersion }[];
  faults: SourceFault[];
  /** Definitions that may be used, by the digest of their bytes; absent where the request names no folder. */
  research?: { instrument: string; sha256: string; file: string }[];
  /** The causal register, later versions included; absent where the request names no folder. */
  causal?: { id: string; version: number; sha256: string; file: string }[];
}
