/**
 * Which of a product's observations a kind of fact rests on. Basis preference comes first, batch order second; a stale
 * series is passed over, a series in another currency is not the product's. Every absence is a coded reason.
 */
import { type DateText, daysBetween } from "../domain/date.ts";
import { firstReason, isUnavailable, type Reason, type Unavailable, unavailable } from "../domain/outcome.ts";
import type { MetadataField, PriceBasis } from "../schema/batch.ts";
import type { Instrument } from "../schema/instrument.ts";
import type { BarSeries, DistributionSeries, MetadataRecord, Observations } from "../schema/observation.ts";
import type { Found } from "./fact.ts";
import { type CloseColumn, type Closes, closesOf, type Levels, totalReturnIndex } from "./levels.ts";
import type { BatchTerms, InstrumentInputs } from "./select.ts";

export const STALE_DAYS = 5;

function barsOf({ instrument, series }: InstrumentInputs): BarSeries[] {
  return series.filter((one): one is BarSeries => one.kind === "bars" && one.currency === instrument.currency);
}

/** A column of a file at one basis; its levels are built only if it comes to them. */
interface Offer {
  series: BarSeries;
  column: CloseColumn;
  basis: PriceBasis;
}

/** By order of bases, then of sources. An unreadable file still has the bases that its source declares: it has no data. */
function offersOf(terms: BatchTerms, self: InstrumentInputs, bases: readonly PriceBasis[]): Offer[] {
  const bars = barsOf(self).map((series) => ({
    series,
    columns: isUnreadable(series) ? declaredBasis(terms, series.source_id) : series.basis,
  }));
  return bases.flatMap((basis) =>
    bars.flatMap(({ series, columns }): Offer[] => {
      if (columns.close === basis) return [{ series, column: "close", basis }];
      if (columns.adjusted_close === basis) return [{ series, column: "adjusted_close", basis }];
      return [];
    }),
  );
}

function isUnreadable({ defects }: Observations): boolean {
  return defects.some(({ code, row }) => code === "PAYLOAD_UNREADABLE" && row === null);
}

function declaredBasis(terms: BatchTerms, sourceId: string): { close?: unknown; adjusted_close?: unknown } {
  const basis = terms.sources.find(({ id }) => id === sourceId)?.basis;
  return typeof basis === "object" && basis !== null ? basis : {};
}

function firstFresh<T extends Levels>(
  offers: readonly Offer[],
  cutoff: DateText,
  build: (offer: Offer, closes: Closes) => T,
): T | Unavailable {
  const reasons: Reason[] = [];
  for (const offer of offers) {
    const closes = closesOf(offer.series, offer.column, offer.basis, cutoff);
    const end = closes.sessions.at(-1);
    if (end === undefined) reasons.push("NO_DATA");
    else if (daysBetween(end, cutoff) > STALE_DAYS) reasons.push("STALE");
    else return build(offer, closes);
  }
  return unavailable(reasons.length === 0 ? "BASIS_NOT_AVAILABLE" : firstReason(reasons));
}

export function chooseCloses(
  terms: BatchTerms,
  self: InstrumentInputs,
  bases: readonly PriceBasis[],
): Closes | Unavailable {
  if (barsOf(self).length === 0) return unavailable("SOURCE_MISSING");
  return firstFresh(offersOf(terms, self, bases), terms.cutoff[self.instrument.market], (_offer, closes) => closes);
}

export function chooseDistributions(self: InstrumentInputs, basis: PriceBasis): DistributionSeries | Unavailable {
  const { currency } = self.instrument;
  const all = self.series.filter((one): one is DistributionSeries => one.kind === "distributions" && isStatement(one));
  const declared = all.filter((one) => one.pays_nothing || one.currency === currency);
  if (declared.length === 0) return unavailable("SOURCE_MISSING");
  return declared.find((one) => one.pays_nothing || one.basis === basis) ?? unavailable("BASIS_NOT_AVAILABLE");
}

/**
 * Split-adjusted closes with distributions, then distribution-adjusted levels. Where the batch declares a distribution
 * source for the market and the file of a product with split-adjusted closes is missing, there is no total return: the
 * adjusted column must not paper over a hole that the batch calls an error.
 */
export function chooseTotalReturn(terms: BatchTerms, self: InstrumentInputs): Levels | Unavailable {
  const cutoff = terms.cutoff[self.instrument.market];
  if (barsOf(self).length === 0) return unavailable("SOURCE_MISSING");
  const split = offersOf(terms, self, ["split_adjusted"]);
  const adjusted = offersOf(terms, self, ["distribution_adjusted"]);
  const paid = chooseDistributions(self, "split_adjusted");
  if (!isUnavailable(paid)) {
    return firstFresh<Levels>([...split, ...adjusted], cutoff, ({ basis }, closes) =>
      basis === "split_adjusted" ? totalReturnIndex(closes, paid, cutoff) : closes,
    );
  }
  if (split.length > 0 && (lacksDistributionFile(terms, self) || adjusted.length === 0)) return paid;
  return firstFresh<Levels>(adjusted, cutoff, (_offer, closes) => closes);
}

/** A file whose every row is unusable does not say that nothing was paid. */
function isStatement(series: DistributionSeries): boolean {
  return !isUnreadable(series) && (series.rows.length > 0 || series.defects.length === 0);
}

export function lacksDistributionFile(terms: BatchTerms, self: InstrumentInputs): boolean {
  const isDeclared = terms.sources.some(
    (source) =>
      (source.contract === "csv-distributions" || source.produces === "distributions") &&
      (source.market === undefined || source.market === self.instrument.market),
  );
  return isDeclared && !self.series.some((one) => one.kind === "distributions" && isStatement(one));
}

/** A product that is its own benchmark, or names one that is not in the universe, has none. */
export function chooseBenchmark(terms: BatchTerms, instrument: Instrument, benchmark: InstrumentInputs | null) {
  if (instrument.benchmark === "" || benchmark === null) return unavailable("NO_BENCHMARK");
  if (benchmark.instrument.instrument === instrument.instrument) return unavailable("NO_BENCHMARK");
  return chooseTotalReturn(terms, benchmark);
}

/** The 1-year total return on each of the two bases, where a product has both: the one is a check of the other. */
export function bothTotalReturns(
  terms: BatchTerms,
  self: InstrumentInputs,
): { built: Levels; adjusted: Levels } | null {
  const cutoff = terms.cutoff[self.instrument.market];
  const built = chooseTotalReturn(terms, self);
  if (isUnavailable(built) || built.basis !== "split_adjusted") return null;
  const adjusted = firstFresh(offersOf(terms, self, ["distribution_adjusted"]), cutoff, (_offer, closes) => closes);
  return isUnavailable(adjusted) ? null : { built, adjusted };
}

export function metadataOf({ instrument, series }: InstrumentInputs): MetadataRecord[] {
  const mine = series.filter((one): one is MetadataRecord => one.kind === "metadata");
  return mine.filter((one) => one.instrument === instrument.instrument && one.fields.length > 0);
}

export function statedOf(self: InstrumentInputs, field: MetadataField): Found[] {
  return metadataOf(self).flatMap(({ source_id, evidence_id, retrieved_at, fields }) =>
    fields
      .filter((one) => one.field === field && one.value !== "")
      .slice(0, 1)
      .map(({ value, currency }) => ({
        value,
        start: null,
        end: null,
        evidence: [evidence_id],
        stated: { source_id, on: retrieved_at.slice(0, 10), currency },
      })),
  );
}
