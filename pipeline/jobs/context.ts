/**
 * What every step of a run works on: the frozen batch, its policy, the store, and observations re-derived from frozen
 * payloads on demand. Built from the frozen batch's digest alone, so that any worker can rebuild it.
 */
import { readCausalEdge } from "../collect/causal.ts";
import { readResearch } from "../collect/research.ts";
import { digestOf, type Sha256 } from "../domain/digest.ts";
import type { BatchTerms } from "../facts/select.ts";
import type { LoadedPolicy } from "../gates/policy/load.ts";
import { registerOn } from "../lifecycle/causal-edge.ts";
import type { Source } from "../schema/batch.ts";
import type { CausalEdgeVersion } from "../schema/causal-edge.ts";
import type { SourceVersion } from "../schema/evidence.ts";
import type { FrozenBatch } from "../schema/frozen.ts";
import type { Instrument } from "../schema/instrument.ts";
import type { SourceFault } from "../schema/observation.ts";
import { type ResearchDefinition, sentencesOf } from "../schema/research.ts";
import type { ObjectStore } from "../store/objects.ts";
import type { CodeDigests } from "./code-digest.ts";

export interface Evidence {
  evidence_id: string;
  version: SourceVersion;
}

export interface RunContext {
  tenant: string;
  frozenDigest: Sha256;
  frozen: FrozenBatch;
  /** What of the request a figure can depend on: a changed title recomputes nothing. */
  terms: BatchTerms;
  policy: LoadedPolicy;
  code: CodeDigests;
  objects: ObjectStore;
  instruments: Map<string, Instrument>;
  sources: Map<string, Source>;
  /** Evidence that may be used: usable by as_of, and allowed for the channel's use (P1, P2). */
  eligible: Evidence[];
  byInstrument: Map<string, Evidence[]>;
  shared: Evidence[];
  faults: Map<string, SourceFault[]>;
  /** Sources of the market that every instrument's evidence is read in, in batch order. */
  sourceOrder: Map<string, number>;
  /** All evidence, eligible or not, by source id and instrument (empty for shared files). */
  declared: Map<string, Evidence>;
  /** The definition of each product that has one, with the digest of its bytes. */
  research: Map<string, { sha256: Sha256; definition: ResearchDefinition }>;
  /** The causal register as it stood on the day of as_of (in UTC). */
  causalEdges: CausalEdgeVersion[];
  /** Memory of `inputDigest`. */
  inputDigests: Map<string, Sha256>;
}

export function declaredKey(sourceId: string, instrument: string | null): string {
  return `${sourceId} ${instrument ?? ""}`;
}

export async function openContext(options: {
  tenant: string;
  frozenDigest: Sha256;
  objects: ObjectStore;
  code: CodeDigests;
  loadPolicy: (channel: string) => LoadedPolicy;
}): Promise<RunContext> {
  const { tenant, frozenDigest, objects, code } = options;
  const frozen = JSON.parse((await objects.get(frozenDigest)).toString("utf8")) as FrozenBatch;
  const policy = options.loadPolicy(frozen.batch.channel);
  const use = policy.policy.use;
  const eligible = frozen.evidence.filter(
    ({ version }) => version.first_usable_at <= frozen.batch.as_of && version.rights_state[use] === "ALLOW",
  );
  const faults = new Map<string, SourceFault[]>();
  for (const fault of frozen.faults) {
    const key = fault.instrument ?? "";
    faults.set(key, [...(faults.get(key) ?? []), fault]);
  }
  const byInstrument = new Map<string, Evidence[]>();
  for (const item of eligible) {
    const key = item.version.instrument;
    if (key !== null) byInstrument.set(key, [...(byInstrument.get(key) ?? []), item]);
  }
  const { as_of, cutoff, reporting_currency } = frozen.batch;
  const research = await Promise.all(
    (frozen.research ?? []).map(async ({ instrument, sha256, file }) => {
      const definition = readResearch(await objects.get(sha256), file);
      return [instrument, { sha256, definition }] as const;
    }),
  );
  const edges = (frozen.causal ?? []).map(async ({ sha256, file }) => readCausalEdge(await objects.get(sha256), file));
  return {
    tenant,
    frozenDigest,
    frozen,
    terms: { as_of, cutoff, reporting_currency, sources: frozen.batch.sources.map(termsOfSource) },
    policy,
    code,
    objects,
    instruments: new Map(frozen.instruments.map((instrument) => [instrument.instrument, instrument])),
    sources: new Map(frozen.batch.sources.map((source) => [source.id, source])),
    eligible,
    byInstrument,
    shared: eligible.filter(({ version }) => version.instrument === null),
    faults,
    declared: new Map(
      frozen.evidence.map((item) => [declaredKey(item.version.source_id, item.version.instrument), item]),
    ),
    research: new Map(research),
    causalEdges: registerOn(await Promise.all(edges), as_of.slice(0, 10)),
    inputDigests: new Map(),
    sourceOrder: new Map(frozen.batch.sources.map((source, index) => [source.id, index])),
  };
}

