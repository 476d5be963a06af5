/**
 * What blocks a product's own series, asked of its finished facts alone, so that cards which compare with it can say so.
 * Not its verdict, which also weighs its peers, its page and the channel: dossiers rest on facts of others, never on
 * dossiers, so that there is no cycle.
 */
import { digestOf, type Sha256 } from "../../domain/digest.ts";
import type { Dependency, SuppliedEvidence } from "../../gates/evidence.ts";
import { runGates } from "../../gates/run.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { InstrumentFacts, SeriesNotes } from "../../schema/step-documents.ts";
import { faultsOf, gateTerms, type RunContext } from "../context.ts";
import { declaredSources } from "../declared.ts";
import type { Recorded } from "./step.ts";
import type { Workshop } from "./workshop.ts";

/** Gates that can block for what is wrong with the product itself, and need no peers. */
const OF_THE_SERIES = new Set([
  "registration",
  "evidence-present",
  "as-of",
  "identity",
  "freshness",
  "basis",
  "jumps",
  "side-series",
  "units",
  "periods",
]);

export interface Compared {
  instrument: Instrument;
  role: Dependency["role"];
  recorded: Recorded;
}

const digests = new WeakMap<RunContext, Map<string, Sha256>>();

/** Digest of what a series' verdict depends on beside the facts. */
export function seriesInput(context: RunContext, instrument: Instrument): Sha256 {
  const known = remembered(digests, context);
  const { instrument: id } = instrument;
  const digest =
    known.get(id) ??
    digestOf("series_input", { declared: ownSources(context, instrument), faults: ownFaults(context, instrument) });
  known.set(id, digest);
  return digest;
}

/** Of products whose total return stands in figures of others: one without any serves nobody. */
export async function dependenciesOf(shop: Workshop, compared: readonly Compared[]): Promise<Dependency[]> {
  const found = compared.map(async ({ instrument, role, recorded }): Promise<Dependency[]> => {
    const blocked_by = await blockedBy(shop, instrument, recorded);
    return blocked_by === null ? [] : [{ instrument: instrument.instrument, role, blocked_by }];
  });
  return (await Promise.all(found)).flat();
}

type BlockedBy = Dependency["blocked_by"] | null;
const verdicts = new WeakMap<RunContext, Map<string, Promise<BlockedBy>>>();

/** Null: it has no total return. Each product is asked once a process. */
function blockedBy(shop: Workshop, instrument: Instrument, recorded: Recorded): Promise<BlockedBy> {
  const known = remembered(verdicts, shop.context);
  const key = `${instrument.instrument} ${recorded.output}`;
  const verdict = known.get(key) ?? judgeSeries(shop, instrument, recorded);
  known.set(key, verdict);
  verdict.catch(() => known.delete(key));
  return verdict;
}

async function judgeSeries(shop: Workshop, instrument: Instrument, recorded: Recorded): Promise<BlockedBy> {
  const { context, book } = shop;
  const own = await book.read<InstrumentFacts>(recorded);
  if (!own.facts.some(({ fact, status }) => fact === "total_return" && status === "OK")) return null;
  const { moves, side_series } = await book.open<SeriesNotes>(own.notes);
  const evidence: Partial<SuppliedEvidence> = {
    terms: gateTerms(context, instrument),
    instrument,
    sources: ownSources(context, instrument),
    faults: ownFaults(context, instrument),
    defects: own.defects,
    facts: own.facts,
    moves,
    side_series,
    metadata: own.metadata,
  };
  const policy = {
    ...context.policy.policy,
    gates: context.policy.policy.gates.filter(({ gate }) => OF_THE_SERIES.has(gate)),
  };
  return book.timed("gates", () =>
    (["admission", "data"] as const)
      .flatMap((stage) => runGates({ ...context.policy, policy, instrument: instrument.instrument, stage, evidence }))
      .flatMap(({ findings }) => findings)
      .filter(({ severity }) => severity === "BLOCK")
      .map(({ code, detail }) => ({ code, detail })),
  );
}

/** Its own files and rates: what it is compared with is no part of its series. */
function ownSources(context: RunContext, instrument: Instrument) {
  return declaredSources(context, { ...instrument, benchmark: "" });
}

/** Faults of its row and its files, not of what is written about it. */
function ownFaults(context: RunContext, instrument: Instrument) {
  return faultsOf(context, instrument).filter(
    ({ source_id }) => source_id === "universe" || context.sources.has(source_id),
  );
}

function remembered<T>(store: WeakMap<RunContext, Map<string, T>>, context: RunContext): Map<string, T> {
  const known = store.get(context) ?? new Map<string, T>();
  store.set(context, known);
  return known;
}
