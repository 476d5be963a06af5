/**
 * The `synthetic` source: seeded, invented files that are frozen and read like any vendor's CSV. Sources with one seed
 * and one `to` describe one world; `from` only cuts it. `instruments` is the whole universe of the batch (a fund's path
 * needs its benchmark's, in whichever market); files come out for those of the source's market. No clock, no I/O.
 */
import { fromDays } from "../domain/date.ts";
import { AssayError } from "../domain/outcome.ts";
import type { SyntheticSource } from "../schema/batch.ts";
import type { Instrument } from "../schema/instrument.ts";
import { type BarTerms, barLine, navLine, rowsOf, splitScale } from "./synthetic/bars.ts";
import { assertPlantable, defectsOf, plant } from "./synthetic/defects.ts";
import { metadataLines } from "./synthetic/metadata.ts";
import {
  BAR_COLUMNS,
  currencyOf,
  DISTRIBUTION_COLUMNS,
  FX_COLUMNS,
  marketOf,
  NAV_COLUMNS,
  pairOf,
} from "./synthetic/reading.ts";
import { type World, worldOf } from "./synthetic/world.ts";
import { csvLine, numeral, toBytes, toQuanta } from "./synthetic/write.ts";

export { readAs } from "./synthetic/reading.ts";

/** Key of a file that serves many instruments (fx, metadata). */
export const SHARED = "";

/** Files by instrument id; an instrument with a planted `missing_file` has none. */
export function synthesise(source: SyntheticSource, instruments: Instrument[]): Map<string, Uint8Array> {
  assertPlantable(source);
  if (source.to < source.from) {
    throw new AssayError("SYNTHETIC_WINDOW", `source ${source.id} ends before it begins`, {
      hint: "put the earlier date under from",
    });
  }
  const world = worldOf(instruments, source.seed, source.to);
  if (source.produces === "fx") return new Map([[SHARED, toBytes(fxLines(source, world))]]);
  const market = marketOf(source);
  const listed = instruments.filter((instrument) => instrument.market === market);
  if (source.produces === "metadata") {
    const stated = listed.map((instrument) => ({
      instrument,
      benchmark: world.benchmarkOf(instrument),
      character: world.characterOf(instrument),
      ...launchOf(world, instrument),
    }));
    return new Map([[SHARED, toBytes(metadataLines({ ...source, market }, stated))]]);
  }
  const files = new Map<string, Uint8Array>();
  for (const instrument of listed) {
    if (defectsOf(source, instrument).some(({ kind }) => kind === "missing_file")) continue;
    const lines =
      source.produces === "distributions"
        ? distributionLines(source, world, instrument)
        : dailyLines(source, world, instrument);
    files.set(instrument.instrument, toBytes(lines));
  }
  return files;
}

function termsOf(world: World, instrument: Instrument): BarTerms {
  return {
    instrument,
    character: world.characterOf(instrument),
    seed: world.seed,
    dates: world.factors.dates[instrument.market],
    fund: world.fundOf(instrument),
  };
}

function dailyLines(source: SyntheticSource, world: World, instrument: Instrument): string[] {
  const isNav = source.produces === "nav";
  const rows = rowsOf(termsOf(world, instrument), source.from, isNav);
  const planted = plant(rows, defectsOf(source, instrument), instrument);
  const decimals = currencyOf(source) === "KRW" ? 0 : 2;
  const header = csvLine(isNav ? NAV_COLUMNS : BAR_COLUMNS);
  return [header, ...planted.map((row) => (isNav ? navLine(row, decimals) : barLine(row, decimals)))];
}

/** Split-adjusted, like the closes they belong to. */
function distributionLines(source: SyntheticSource, world: World, instrument: Instrument): string[] {
  const { dates, fund } = termsOf(world, instrument);
  const scale = splitScale(fund, dates.length);
  const lines = fund.distributions.flatMap(({ at, amount }) => {
    const ex_date = dates[at]!;
    if (ex_date < source.from) return [];
    const quanta = Math.round((toQuanta(amount) * scale.out_of[at]!) / scale.into[at]!);
    return [csvLine([ex_date, numeral(quanta, currencyOf(source) === "KRW" ? 0 : 2)])];
  });
  return [csvLine(DISTRIBUTION_COLUMNS), ...lines];
}

function fxLines(source: SyntheticSource, world: World): string[] {
  const { base } = pairOf(source);
  const { days, rates } = world.factors.usdkrw;
  const lines = days.flatMap((day, at) => {
    const date = fromDays(day);
    if (date < source.from) return [];
    const rate = base === "USD" ? numeral(toQuanta(rates[at]!), 2) : numeral(toQuanta(1 / rates[at]!), 8);
    return [csvLine([date, rate])];
  });
  return [csvLine(FX_COLUMNS), ...lines];
}

/** The first session with a bar and the one before it; the world's last for a product that is launched after it. */
function launchOf(world: World, instrument: Instrument): { listed_on: string; inception_on: string } {
  const dates = world.factors.dates[instrument.market];
  const first = Math.min(world.fundOf(instrument).first, dates.length - 1);
  return { listed_on: dates[first]!, inception_on: dates[Math.max(first - 1, 0)]! };
}
