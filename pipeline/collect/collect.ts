/**
 * Freezes what a batch declares, before any of it is read: shared files, and each instrument's own. A file that cannot be
 * had is a coded fault of its instrument (of the source where it serves many) and the rest goes on; a store that cannot
 * keep bytes stops everything. Nothing is parsed here: `normalise` reads the frozen bytes.
 */
import { AssayError } from "../domain/outcome.ts";
import type { Batch, Source, SyntheticSource } from "../schema/batch.ts";
import type { Instrument } from "../schema/instrument.ts";
import type { DistributionSeries, SourceFault } from "../schema/observation.ts";
import { payingNothing } from "./csv-distributions.ts";
import { type FrozenEvidence, freeze, type ObjectSink } from "./freeze.ts";
import { inParallel } from "./parallel.ts";
import {
  CSV_LIMITS,
  JSON_LIMITS,
  type Limits,
  type Roots,
  readPayloadFile,
  realRoots,
  resolveWithin,
} from "./payload-file.ts";
import { synthesise } from "./synthetic.ts";

export interface CollectTerms {
  tenant: string;
  folder: string;
  batch: Batch;
  /** The whole universe, also when one instrument is frozen: invented series depend on each other. */
  instruments: readonly Instrument[];
  allowRoots: readonly string[];
  objects: ObjectSink;
}

export interface Frozen {
  evidence: FrozenEvidence[];
  faults: SourceFault[];
}

export interface Collector {
  /** Files that serve many instruments: rates, metadata. */
  freezeShared(): Promise<Frozen>;
  /** One instrument's own files. */
  freezeInstrument(instrument: string): Promise<Frozen>;
}

const WIDTH = 8;

export async function collect(
  terms: CollectTerms & { onProgress?: (done: number, of: number) => void },
): Promise<Frozen> {
  const collector = await openCollector(terms);
  const of = terms.instruments.length + 1;
  let done = 0;
  const steps = [
    () => collector.freezeShared(),
    ...terms.instruments.map(
      ({ instrument }) =>
        () =>
          collector.freezeInstrument(instrument),
    ),
  ];
  const parts = await inParallel(steps, WIDTH, async (step) => {
    const part = await step();
    done += 1;
    terms.onProgress?.(done, of);
    return part;
  });
  return together(parts);
}

export async function openCollector(terms: CollectTerms): Promise<Collector> {
  const roots = await realRoots(terms.folder, terms.allowRoots);
  const invented = inventor(terms.instruments);
  const freezeOne = (source: Source, instrument: Instrument | null) =>
    freezeFile(source, instrument, terms, roots, invented);
  return {
    async freezeShared() {
      const shared = terms.batch.sources.filter((source) => !isPerInstrument(source));
      return together(await inParallel(shared, WIDTH, (source) => freezeOne(source, null)));
    },
    async freezeInstrument(id) {
      const instrument = terms.instruments.find((one) => one.instrument === id);
      if (instrument === undefined) throw new AssayError("INSTRUMENT_UNKNOWN", `${id} is not in the universe`);
      const own = terms.batch.sources.filter((source) => serves(source, instrument));
      return together(await Promise.all(own.map((source) => freezeOne(source, instrument))));
    },
  };
}

/** Series that stand for a source's word that an instrument pays nothing. No file was read for them. */
export function withoutPayouts(batch: Batch, instrument: Instrument): DistributionSeries[] {
  return batch.sources.flatMap((source) =>
    source.contract === "csv-distributions" && paysNothing(source, instrument)
      ? [payingNothing(source, instrument.instrument)]
      : [],
  );
}

function isPerInstrument(source: Source): boolean {
  if (source.contract === "synthetic") return ["bars", "distributions", "nav"].includes(source.produces);
  return source.contract === "csv-bars" || source.contract === "csv-distributions" || source.contract === "csv-nav";
}

function serves(source: Source, instrument: Instrument): boolean {
  return isPerInstrument(source) && "market" in source && source.market === instrument.market;
}

function paysNothing(source: Source, { market, ticker }: Instrument): boolean {
  return source.contract === "csv-distributions" && source.market === market && source.pays_nothing.includes(ticker);
}

async function freezeFile(
  source: Source,
  instrument: Instrument | null,
  terms: CollectTerms,
  roots: Roots,
  invented: (source: SyntheticSource) => Map<string, Uint8Array>,
): Promise<Frozen> {
  const owner = instrument?.instrument ?? null;
  const locator = locatorOf(source, instrument);
  let locatorPath: string | null = null;
  let bytes: Uint8Array | undefined;
  try {
    if (source.contract === "synthetic") bytes = invented(source).get(owner ?? "");
    else {
      locatorPath = await resolveWithin(locator, roots);
      bytes = await readPayloadFile(locator, locatorPath, limitsOf(source));
    }
  } catch (fault) {
    if (!(fault instanceof AssayError)) throw fault;
    if (fault.code === "FILE_MISSING") return { evidence: [], faults: missing(source, instrument, locator) };
    const { code, message, hint = "" } = fault;
    return { evidence: [], faults: [{ source_id: source.id, instrument: owner, code, detail: message, hint }] };
  }
  if (bytes === undefined) return { evidence: [], faults: missing(source, instrument, locator) };
  // Outside the try: a store that fails is no fault of this file.
  const payload = { source, instrument: owner, locator, locatorPath, bytes };
  return { evidence: [await freeze(payload, terms.tenant, terms.objects)], faults: [] };
}

function missing(source: Source, instrument: Instrument | null, locator: string): SourceFault[] {
  if ("missing_file" in source && source.missing_file === "skip") return [];
  // Nothing is owed for what pays nothing; a file that is there all the same is read, since it may say otherwise.
  if (instrument !== null && paysNothing(source, instrument)) return [];
  const isPayouts =
    source.contract === "csv-distributions" || (source.contract === "synthetic" && source.produces === "distributions");
  return [
    {
      source_id: source.id,
      instrument: instrument?.instrument ?? null,
      code: isPayouts ? "SOURCE_MISSING" : "EVIDENCE_MISSING",
      detail: `${locator} is not there`,
      hint: isPayouts
        ? "supply the file, or list the product under pays_nothing if it makes no distributions"
        : "supply the file, correct `files` in batch.yaml, or declare `missing_file: skip`",
    },
  ];
}

function locatorOf(source: Source, instrument: Instrument | null): string {
  if (source.contract === "synthetic") return `synthetic:${source.id}/${instrument?.ticker ?? source.produces}.csv`;
  const pattern = "files" in source ? source.files : source.file;
  return instrument === null ? pattern : pattern.replaceAll("{ticker}", () => instrument.ticker);
}

function limitsOf(source: Source): Limits {
  return source.contract === "json-metadata" ? JSON_LIMITS : CSV_LIMITS;
}

/** A synthetic source is made once for the whole universe, and then served by instrument. */
function inventor(instruments: readonly Instrument[]): (source: SyntheticSource) => Map<string, Uint8Array> {
  const made = new Map<string, Map<string, Uint8Array>>();
  return (source) => {
    const known = made.get(source.id) ?? synthesise(source, [...instruments]);
    made.set(source.id, known);
    return known;
  };
}

function together(parts: readonly Frozen[]): Frozen {
  return { evidence: parts.flatMap(({ evidence }) => evidence), faults: parts.flatMap(({ faults }) => faults) };
}
