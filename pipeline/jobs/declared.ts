/** Every declared file that can serve an instrument's card, present or not: its own, its benchmark's, and rates. */

import { readingContract } from "../collect/normalise.ts";
import type { DeclaredSource } from "../gates/evidence.ts";
import type { Source } from "../schema/batch.ts";
import type { Instrument } from "../schema/instrument.ts";
import { benchmarkOf, declaredKey, type RunContext } from "./context.ts";

const KINDS = {
  "csv-bars": "bars",
  "csv-distributions": "distributions",
  "csv-fx": "fx",
  "csv-nav": "nav",
  "csv-metadata": "metadata",
  "json-metadata": "metadata",
} as const;

export function declaredSources(context: RunContext, instrument: Instrument): DeclaredSource[] {
  const benchmark = benchmarkOf(context, instrument);
  const currencies = new Set([
    instrument.currency,
    context.terms.reporting_currency,
    benchmark?.currency ?? instrument.currency,
  ]);
  return context.frozen.batch.sources.flatMap((source): DeclaredSource[] => {
    const reading = readingContract(source);
    const kind = KINDS[reading.contract];
    if (reading.contract === "csv-fx") {
      const isNeeded = currencies.size > 1 && currencies.has(reading.pair.base) && currencies.has(reading.pair.quote);
      return isNeeded ? [declared(context, source, kind, "conversion", null)] : [];
    }
    const own = reading.market === instrument.market ? [declared(context, source, kind, "instrument", instrument)] : [];
    const others =
      benchmark !== null && reading.market === benchmark.market && (kind === "bars" || kind === "distributions")
        ? [declared(context, source, kind, "benchmark", benchmark)]
        : [];
    return [...own, ...others];
  });
}

function declared(
  context: RunContext,
  source: Source,
  kind: DeclaredSource["kind"],
  serves: DeclaredSource["serves"],
  instrument: Instrument | null,
): DeclaredSource {
  const reading = readingContract(source);
  const isPerInstrument = "files" in reading && reading.files.includes("{ticker}");
  const found =
    context.declared.get(declaredKey(source.id, instrument?.instrument ?? null)) ??
    context.declared.get(declaredKey(source.id, null));
  const paysNothing =
    reading.contract === "csv-distributions" && instrument !== null && reading.pays_nothing.includes(instrument.ticker);
  const mayBeAbsent = "missing_file" in reading && reading.missing_file === "skip";
  return {
    source_id: source.id,
    kind,
    serves,
    is_required: !(mayBeAbsent || paysNothing) && (isPerInstrument || instrument !== null || kind === "fx"),
    rights: source.rights,
    currency: "currency" in reading ? reading.currency : null,
    bases: basesOf(reading),
    adjusted_through: reading.contract === "csv-bars" ? (reading.adjusted_through ?? null) : null,
    declared_fields: "fields" in reading ? (Object.keys(reading.fields) as DeclaredSource["declared_fields"]) : [],
    version:
      found === undefined
        ? null
        : {
            evidence_id: found.evidence_id,
            first_usable_at: found.version.first_usable_at,
            quality_state: found.version.quality_state,
          },
  };
}

function basesOf(reading: ReturnType<typeof readingContract>): DeclaredSource["bases"] {
  if (reading.contract === "csv-bars") {
    return [reading.basis.close, reading.basis.adjusted_close].filter((basis) => basis !== undefined);
  }
  return reading.contract === "csv-nav" ? [reading.basis.close] : [];
}
