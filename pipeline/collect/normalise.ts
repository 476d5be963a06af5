/** Frozen bytes to observations, under the contract of their source. Pure: the same bytes and terms say the same always. */
import type { Source } from "../schema/batch.ts";
import type { SourceVersion } from "../schema/evidence.ts";
import type { Instrument } from "../schema/instrument.ts";
import type { Observations } from "../schema/observation.ts";
import type { Adapter, ReadingContract } from "./adapter.ts";
import { ADAPTERS } from "./adapters.ts";
import { readAs } from "./synthetic.ts";

export interface FrozenBytes {
  source: Source;
  version: SourceVersion;
  evidence_id: string;
  bytes: Uint8Array;
  /** The batch's universe. */
  instruments: readonly Instrument[];
}

export function normalise({ source, version, evidence_id, bytes, instruments }: FrozenBytes): Observations[] {
  const reading = readingContract(source);
  // The registry pairs each contract with its adapter; TypeScript cannot follow the pair through a lookup.
  const adapter = ADAPTERS[reading.contract] as Adapter<ReadingContract>;
  return adapter.normalise(bytes, reading, {
    evidence_id,
    payload_sha256: version.payload_sha256,
    encoding: version.encoding,
    instrument: version.instrument,
    instruments,
  });
}

/** The contract that a source's bytes are read under: its own, or the CSV contract that synthetic bytes are made for. */
export function readingContract(source: Source): ReadingContract {
  return source.contract === "synthetic" ? readAs(source) : source;
}
