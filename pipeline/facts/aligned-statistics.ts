/**
 * beta.1y, correlation.1y and tracking_error.1y, of the returns between aligned pairs of product and benchmark. Under
 * 200 returns there are none; a series that never moves has no beta or correlation (FLAT_RANGE).
 */
import { type Decimal, decimal, mean, sampleDeviation, sum } from "../domain/decimal.ts";
import { isUnavailable, type Unavailable, unavailable } from "../domain/outcome.ts";
import type { Window } from "../domain/window.ts";
import { type Absent, defineFact, type FactDefinition, type Found } from "./fact.ts";
import type { SeriesContext } from "./select.ts";

const SESSIONS_PER_YEAR = 252;

interface Returns extends Omit<Found, "value"> {
  own: Decimal[];
  benchmark: Decimal[];
}

function returnsOf(series: SeriesContext, window: string): Returns | Unavailable {
  return series.once(`aligned returns ${window}`, () => {
    const pairs = series.aligned(window as Window);
    if (isUnavailable(pairs)) return pairs;
    const later = pairs.slice(1);
    return {
      own: later.map((pair, index) => pair.own.div(pairs[index]!.own).minus(1)),
      benchmark: later.map((pair, index) => pair.benchmark.level.div(pairs[index]!.benchmark.level).minus(1)),
      start: pairs[0]!.session,
      end: pairs.at(-1)!.session,
      evidence: [
        ...(series.totalReturn() as { evidence: readonly string[] }).evidence,
        ...pairs[0]!.benchmark.evidence,
      ],
    };
  });
}

function defineStatistic(
  id: string,
  statistic: (returns: Returns, series: SeriesContext) => Decimal | null,
): FactDefinition {
  return defineFact({
    id,
    version: 1,
    needs: [],
    compute(series, window): Found | Absent {
      const returns = returnsOf(series, window);
      if (isUnavailable(returns)) return returns;
      const value = statistic(returns, series);
      if (value === null) return unavailable("FLAT_RANGE");
      return { value, start: returns.start, end: returns.end, evidence: returns.evidence };
    },
  });
}

/** Sums of products of deviations; the divisor n − 1 cancels out of beta and correlation. */
function comoments({ own, benchmark }: Returns) {
  const ownMean = mean(own);
  const benchmarkMean = mean(benchmark);
  const one = own.map((value) => value.minus(ownMean));
  const other = benchmark.map((value) => value.minus(benchmarkMean));
  return {
    own: sum(one.map((value) => value.times(value))),
    benchmark: sum(other.map((value) => value.times(value))),
    both: sum(one.map((value, index) => value.times(other[index]!))),
  };
}

export const beta = defineStatistic("beta", (returns, series) => {
  const { benchmark, both } = series.once("comoments", () => comoments(returns));
  return benchmark.isZero() ? null : both.div(benchmark);
});

export const correlation = defineStatistic("correlation", (returns, series) => {
  const { own, benchmark, both } = series.once("comoments", () => comoments(returns));
  return own.isZero() || benchmark.isZero() ? null : both.div(own.times(benchmark).sqrt());
});

export const trackingError = defineStatistic("tracking_error", ({ own, benchmark }, { multiple }) => {
  const differences = own.map((value, index) => value.minus(multiple.times(benchmark[index]!)));
  return sampleDeviation(differences).times(decimal(SESSIONS_PER_YEAR).sqrt());
});
