/**
 * The lines of a card's chart as the catalogue defines them: total return rebased to 100, benchmark or peer median, and
 * drawdown, at the sessions that the named thinning keeps. Levels only; drawing is render's.
 */
import { type Decimal, toText, ZERO } from "../domain/decimal.ts";
import { isUnavailable } from "../domain/outcome.ts";
import { CHART_WINDOWS, type Window } from "../domain/window.ts";
import { PEER_MINIMUM, THINNING, THINNING_TARGET } from "../schema/catalogue.ts";
import type { Chart, ChartLine } from "../schema/fact.ts";
import { indexOn, type Levels, remember } from "./levels.ts";
import { medianOf } from "./peers.ts";
import { type BatchTerms, type InstrumentInputs, openSeries, type SeriesContext, type Span } from "./select.ts";

/** One line over the sessions of a window, by index from its start. `high` and `low`: the earliest extremes, or −1. */
interface Line {
  level(index: number): Decimal | undefined;
  high: number;
  low: number;
}

export function computeChart(
  terms: BatchTerms,
  self: InstrumentInputs,
  benchmark: InstrumentInputs | null,
  peers: readonly InstrumentInputs[],
): Chart | null {
  const series = openSeries(terms, self, benchmark);
  const own = series.totalReturn();
  if (isUnavailable(own)) return null;
  const window = CHART_WINDOWS.find((one) => !isUnavailable(series.span(own, one)));
  if (window === undefined) return null;
  const span = series.span(own, window) as Span;
  const sessions = own.sessions.slice(span.start, span.end + 1);
  const lines: [ChartLine["kind"], Line | null][] = [
    ["total_return", rebasedLine(sessions.map((_session, index) => own.level(span.start + index)))],
    ["benchmark", benchmarkLine(series, sessions)],
    ["peer_median", self.instrument.benchmark === "" ? peerMedian(terms, self, peers, window, sessions) : null],
    ["drawdown", drawdownLine(own, span)],
  ];
  const drawn = lines.filter((line): line is [ChartLine["kind"], Line] => line[1] !== null);
  const kept = keptIndices(
    sessions.length,
    drawn.map(([, line]) => line),
  );
  return {
    window,
    start_session: sessions[0]!,
    end_session: sessions.at(-1)!,
    thinning: THINNING,
    lines: drawn.map(([kind, line]) => ({
      kind,
      points: kept.flatMap((index) => {
        const level = line.level(index);
        return level === undefined ? [] : [{ session: sessions[index]!, level: toText(level) }];
      }),
    })),
  };
}

/** Level / first level × 100. Extremes are found on the levels themselves, so that only drawn points are divided. */
function rebasedLine(levels: (Decimal | undefined)[]): Line {
  const first = levels[0]!;
  return { level: (index) => levels[index]?.div(first).times(100), ...extremesOf(levels) };
}

function extremesOf(levels: readonly (Decimal | undefined)[]): { high: number; low: number } {
  let high = -1;
  let low = -1;
  levels.forEach((level, index) => {
    if (level === undefined) return;
    if (high < 0 || level.gt(levels[high]!)) high = index;
    if (low < 0 || level.lt(levels[low]!)) low = index;
  });
  return { high, low };
}

function benchmarkLine(series: SeriesContext, sessions: readonly string[]): Line | null {
  const levels = sessions.map((session) => {
    const found = series.benchmarkAt(session);
    return isUnavailable(found) ? undefined : found.level;
  });
  return levels[0] === undefined ? null : rebasedLine(levels);
}

const rebasedByLevels = new WeakMap<Levels, Map<string, Decimal[]>>();

/** A member's TRI / TRI at its own start session × 100, once per series however many peers ask. */
function rebasedMember(levels: Levels, { start, end }: Span): Decimal[] {
  return remember(rebasedByLevels, levels, `${start} ${end}`, () => {
    const first = levels.level(start);
    const line: Decimal[] = [];
    for (let index = start; index <= end; index++) line.push(levels.level(index).div(first).times(100));
    return line;
  });
}

function peerMedian(
  terms: BatchTerms,
  self: InstrumentInputs,
  peers: readonly InstrumentInputs[],
  window: Window,
  sessions: readonly string[],
): Line | null {
  const { instrument, market, peer_group } = self.instrument;
  if (peer_group === "") return null;
  const members = peers
    .filter((peer) => peer.instrument.market === market && peer.instrument.peer_group === peer_group)
    .filter((peer) => peer.instrument.instrument !== instrument)
    .flatMap((peer) => {
      const context = openSeries(terms, peer, null);
      const levels = context.totalReturn();
      const span = isUnavailable(levels) ? levels : context.span(levels, window);
      return isUnavailable(levels) || isUnavailable(span) ? [] : [{ levels, span, line: rebasedMember(levels, span) }];
    });
  if (members.length < PEER_MINIMUM) return null;
  const medians = sessions.map((session) => {
    const values = members.flatMap(({ levels, span, line }) => {
      const index = indexOn(levels.sessions, session);
      if (index < 0) return [];
      return [line[index - span.start] ?? levels.level(index).div(levels.level(span.start)).times(100)];
    });
    return values.length < PEER_MINIMUM ? undefined : medianOf(values);
  });
  return { level: (index) => medians[index], ...extremesOf(medians) };
}

/** The first session stands at its own peak, so it is the highest; only a new low under a peak can be the lowest. */
function drawdownLine(levels: Levels, { start, end }: Span): Line {
  const peaks: number[] = [];
  let peak = start;
  let lowest = start;
  let low = 0;
  let depth = ZERO;
  for (let index = start; index <= end; index++) {
    const level = levels.level(index);
    if (level.gt(levels.level(peak))) {
      peak = index;
      lowest = index;
    } else if (level.lt(levels.level(lowest))) {
      lowest = index;
      const fall = fallTo(level, levels.level(peak));
      if (fall.lt(depth)) {
        depth = fall;
        low = index - start;
      }
    }
    peaks.push(peak);
  }
  const at = (index: number) =>
    levels
      .level(start + index)
      .div(levels.level(peaks[index]!))
      .minus(1);
  return { level: at, high: 0, low };
}

/** Rounded, so that equal falls from different peaks are equal. */
function fallTo(level: Decimal, peak: Decimal): Decimal {
  return level.div(peak).minus(1).toDP(30);
}

/** every-nth/v1: every n-th from the first, the last, and each line's earliest highest and earliest lowest. */
function keptIndices(count: number, lines: readonly Line[]): number[] {
  const every = Math.ceil(count / THINNING_TARGET);
  const kept = new Set<number>([count - 1]);
  for (let index = 0; index < count; index += every) kept.add(index);
  for (const { high, low } of lines) if (high >= 0) kept.add(high).add(low);
  return [...kept].sort((one, other) => one - other);
}
