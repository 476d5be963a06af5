/** Figures of every product of the demonstration batch, computed once for the laws of the composer: no database, no page. */
import { readdirSync, readFileSync } from "node:fs";
import { readCausalEdge } from "../../pipeline/collect/causal.ts";
import { withoutPayouts } from "../../pipeline/collect/collect.ts";
import { readResearch } from "../../pipeline/collect/research.ts";
import type { Product } from "../../pipeline/compose/rules/rule.ts";
import { computeFacts, computePeerFacts } from "../../pipeline/facts/compute.ts";
import type { BatchTerms } from "../../pipeline/facts/select.ts";
import { registerOn } from "../../pipeline/lifecycle/causal-edge.ts";
import type { CausalEdgeVersion } from "../../pipeline/schema/causal-edge.ts";
import { type Fact, figureId } from "../../pipeline/schema/fact.ts";
import type { Instrument } from "../../pipeline/schema/instrument.ts";
import type { ResearchDefinition } from "../../pipeline/schema/research.ts";
import { readInvented } from "../collect/invented.ts";

export interface DemoProduct {
  instrument: Instrument;
  benchmark: Instrument | null;
  facts: ReadonlyMap<string, Fact>;
  research: ResearchDefinition | null;
}

export const NOW = "2026-08-31T00:00:00.000Z";
const BATCH = new URL("../../batches/demo-2026-08-28/", import.meta.url);
const FOLDER = new URL("research/", BATCH);

/** The demonstration's causal register as it stood. */
export function demoEdges(): CausalEdgeVersion[] {
  const folder = new URL("causal/", BATCH);
  const edges = readdirSync(folder).map((file) => readCausalEdge(readFileSync(new URL(file, folder)), file));
  return registerOn(edges, NOW.slice(0, 10));
}

export function productOf({ instrument, benchmark }: DemoProduct): Product {
  const { market, product_type, peer_group, fx_hedged } = instrument;
  return {
    instrument: instrument.instrument,
    market,
    product_type,
    peer_group,
    fx_hedged,
    is_in_reporting_currency: instrument.currency === "KRW",
    is_compared_at_home: benchmark?.market === market,
  };
}

export async function demoProducts(): Promise<DemoProduct[]> {
  const { request, observations } = await readInvented("demo-2026-08-28");
  const { batch, instruments } = request;
  const order = new Map(batch.sources.map(({ id }, index) => [id, index]));
  const terms: BatchTerms = {
    as_of: batch.as_of,
    cutoff: batch.cutoff,
    reporting_currency: batch.reporting_currency,
    sources: batch.sources.map((source) => ({
      id: source.id,
      contract: source.contract,
      ...("market" in source && source.market !== undefined ? { market: source.market } : {}),
      ...("produces" in source ? { produces: source.produces } : {}),
    })),
  };
  const inputs = new Map(
    instruments.map((instrument) => [
      instrument.instrument,
      {
        instrument,
        series: observations
          .filter((series) => !("instrument" in series) || series.instrument === instrument.instrument)
          .concat(withoutPayouts(batch, instrument))
          .sort((one, other) => order.get(one.source_id)! - order.get(other.source_id)!),
        faults: [],
      },
    ]),
  );
  const own = new Map(
    instruments.map(({ instrument, benchmark }) => [
      instrument,
      computeFacts(terms, inputs.get(instrument)!, inputs.get(benchmark) ?? null).facts,
    ]),
  );
  const research = new Map(
    readdirSync(FOLDER).map((file) => {
      const definition = readResearch(readFileSync(new URL(file, FOLDER)), file);
      return [definition.instrument, definition];
    }),
  );
  return instruments.map((instrument) => {
    const group = instruments.filter(({ peer_group }) => peer_group === instrument.peer_group && peer_group !== "");
    const members = (group.length === 0 ? [instrument] : group).map((member) => ({
      instrument: member,
      facts: own.get(member.instrument)!,
    }));
    const all = computePeerFacts(terms, instrument, own.get(instrument.instrument)!, members);
    return {
      instrument,
      benchmark: instruments.find((other) => other.instrument === instrument.benchmark) ?? null,
      facts: new Map(all.map((fact) => [figureId(fact), fact])),
      research: research.get(instrument.instrument) ?? null,
    };
  });
}
