/**
 * A benchmark at a product's session: its last level whose closing instant is not later than that session's, converted
 * into the product's currency unless the product is hedged. Never a close that lies in the session's future.
 */
import { type DateText, daysBetween } from "../domain/date.ts";
import type { Decimal } from "../domain/decimal.ts";
import { closingInstant } from "../domain/instant.ts";
import { isUnavailable, type Unavailable, unavailable } from "../domain/outcome.ts";
import type { Instrument } from "../schema/instrument.ts";
import { firstAbsent } from "./fact.ts";
import type { FxReader } from "./fx.ts";
import { indexOn, type Levels } from "./levels.ts";

export const BENCHMARK_DAYS = 10;

export const RETURNS_MINIMUM = 200;

export interface BenchmarkLevel {
  level: Decimal;
  /** The benchmark's own session. */
  session: DateText;
  evidence: readonly string[];
}

export interface AlignedPair {
  session: DateText;
  own: Decimal;
  benchmark: BenchmarkLevel;
}

/** A product beside its benchmark: who they are, the benchmark's levels, and FX into the product's currency, if any. */
export interface Comparison {
  instrument: Instrument;
  benchmark: Instrument;
  levels: Levels;
  /** Null where levels are not converted: one currency, or a hedged product. */
  fx: FxReader | null;
}

export function benchmarkLevel(comparison: Comparison, session: DateText): BenchmarkLevel | Unavailable {
  const index = lastClosed(comparison, session);
  return index < 0 ? unavailable("INSUFFICIENT_HISTORY") : levelAt(comparison, session, index);
}

function levelAt({ levels, fx }: Comparison, session: DateText, index: number): BenchmarkLevel | Unavailable {
  const seen = levels.sessions[index]!;
  const rate = fx === null ? null : fx(session);
  if (isUnavailable(rate)) return rate;
  if (seen !== session && daysBetween(seen, session) > BENCHMARK_DAYS) return unavailable("BENCHMARK_STALE");
  const level = levels.level(index);
  if (rate === null) return { level, session: seen, evidence: levels.evidence };
  return { level: level.times(rate.rate), session: seen, evidence: [...levels.evidence, rate.evidence] };
}

/** Dates decide within a market; across markets the closing instants of the few sessions around the date do. */
function lastClosed({ instrument, benchmark, levels }: Comparison, session: DateText): number {
  const { sessions } = levels;
  let index = indexOn(sessions, session);
  if (instrument.market === benchmark.market) return index;
  const close = closingInstant(instrument.market, session);
  const next = sessions[index + 1];
  if (next !== undefined && closingInstant(benchmark.market, next) <= close) index++;
  while (index >= 0 && closingInstant(benchmark.market, sessions[index]!) > close) index--;
  return index;
}

/**
 * Pairs of the sessions in a span; one is kept only if its benchmark session differs from that of the pair kept before
 * it. Sessions before the benchmark's first level are skipped. A kept level that is too old or lacks FX fails them all,
 * and so do fewer than 200 returns: what is left of a window is not the window.
 */
export function alignedPairs(
  own: Levels,
  span: { start: number; end: number },
  comparison: Comparison,
): AlignedPair[] | Unavailable {
  const pairs: (AlignedPair | Unavailable)[] = [];
  let seen = -1;
  for (let index = span.start; index <= span.end; index++) {
    const session = own.sessions[index]!;
    const closed = lastClosed(comparison, session);
    if (closed < 0 || closed === seen) continue;
    seen = closed;
    const benchmark = levelAt(comparison, session, closed);
    pairs.push(isUnavailable(benchmark) ? benchmark : { session, own: own.level(index), benchmark });
  }
  const absent = pairs.filter(isUnavailable);
  if (pairs.length - 1 < RETURNS_MINIMUM) return firstAbsent(unavailable("INSUFFICIENT_HISTORY"), ...absent);
  return absent.length > 0 ? firstAbsent(...absent) : (pairs as AlignedPair[]);
}
