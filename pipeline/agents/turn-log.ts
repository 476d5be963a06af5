/**
 * The port to where a run's journal is kept, opened for one run under a lease. Appending is all or nothing, durable once
 * resolved, and refused (RUN_FENCED) as soon as another worker has taken the run.
 */
import type { Sha256 } from "../domain/digest.ts";
import type { RunDocument, RunEntry } from "../schema/run-entry.ts";

export interface TurnLog {
  root_id: string;
  /** Token of the lease: grows with each worker that takes the run. */
  fence: number;
  /** All entries so far, in order. */
  read(): Promise<RunEntry[]>;
  append(entries: readonly RunEntry[], documents: readonly RunDocument[]): Promise<void>;
  /** Throws RUN_DOCUMENT_MISSING unless all are there. */
  documents(digests: readonly Sha256[]): Promise<Map<Sha256, unknown>>;
}
