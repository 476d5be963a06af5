/**
 * The port of a source contract: bytes in, observations out. An adapter is pure and deterministic, reads no file and no
 * clock, and never throws over what a payload holds: a bad row is a defect of that row, an unreadable payload one defect.
 */
import type { Source, SyntheticSource } from "../schema/batch.ts";
import type { Instrument } from "../schema/instrument.ts";
import type { Observations } from "../schema/observation.ts";
import type { Encoding } from "./decode.ts";

/** A contract that bytes can be read under. A synthetic source's bytes are read under the CSV contract it names. */
export type ReadingContract = Exclude<Source, SyntheticSource>;

export interface ReadingContext {
  evidence_id: string;
  payload_sha256: string;
  encoding: Encoding;
  /** Owner of a per-instrument file; null for a file that serves many. */
  instrument: string | null;
  /** The batch's universe: who may be looked up in a file that serves many. */
  instruments: readonly Instrument[];
}

export interface Adapter<Contract extends ReadingContract> {
  contract: Contract["contract"];
  normalise(bytes: Uint8Array, source: Contract, context: ReadingContext): Observations[];
}

/** What every series says about where it comes from. */
export function provenance(source: ReadingContract, context: ReadingContext) {
  return { source_id: source.id, evidence_id: context.evidence_id, payload_sha256: context.payload_sha256 };
}