function termsOfSource(source: Source): BatchTerms["sources"][number] {
  return {
    id: source.id,
    contract: source.contract,
    ...("market" in source && source.market !== undefined ? { market: source.market } : {}),
    ...("produces" in source ? { produces: source.produces } : {}),
  };
}

export function benchmarkOf(context: RunContext, instrument: Instrument): Instrument | null {
  return instrument.benchmark === "" ? null : (context.instruments.get(instrument.benchmark) ?? null);
}

export function peersOf(context: RunContext, instrument: Instrument): Instrument[] {
  if (instrument.peer_group === "") return [instrument];
  return context.frozen.instruments.filter((other) => other.peer_group === instrument.peer_group);
}

/** Whether the chart's comparison line is the peers' median: only where no benchmark is named. */
export function needsPeerLevels(context: RunContext, instrument: Instrument): boolean {
  return benchmarkOf(context, instrument) === null && instrument.peer_group !== "";
}

/** What is declared for an instrument, as a digest: its row, its evidence, what it shares, and what was missing. */
export function inputDigest(context: RunContext, instrument: Instrument): Sha256 {
  let digest = context.inputDigests.get(instrument.instrument);
  if (digest === undefined) {
    digest = toInputDigest(context, instrument);
    context.inputDigests.set(instrument.instrument, digest);
  }
  return digest;
}

function toInputDigest(context: RunContext, instrument: Instrument): Sha256 {
  const own = context.byInstrument.get(instrument.instrument) ?? [];
  return digestOf("instrument_input", {
    row: instrument,
    terms: context.terms,
    evidence: [...own, ...sharedFor(context, instrument)].map((item) => item.evidence_id),
    pays_nothing: context.frozen.batch.sources
      .filter((source) => source.contract === "csv-distributions" && source.pays_nothing.includes(instrument.ticker))
      .map((source) => source.id),
    faults: faultsOf(context, instrument),
  });
}

export function sharedFor(context: RunContext, instrument: Instrument): Evidence[] {
  return context.shared.filter(({ version }) => {
    const source = context.sources.get(version.source_id);
    return (
      source !== undefined &&
      (!("market" in source) || source.market === undefined || source.market === instrument.market)
    );
  });
}

export function faultsOf(context: RunContext, instrument: Instrument): SourceFault[] {
  const concerns = (fault: SourceFault) => {
    // A row of the universe that names nobody is nobody's.
    if (fault.source_id === "universe" || fault.code === "RESEARCH_NAMES_NOBODY") return false;
    // A register that cannot be read whole is unknown to whoever says why, and nothing to the rest.
    if (fault.code.startsWith("CAUSAL_")) return namesAnEdge(context, instrument);
    const source = context.sources.get(fault.source_id);
    return (
      source === undefined ||
      !("market" in source) ||
      source.market === undefined ||
      source.market === instrument.market
    );
  };
  return [...(context.faults.get(instrument.instrument) ?? []), ...(context.faults.get("") ?? []).filter(concerns)];
}

function namesAnEdge(context: RunContext, { instrument }: Instrument): boolean {
  const research = context.research.get(instrument);
  return (
    research !== undefined &&
    sentencesOf(research.definition).some(({ sentence }) => sentence.causal_edge !== undefined)
  );
}

/** The batch's terms for one instrument, as gates are told them. */
export function gateTerms({ terms }: RunContext, { market }: Instrument) {
  const { as_of, cutoff, reporting_currency } = terms;
  return { as_of, cutoff: cutoff[market], market, reporting_currency };
}
