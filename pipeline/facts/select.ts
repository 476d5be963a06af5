/**
 * Opens one product's series as the context that formulas read: chosen levels, windows, FX, the benchmark at a session.
 * What several facts share is computed once. Every absence is a coded reason. Pure.
 */
import { type DateText, daysBetween } from "../domain/date.ts";
import { type Decimal, decimal } from "../domain/decimal.ts";
import type { Market } from "../domain/instant.ts";
import { isUnavailable, type Unavailable, unavailable } from "../domain/outcome.ts";
import { anchorOf, type Window } from "../domain/window.ts";
import type { MetadataField, PriceBasis } from "../schema/batch.ts";
import type { Instrument } from "../schema/instrument.ts";
import type { DistributionSeries, MetadataRecord, Observations, SourceFault } from "../schema/observation.ts";
import { type AlignedPair, alignedPairs, type BenchmarkLevel, benchmarkLevel, type Comparison } from "./align.ts";
import {
  chooseBenchmark,
  chooseCloses,
  chooseDistributions,
  chooseTotalReturn,
  lacksDistributionFile,
  metadataOf,
  statedOf,
} from "./choose.ts";
import { type Found, firstAbsent } from "./fact.ts";
import { type FxRate, fxBetween } from "./fx.ts";
import { type Closes, indexOn, type Levels } from "./levels.ts";

/** The terms of a batch that facts depend on; a `Batch` is one. */
export interface BatchTerms {
  as_of: string;
  cutoff: Record<Market, DateText>;
  reporting_currency: string;
  /** Declared sources in batch order. */
  sources: readonly {
    id: string;
    contract: string;
    market?: string | undefined;
    produces?: string | undefined;
    basis?: unknown;
  }[];
}

export interface InstrumentInputs {
  instrument: Instrument;
  /** Of this instrument, in batch source order; FX series included. */
  series: readonly Observations[];
  faults: readonly SourceFault[];
}

/** Indices of the first and the last session of a window. */
export interface Span {
  start: number;
  end: number;
}

export const GAP_DAYS = 10;

export interface SeriesContext {
  readonly terms: BatchTerms;
  readonly instrument: Instrument;
  readonly cutoff: DateText;
  readonly series: readonly Observations[];
  readonly benchmark: InstrumentInputs | null;
  /** The exposure multiple m. */
  readonly multiple: Decimal;
  /** Closes of the first basis named that has a series which is not stale. */
  closes(...bases: PriceBasis[]): Closes | Unavailable;
  totalReturn(): Levels | Unavailable;
  /** The batch declares a source of distributions for the market, and it has no readable file for this product. */
  lacksDistributionFile(): boolean;
  distributions(basis: PriceBasis): DistributionSeries | Unavailable;
  span(levels: Levels, window: Window): Span | Unavailable;
  /** Reporting currency per unit of the instrument's. */
  fxToReporting(session: DateText): FxRate | Unavailable;
  benchmarkLevels(): Levels | Unavailable;
  benchmarkAt(session: DateText): BenchmarkLevel | Unavailable;
  aligned(window: Window): AlignedPair[] | Unavailable;
  /** What sources state of a field, in batch order. */
  stated(field: MetadataField): Found[];
  metadata(): MetadataRecord[];
  /** Computes once per product what several facts share. */
  once<T>(key: string, compute: () => T): T;
}

export function openSeries(
  terms: BatchTerms,
  self: InstrumentInputs,
  benchmark: InstrumentInputs | null,
): SeriesContext {
  const { instrument, series } = self;
  const cutoff = terms.cutoff[instrument.market];
  const known = new Map<string, unknown>();
  const once = <T>(key: string, compute: () => T): T => {
    if (!known.has(key)) known.set(key, compute());
    return known.get(key) as T;
  };
  const compare = (): Comparison | Unavailable => {
    const levels = context.benchmarkLevels();
    if (isUnavailable(levels)) return levels;
    const other = benchmark!.instrument;
    const isConverted = other.currency !== instrument.currency && !instrument.fx_hedged;
    const fx = isConverted ? fxBetween(series, other.currency, instrument.currency) : null;
    return { instrument, benchmark: other, levels, fx };
  };
  const comparison = () => once("comparison", compare);
  const reporting = () => once("fx", () => fxBetween(series, instrument.currency, terms.reporting_currency));
  const context: SeriesContext = {
    terms,
    instrument,
    cutoff,
    series,
    benchmark,
    multiple: decimal(instrument.exposure_multiple),
    once,
    closes: (...bases) => once(`closes ${bases.join()}`, () => chooseCloses(terms, self, bases)),
    totalReturn: () => once("total return", () => chooseTotalReturn(terms, self)),
    lacksDistributionFile: () => lacksDistributionFile(terms, self),
    distributions: (basis) => chooseDistributions(self, basis),
    span: (levels, window) =>
      once(`span ${levels.source_id} ${levels.basis} ${window}`, () => spanOf(levels, window, cutoff)),
    fxToReporting: (session) => reporting()(session),
    stated: (field) => statedOf(self, field),
    metadata: () => metadataOf(self),
    benchmarkLevels: () => once("benchmark levels", () => chooseBenchmark(terms, instrument, benchmark)),
    benchmarkAt: (session) => {
      const compared = comparison();
      return isUnavailable(compared) ? compared : benchmarkLevel(compared, session);
    },
    aligned: (window) =>
      once(`aligned ${window}`, () => {
        const own = context.totalReturn();
        const span = isUnavailable(own) ? own : context.span(own, window);
        const compared = comparison();
        if (isUnavailable(own) || isUnavailable(span) || isUnavailable(compared))
          return firstAbsent(own, span, compared);
        return alignedPairs(own, span, compared);
      }),
  };
  return context;
}

export interface SeriesBasis {
  source_id: string;
  basis: PriceBasis;
  adjusted_through: DateText | null;
  evidence: string[];
}

export function basisOf(levels: Levels | Unavailable): SeriesBasis | null {
  if (isUnavailable(levels)) return null;
  const { source_id, basis, adjusted_through, evidence } = levels;
  return { source_id, basis, adjusted_through, evidence: evidence.filter((id) => id !== "") };
}

/** Start session: the last on or before the anchor, which counts back from the cutoff date, not from the end session. */
export function spanOf(levels: Levels, window: Window, cutoff: DateText): Span | Unavailable {
  const end = levels.sessions.length - 1;
  const anchor = anchorOf(window, cutoff);
  const start = anchor === undefined ? end - 1 : indexOn(levels.sessions, anchor);
  if (start < 0) return unavailable("INSUFFICIENT_HISTORY");
  if (anchor !== undefined && daysBetween(levels.sessions[start]!, anchor) > GAP_DAYS)
    return unavailable("GAP_AT_START");
  return { start, end };
}
