/**
 * Daily rows of one product: split-adjusted open, high, low, close with the distribution-adjusted close beside it, and
 * the as-traded close with its NAV. Adjustments look back from the last session only, as vendors make them.
 */
import type { DateText } from "../../domain/date.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { Character } from "./character.ts";
import { type Fund, toTick } from "./fund.ts";
import { clamp, streamOf } from "./random.ts";
import { numeral, QUANTA_PER_UNIT, type Quanta, toQuanta } from "./write.ts";

/** One session; amounts in quanta. A null is printed blank. */
export interface Row {
  session: string;
  open: Quanta | null;
  high: Quanta | null;
  low: Quanta | null;
  close: Quanta | null;
  adjusted_close: Quanta | null;
  nav: Quanta;
  volume: number;
}

export interface BarTerms {
  instrument: Instrument;
  character: Character;
  seed: number;
  /** Sessions of the instrument's market since the origin. */
  dates: DateText[];
  fund: Fund;
}

/** Sessions from `from` on, split-adjusted; `as_traded` leaves splits as they were. */
export function rowsOf(terms: BarTerms, from: DateText, as_traded: boolean): Row[] {
  const { instrument, character, dates, fund } = terms;
  const { currency } = instrument;
  const split = splitScale(fund, dates.length);
  const adjustment = distributionScale(fund, dates.length);
  const carried = carriedOver(fund);
  const quotes = streamOf(terms.seed, `bars ${instrument.instrument}`);
  const rows: Row[] = [];
  for (let at = fund.first; at < dates.length; at++) {
    // Drawn for every session, kept or not: `from` cuts the series and must not change it.
    const opening = quotes.normal();
    const up = quotes.uniform();
    const down = quotes.uniform();
    const turnover = 0.012 * (0.4 + quotes.uniform()) * (0.5 + quotes.uniform());
    const session = dates[at]!;
    if (session < from) continue;
    const into = as_traded ? 1 : split.into[at]!;
    const out_of = as_traded ? 1 : split.out_of[at]!;
    const inQuanta = (price: number) => Math.round((toQuanta(price) * out_of) / into);
    const price = fund.close[at]!;
    const before =
      at === fund.first ? price : fund.close[at - 1]! * (carried.get(at)?.times ?? 1) - (carried.get(at)?.less ?? 0);
    const first = toTick(price + (before - price) * clamp(0.55 + 0.3 * opening, -0.2, 1.3), currency);
    const reach = 0.45 * Math.max(Math.abs(price - first), price * character.premium);
    const close = inQuanta(price);
    rows.push({
      session,
      open: inQuanta(first),
      high: inQuanta(Math.max(first, price, toTick(Math.max(first, price) + reach * up, currency))),
      low: inQuanta(Math.min(first, price, toTick(Math.min(first, price) - reach * down, currency))),
      close,
      adjusted_close: Math.round((close * adjustment[at]!) / 100) * 100,
      nav: inQuanta(Math.round(fund.nav[at]! * 100) / 100),
      volume: Math.max(Math.round((character.net_assets * turnover * into) / (price * out_of)), 1),
    });
  }
  return rows;
}

/** What the close before a session is in that session's units: × a split, less a distribution. */
function carriedOver(fund: Fund): Map<number, { times: number; less: number }> {
  const carried = new Map(fund.splits.map(({ at, into, out_of }) => [at, { times: out_of / into, less: 0 }]));
  for (const { at, amount } of fund.distributions)
    carried.set(at, { times: carried.get(at)?.times ?? 1, less: amount });
  return carried;
}

/** By session, new units that one old unit became later, as a fraction: price × out_of ÷ into is split-adjusted. */
export function splitScale(fund: Fund, count: number): { into: Float64Array; out_of: Float64Array } {
  const scale = { into: new Float64Array(count).fill(1), out_of: new Float64Array(count).fill(1) };
  for (const { at, into, out_of } of fund.splits) {
    for (let before = 0; before < at; before++) {
      scale.into[before]! *= into;
      scale.out_of[before]! *= out_of;
    }
  }
  return scale;
}

/** By session, the product of 1 − distribution ÷ close before it over later ex-dates. */
function distributionScale(fund: Fund, count: number): Float64Array {
  const paid = new Map(fund.distributions.map(({ at, amount }) => [at, amount]));
  const split = new Map(fund.splits.map((made) => [made.at, made.out_of / made.into]));
  const scale = new Float64Array(count).fill(1);
  let product = 1;
  for (let at = count - 1; at > fund.first; at--) {
    const amount = paid.get(at);
    if (amount !== undefined) product *= 1 - amount / (fund.close[at - 1]! * (split.get(at) ?? 1));
    scale[at - 1] = product;
  }
  return scale;
}

/** Numerals only, so no cell needs quoting. */
export function barLine(row: Row, decimals: number): string {
  const cell = (quanta: Quanta | null) => (quanta === null ? "" : numeral(quanta, decimals));
  const prices = `${cell(row.open)},${cell(row.high)},${cell(row.low)},${cell(row.close)},${cell(row.adjusted_close)}`;
  return `${row.session},${prices},${row.volume}\n`;
}

export function navLine(row: Row, decimals: number): string {
  const close = row.close === null ? "" : numeral(row.close, decimals);
  return `${row.session},${numeral(row.nav, 2)},${close},${row.volume},${tradedValue(row)}\n`;
}

/** Hundredths × volume stays a whole number within 2^53, which quanta × volume would not. */
function tradedValue({ close, volume }: Row): string {
  if (close === null) return "";
  const hundredths = Math.round((close * 100) / QUANTA_PER_UNIT) * volume;
  return (hundredths / 100).toFixed(hundredths % 100 === 0 ? 0 : 2);
}
