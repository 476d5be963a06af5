/**
 * Step `peers`: adds what needs the rest of the peer group (rank, medians, a median line), and asks the gates that judge
 * before anything is drawn. A member whose own facts failed is absent from the group, not a reason to fail.
 */

import { TYPE_CONTRACTS } from "../../../templates/product-types/index.ts";
import { computeChart, computePeerFacts } from "../../facts/compute.ts";
import type { SuppliedEvidence } from "../../gates/evidence.ts";
import { foldVerdict, runGates } from "../../gates/run.ts";
import { type Fact, figureId } from "../../schema/fact.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { Dossier, InstrumentFacts } from "../../schema/step-documents.ts";
import { benchmarkOf, faultsOf, inputDigest, peersOf, type RunContext } from "../context.ts";
import { declaredSources } from "../declared.ts";
import { absentSessions, calendar, type MarketCalendar } from "./calendar.ts";
import { facts } from "./facts.ts";
import { type Recorded, stepKey } from "./step.ts";
import type { Workshop } from "./workshop.ts";

interface Member {
  instrument: Instrument;
  recorded: Recorded;
}

/** Under these inputs the dossier is found; own facts must be there, a failed member is left out. */
export function peersKey({ context }: Workshop, instrument: Instrument, members: Member[], sessions: Recorded) {
  return stepKey("peers", {
    code: context.code.peers,
    policy: context.policy.digest,
    own: inputDigest(context, instrument),
    members: members.map(({ instrument: member, recorded }) => [member.instrument, recorded.output]),
    calendar: sessions.output,
    declared: declaredSources(context, instrument),
    // A median line rests on the members' levels themselves.
    levels: needsPeerLevels(context, instrument)
      ? members.map(({ instrument: member }) => inputDigest(context, member))
      : [],
  });
}

export async function peers(shop: Workshop, instrument: Instrument): Promise<Recorded> {
  const members = await membersOf(shop, instrument);
  const marketDays = await calendar(shop, instrument.market);
  const id = { step: "peers" as const, instrument: instrument.instrument, locale: null };
  return shop.book.do(id, peersKey(shop, instrument, members, marketDays), async () => {
    const { context, book, observations } = shop;
    const documents = new Map<string, InstrumentFacts>();
    for (const { instrument: member, recorded } of members) {
      documents.set(member.instrument, await book.read<InstrumentFacts>(recorded));
    }
    const own = documents.get(instrument.instrument) as InstrumentFacts;
    const { sessions } = await book.read<MarketCalendar>(marketDays);
    const benchmark = benchmarkOf(context, instrument);
    const others = needsPeerLevels(context, instrument)
      ? members.map((member) => member.instrument).filter((member) => member.instrument !== instrument.instrument)
      : [];
    const inputs = await Promise.all([
      observations.inputsOf(context, instrument),
      benchmark === null ? null : observations.inputsOf(context, benchmark),
      Promise.all(others.map((member) => observations.inputsOf(context, member))),
    ]);
    const { all, chart } = await book.timed("facts", () => ({
      all: computePeerFacts(
        context.terms,
        instrument,
        own.facts,
        members.map(({ instrument: member }) => ({
          instrument: member,
          facts: (documents.get(member.instrument) as InstrumentFacts).facts,
        })),
      ),
      chart: computeChart(context.terms, inputs[0], inputs[1], inputs[2]),
    }));
    const document = await book.timed("gates", (): Dossier => {
      const evidence: Omit<SuppliedEvidence, "figures" | "comparison"> = {
        terms: {
          as_of: context.terms.as_of,
          cutoff: context.terms.cutoff[instrument.market],
          market: instrument.market,
          reporting_currency: context.terms.reporting_currency,
        },
        instrument,
        sources: declaredSources(context, instrument),
        faults: faultsOf(context, instrument),
        defects: own.defects,
        facts: all,
        moves: own.moves,
        absent_sessions: sessions === null ? null : absentSessions(own.sessions, sessions),
        cross_check: own.cross_check,
        metadata: own.metadata,
        tiles: tilesOf(instrument, all, context.policy.policy.thresholds.tiles.value),
        chart,
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
        chart,
        is_admitted: isAdmitted,
        decisions,
        verdict: foldVerdict(context.policy, stages, decisions).verdict,
      };
    });
    return { document };
  });
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

function needsPeerLevels(context: RunContext, instrument: Instrument): boolean {
  return benchmarkOf(context, instrument) === null && instrument.peer_group !== "";
}

/** The first headlines of the type's contract that are OK: what the card will show as tiles. */
function tilesOf(instrument: Instrument, all: readonly Fact[], wanted: number): string[] {
  const isOk = new Set(all.filter((fact) => fact.status === "OK").map(figureId));
  return TYPE_CONTRACTS[instrument.product_type].headlines.filter((figure) => isOk.has(figure)).slice(0, wanted);
}
