/**
 * The series beside the closes, for the jump rules: moves of each exchange rate and net asset value that the facts use,
 * premiums, payouts in parts of the price. Of each only the ten that are farthest from usual. Judges nothing.
 */
import { addDays, type DateText } from "../domain/date.ts";
import { type Decimal, decimal, toText } from "../domain/decimal.ts";
import { isUnavailable } from "../domain/outcome.ts";
import type { SideSeries } from "../schema/fact.ts";
import type { DistributionSeries, FxSeries } from "../schema/observation.ts";
import { chooseFx, FX_DAYS, ratesOf } from "./fx.ts";
import { indexOn, type Levels } from "./levels.ts";
import { firstSession } from "./moves.ts";
import { AVERAGE_SESSIONS, navPairs } from "./premium.ts";
import type { SeriesContext } from "./select.ts";

const SHOWN = 10;

interface Entry {
  on: DateText;
  above: Decimal;
  below: Decimal;
}

export function computeSideSeries(series: SeriesContext): SideSeries[] {
  const chosen = [series.closes("split_adjusted", "as_traded"), series.totalReturn()].filter(
    (levels): levels is Levels => !isUnavailable(levels),
  );
  const from = firstSession(series, chosen) ?? series.cutoff;
  return [
    ...usedRates(series).map((rates) => rateMoves(rates, addDays(from, -FX_DAYS), series.cutoff)),
    ...assetValues(series),
    ...payouts(series, from),
  ];
}

function usedRates({ instrument, benchmark, series, terms }: SeriesContext): FxSeries[] {
  const pairs = [[instrument.currency, terms.reporting_currency]];
  if (benchmark !== null && !instrument.fx_hedged) pairs.push([benchmark.instrument.currency, instrument.currency]);
  const used = pairs.flatMap(([base, quote]) => (base === quote ? [] : (chooseFx(series, base!, quote!) ?? [])));
  return [...new Set(used)];
}

function rateMoves(series: FxSeries, from: DateText, to: DateText): SideSeries {
  const { dates, rate } = ratesOf(series);
  const entries: Entry[] = [];
  for (let index = Math.max(1, indexOn(dates, from)); index <= indexOn(dates, to); index++) {
    entries.push({ on: dates[index]!, above: rate(index), below: rate(index - 1) });
  }
  return extremes("rate_move", series.source_id, entries, distance);
}

function assetValues(series: SeriesContext): SideSeries[] {
  const found = navPairs(series);
  if (isUnavailable(found)) return [];
  const rows = found.both.slice(-AVERAGE_SESSIONS - 1);
  const navs = rows.map(({ nav }) => decimal(nav!));
  const moves = rows.slice(1).map(({ session }, at) => ({ on: session, above: navs[at + 1]!, below: navs[at]! }));
  const premiums = rows.map(({ session, close }, at) => ({ on: session, above: decimal(close!), below: navs[at]! }));
  const { source_id } = found.source;
  return [
    extremes("nav_move", source_id, moves, distance),
    extremes("premium", source_id, premiums.slice(-AVERAGE_SESSIONS), distance),
  ];
}

/** Every file of payouts counts its own, since one may contradict another; shares are those of the file in use. */
function payouts(series: SeriesContext, from: DateText): SideSeries[] {
  const price = series.closes("split_adjusted", "as_traded");
  const used = isUnavailable(price) ? price : series.distributions(price.basis);
  const files = series.series.filter((one): one is DistributionSeries => one.kind === "distributions");
  return files.map((file): SideSeries => {
    const { source_id, rows, pays_nothing } = file;
    if (pays_nothing) return { kind: "pays_nothing", source_id, count: 0, extremes: [] };
    const paid = rows.filter(({ ex_date }) => ex_date <= series.cutoff);
    const entries = isUnavailable(price) || file !== used ? [] : sharesOf(paid, price, from);
    const share = ({ above, below }: Entry) => Number(above) / Number(below);
    return { ...extremes("payout", source_id, entries, share), count: paid.length };
  });
}

function sharesOf(rows: DistributionSeries["rows"], price: Levels, from: DateText): Entry[] {
  return rows.flatMap(({ ex_date, amount }) => {
    const before = indexOn(price.sessions, addDays(ex_date, -1));
    if (ex_date < from || before < 0) return [];
    return [{ on: ex_date, above: decimal(amount), below: price.level(before) }];
  });
}

/** Up or down alike. */
function distance({ above, below }: Entry): number {
  const ratio = Number(above) / Number(below);
  return ratio < 1 ? 1 / ratio : ratio;
}

function extremes(
  kind: SideSeries["kind"],
  source_id: string,
  entries: readonly Entry[],
  size: (entry: Entry) => number,
): SideSeries {
  const sized = entries.map((entry) => ({ entry, size: size(entry) }));
  sized.sort((one, other) => other.size - one.size || (one.entry.on < other.entry.on ? -1 : 1));
  const shown = sized.slice(0, SHOWN).map(({ entry: { on, above, below } }) => ({
    on,
    ratio: toText(above.div(below).toSignificantDigits(15)),
  }));
  return { kind, source_id, count: entries.length, extremes: shown };
}
