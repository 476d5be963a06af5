/**
 * Step `peers`: adds what needs the rest of the peer group (rank, medians, a median line), and asks the gates that judge
 * before anything is drawn. A member whose own facts failed is absent from the group, not a reason to fail.
 */

import { TYPE_CONTRACTS } from "../../../templates/product-types/index.ts";
import { computeChart, computePeerFacts } from "../../facts/compute.ts";
import type { PageEvidenceKey, SuppliedEvidence } from "../../gates/evidence.ts";
import { foldVerdict, runGates } from "../../gates/run.ts";
import { type Chart, type Fact, figureId } from "../../schema/fact.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { Dossier, InstrumentFacts, SeriesNotes } from "../../schema/step-documents.ts";
import {
  benchmarkOf,
  faultsOf,
  gateTerms,
  inputDigest,
  needsPeerLevels,
  peersOf,
  type RunContext,
} from "../context.ts";
import { declaredSources } from "../declared.ts";
import { absentSessions, calendar, type MarketCalendar } from "./calendar.ts";
import { facts } from "./facts.ts";
import { type Compared, dependenciesOf, seriesInput } from "./series-verdict.ts";
import { type Recorded, stepKey } from "./step.ts";
import type { Workshop } from "./workshop.ts";

interface Member {
  instrument: Instrument;
  recorded: Recorded;
}

/** Under these inputs the dossier is found; own facts must be there, a failed member is left out. */
export function peersKey(
  { context }: Workshop,
  instrument: Instrument,
  members: Member[],
  sessions: Recorded,
  benchmark: Recorded | null,
) {
  return stepKey("peers", {
    code: context.code.peers,
    policy: context.policy.digest,
    own: inputDigest(context, instrument),
    members: members.map(({ instrument: member, recorded }) => [member.instrument, recorded.output]),
    calendar: sessions.output,
    compared: comparedWith(context, instrument, members, benchmark).map(({ instrument: other, role, recorded }) => [
      role,
      recorded.output,
      seriesInput(context, other),
    ]),
    declared: declaredSources(context, instrument),
    ...researchKey(context, instrument),
    // A median line rests on the members' levels themselves.
    levels: needsPeerLevels(context, instrument)
      ? members.map(({ instrument: member }) => inputDigest(context, member))
      : [],
  });
}

export async function peers(shop: Workshop, instrument: Instrument): Promise<Recorded> {
  const members = await membersOf(shop, instrument);
  const marketDays = await calendar(shop, instrument.market);
  const benchmark = await benchmarkFacts(shop, instrument);
  const id = { step: "peers" as const, instrument: instrument.instrument, locale: null };
  return shop.book.do(id, peersKey(shop, instrument, members, marketDays, benchmark), async () => {
    const { context, book } = shop;
    const documents = new Map<string, InstrumentFacts>();
    for (const { instrument: member, recorded } of members) {
      documents.set(member.instrument, await book.read<InstrumentFacts>(recorded));
    }
    const own = documents.get(instrument.instrument) as InstrumentFacts;
    const notes = await book.open<SeriesNotes>(own.notes);
    const { sessions } = await book.read<MarketCalendar>(marketDays);
    const all = computePeerFacts(
      context.terms,
      instrument,
      own.facts,
      members.map(({ instrument: member }) => ({
        instrument: member,
        facts: (documents.get(member.instrument) as InstrumentFacts).facts,
      })),
    );
    const chartDigest = needsPeerLevels(context, instrument)
      ? await chartWithPeers(shop, instrument, members)
      : own.chart;
    const chart = chartDigest === null ? null : await book.open<Chart>(chartDigest);
    const dependencies = await dependenciesOf(shop, comparedWith(context, instrument, members, benchmark));
    const document = await book.timed("gates", (): Dossier => {
      const evidence: Omit<SuppliedEvidence, PageEvidenceKey> = {
        terms: gateTerms(context, instrument),
        instrument,
        sources: declaredSources(context, instrument),
        faults: faultsOf(context, instrument),
        defects: own.defects,
        facts: all,
        moves: notes.moves,
        side_series: notes.side_series,
        dependencies,
        absent_sessions: sessions === null ? null : absentSessions(notes.sessions, sessions),
        cross_check: own.cross_check,
        metadata: own.metadata,
        tiles: tilesOf(instrument, all, context.policy.policy.thresholds.tiles.value),
        chart,
        research: context.research.get(instrument.instrument)?.definition ?? null,
        causal_edges: context.causalEdges,
      };
      const run = { ...context.policy, evidence, instrument: instrument.instrument };
      const admission = runGates({ ...run, stage: "admission" });
      const isAdmitted = foldVerdict(context.policy, ["admission"], admission).verdict !== "BLOCK";
      const decisions = isAdmitted ? [...admission, ...runGates({ ...run, stage: "data" })] : admission;
      const stages = isAdmitted ? (["admission", "data"] as const) : (["admission"] as const);
      return {
        schema: "dossier/v1",
        instrument: instrument.instrument,
        facts: all,
        chart: chartDigest,
        ...researchOf(context, instrument),
        is_admitted: isAdmitted,
        decisions,
        verdict: foldVerdict(context.policy, stages, decisions).verdict,
      };
    });
    return { document };
  });
}

