/**
 * Observations of frozen payloads, read once per process and kept while they fit. A payload that turns out unreadable
 * yields no observations and a defect, never an exception that reaches another instrument.
 */
import { withoutPayouts } from "../collect/collect.ts";
import { normalise } from "../collect/normalise.ts";
import { AssayError } from "../domain/outcome.ts";
import type { Instrument } from "../schema/instrument.ts";
import type { Observations, SourceFault } from "../schema/observation.ts";
import { type Evidence, faultsOf, type RunContext, sharedFor } from "./context.ts";

/** Instruments at hand: ten years of one take about 5 MB with its levels. Benchmarks stay, being asked for most. */
const KEPT_INSTRUMENTS = 10;

export interface InstrumentInputs {
  instrument: Instrument;
  series: Observations[];
  faults: SourceFault[];
}

export class ObservationCache {
  /** Files that serve many instruments: rates and metadata. */
  readonly #shared = new Map<string, Promise<Observations[]>>();
  readonly #inputs = new Map<string, Promise<InstrumentInputs>>();
  readonly #kept: number;

  constructor(kept = KEPT_INSTRUMENTS) {
    this.#kept = kept;
  }

  /** Everything eligible that concerns one instrument, in batch order of sources, FX included. */
  inputsOf(context: RunContext, instrument: Instrument): Promise<InstrumentInputs> {
    const key = `${context.frozenDigest}/${instrument.instrument}`;
    return remember(this.#inputs, key, this.#kept, () => this.#gather(context, instrument));
  }

  async #gather(context: RunContext, instrument: Instrument): Promise<InstrumentInputs> {
    const evidence = [...(context.byInstrument.get(instrument.instrument) ?? []), ...sharedFor(context, instrument)];
    const read = await Promise.all(evidence.map((item) => this.observe(context, item)));
    const own = read
      .flat()
      .filter((series) => !("instrument" in series) || series.instrument === instrument.instrument)
      .concat(withoutPayouts(context.frozen.batch, instrument));
    const order = (series: Observations) => context.sourceOrder.get(series.source_id) ?? Number.MAX_SAFE_INTEGER;
    return { instrument, series: own.sort((a, b) => order(a) - order(b)), faults: faultsOf(context, instrument) };
  }

  /** Everything that one payload says. */
  observe(context: RunContext, item: Evidence): Promise<Observations[]> {
    if (item.version.instrument !== null) return readRows(context, item);
    return remember(this.#shared, item.evidence_id, Number.POSITIVE_INFINITY, () => readRows(context, item));
  }
}

async function readRows(context: RunContext, { evidence_id, version }: Evidence): Promise<Observations[]> {
  const source = context.sources.get(version.source_id);
  if (source === undefined) throw new AssayError("SOURCE_UNKNOWN", `no source ${version.source_id} in the batch`);
  const bytes = await context.objects.get(version.payload_sha256);
  return normalise({ source, version, evidence_id, bytes, instruments: context.frozen.instruments });
}

/** Keeps the most recently asked; a failure is not remembered. */
function remember<T>(cache: Map<string, Promise<T>>, key: string, kept: number, make: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known !== undefined) {
    cache.delete(key);
    cache.set(key, known);
    return known;
  }
  const made = make();
  cache.set(key, made);
  made.catch(() => cache.delete(key));
  if (cache.size > kept) cache.delete(cache.keys().next().value as string);
  return made;
}
