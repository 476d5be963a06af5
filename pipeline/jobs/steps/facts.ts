/** Step `facts`: exact figures of one instrument from its own evidence and its benchmark's; peers come later. */

import { readingContract } from "../../collect/normalise.ts";
import { computeChart, computeFacts } from "../../facts/compute.ts";
import type { Source } from "../../schema/batch.ts";
import type { Move } from "../../schema/fact.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { MetadataRecord, Observations } from "../../schema/observation.ts";
import type { InstrumentFacts, SeriesNotes } from "../../schema/step-documents.ts";
import { benchmarkOf, inputDigest, needsPeerLevels, sharedFor } from "../context.ts";
import { type Recorded, stepKey } from "./step.ts";
import type { Workshop } from "./workshop.ts";

export function factsKey({ context }: Workshop, instrument: Instrument) {
  const benchmark = benchmarkOf(context, instrument);
  return stepKey("facts", {
    code: context.code.facts,
    own: inputDigest(context, instrument),
    benchmark: benchmark === null ? null : inputDigest(context, benchmark),
  });
}

export function facts(shop: Workshop, instrument: Instrument): Promise<Recorded> {
  const id = { step: "facts" as const, instrument: instrument.instrument, locale: null };
  return shop.book.do(id, factsKey(shop, instrument), async () => {
    const { context, observations } = shop;
    const benchmark = benchmarkOf(context, instrument);
    const own = await observations.inputsOf(context, instrument);
    const other = benchmark === null ? null : await observations.inputsOf(context, benchmark);
    const { computed, chart } = await shop.book.timed("facts", () => ({
      computed: computeFacts(context.terms, own, other),
      chart: needsPeerLevels(context, instrument) ? null : computeChart(context.terms, own, other, []),
    }));
    const { moves, side_series } = computed;
    const notes: SeriesNotes = {
      schema: "series_notes/v1",
      instrument: instrument.instrument,
      moves,
      side_series,
      sessions: sessionsOf(moves),
    };
    const document: InstrumentFacts = {
      schema: "instrument_facts/v1",
      instrument: instrument.instrument,
      facts: computed.facts,
      notes: await shop.book.keep(notes),
      chart: chart === null ? null : await shop.book.keep(chart),
      cross_check: computed.cross_check,
      defects: own.series.flatMap((series) =>
        series.defects.map((defect) => ({ ...defect, source_id: series.source_id })),
      ),
      metadata: statedBy(shop, instrument, own.series.filter(isMetadata)),
    };
    return { document };
  });
}

/** One entry for each metadata file that serves the market; null where it does not list the product. */
function statedBy({ context }: Workshop, instrument: Instrument, records: readonly MetadataRecord[]) {
  return sharedFor(context, instrument)
    .map(({ version }) => version.source_id)
    .filter((id) => "fields" in readingContract(context.sources.get(id) as Source))
    .map((id) => ({ source_id: id, fields: records.find((record) => record.source_id === id)?.fields ?? null }));
}

function isMetadata(series: Observations): series is Extract<Observations, { kind: "metadata" }> {
  return series.kind === "metadata";
}

/** Every session of the longest window: the first is only the previous session of the first move. */
function sessionsOf(moves: readonly Move[]): string[] {
  const [first] = moves;
  return first === undefined ? [] : [first.previous_session, ...moves.map((move) => move.session)];
}