/** The digest of the product's definition, where it has one. */
function researchOf(context: RunContext, { instrument }: Instrument): { research?: string } {
  const research = context.research.get(instrument);
  return research === undefined ? {} : { research: research.sha256 };
}

/** What of research and register a verdict depends on; empty for a batch without either. */
function researchKey(context: RunContext, instrument: Instrument) {
  const { causalEdges } = context;
  return { ...researchOf(context, instrument), ...(causalEdges.length === 0 ? {} : { causal_edges: causalEdges }) };
}

export async function membersOf(shop: Workshop, instrument: Instrument): Promise<Member[]> {
  const group = peersOf(shop.context, instrument);
  const settled = await Promise.allSettled(group.map((member) => facts(shop, member)));
  return group.flatMap((member, index) => {
    const result = settled[index] as PromiseSettledResult<Recorded>;
    if (result.status === "fulfilled") return [{ instrument: member, recorded: result.value }];
    if (member.instrument === instrument.instrument) throw result.reason;
    return [];
  });
}

/** Null: there is none, or it has no facts. */
async function benchmarkFacts(shop: Workshop, instrument: Instrument): Promise<Recorded | null> {
  const benchmark = benchmarkOf(shop.context, instrument);
  return benchmark === null ? null : facts(shop, benchmark).catch(() => null);
}

function comparedWith(
  context: RunContext,
  instrument: Instrument,
  members: readonly Member[],
  benchmark: Recorded | null,
): Compared[] {
  const other = benchmarkOf(context, instrument);
  const all: Compared[] = members.map((member) => ({ ...member, role: "peer" }));
  if (other !== null && benchmark !== null) all.unshift({ instrument: other, role: "benchmark", recorded: benchmark });
  const isFirst = (one: Compared, index: number) =>
    all.findIndex(({ instrument: same }) => same.instrument === one.instrument.instrument) === index;
  return all.filter((one, index) => one.instrument.instrument !== instrument.instrument && isFirst(one, index));
}

/** The chart of a product without a benchmark: its comparison line is the median of its peers' levels. */
async function chartWithPeers(
  shop: Workshop,
  instrument: Instrument,
  members: readonly Member[],
): Promise<string | null> {
  const { context, book, observations } = shop;
  const others = members.map((member) => member.instrument).filter((one) => one.instrument !== instrument.instrument);
  const own = await observations.inputsOf(context, instrument);
  const inputs = await Promise.all(others.map((member) => observations.inputsOf(context, member)));
  const chart = await book.timed("facts", () => computeChart(context.terms, own, null, inputs));
  return chart === null ? null : book.keep(chart);
}

/** The first headlines of the type's contract that are OK: what the card will show as tiles. */
function tilesOf(instrument: Instrument, all: readonly Fact[], wanted: number): string[] {
  const isOk = new Set(all.filter((fact) => fact.status === "OK").map(figureId));
  return TYPE_CONTRACTS[instrument.product_type].headlines.filter((figure) => isOk.has(figure)).slice(0, wanted);
}
