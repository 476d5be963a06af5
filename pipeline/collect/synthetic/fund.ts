/**
 * One demonstration product's path: daily return of its NAV, NAV and close as traded, distributions by ex-date, splits.
 * A fund is always made of what it is compared with, so that returns, multiples, hedges and FX agree across files.
 */
import type { Instrument } from "../../schema/instrument.ts";
import { type Character, COPY_VOLATILITY } from "./character.ts";
import { compoundAbroad, type Factors, indexFrom, SESSIONS_PER_YEAR } from "./factors.ts";
import { clamp, streamOf } from "./random.ts";

export interface Fund {
  /** Index of the first session that has a bar. */
  first: number;
  /** As traded, in currency units, by session index; NAV unrounded, close on the tick. */
  nav: Float64Array;
  close: Float64Array;
  distributions: { at: number; amount: number }[];
  /** `into` new units for `out_of` old ones, from session `at` on. */
  splits: { at: number; into: number; out_of: number }[];
}

export interface FundTerms {
  instrument: Instrument;
  character: Character;
  seed: number;
  factors: Factors;
  /** Daily returns of the benchmark's NAV on the benchmark's own sessions; null where none is named. */
  benchmark: { instrument: Instrument; returns: Float64Array } | null;
}

/** Total return of the NAV by session since the origin, launched or not, after costs. */
export function navReturns(terms: FundTerms): Float64Array {
  const { instrument, character, seed } = terms;
  const multiple = Number(instrument.exposure_multiple);
  const base = underlyingReturns(terms);
  const noise = streamOf(seed, `tracking ${instrument.instrument}`);
  const cost = character.fee_units / 1_000_000 / SESSIONS_PER_YEAR;
  // A multiple is financed: borrowing for what exceeds the fund's own money, interest on it where the fund is short.
  const financing = ((multiple > 0 ? multiple - 1 : multiple * 0.5) * 0.03) / SESSIONS_PER_YEAR;
  const limit = DAILY_LIMIT * Math.abs(multiple);
  return base.map((move) => {
    const exposed = instrument.product_type === "COVERED_CALL" ? underCalls(move) : multiple * move;
    return clamp(exposed - financing - cost + 0.00004 * noise.normal(), -limit, limit);
  });
}

/** Below the move that asks for a reviewer (15 % a day and multiple), so that only planted defects do. */
const DAILY_LIMIT = 0.125;

/** Written calls give up part of each day's size in either direction and earn it back as time value. */
function underCalls(move: number): number {
  return 0.72 * move - 5 * (move * move - 0.00009) + 0.00004;
}

function underlyingReturns(terms: FundTerms): Float64Array {
  const { instrument, character, factors, benchmark } = terms;
  if (benchmark !== null && benchmark.instrument.market !== instrument.market) {
    return seenFrom(instrument, benchmark.returns, factors);
  }
  if (benchmark !== null && copiesBenchmark(terms, benchmark.instrument)) return ownMoves(terms, benchmark.returns);
  if (character.mix.global.length > 0) {
    const moves = factors.days.US.map((_, at) =>
      character.mix.global.reduce((sum, { factor, weight }) => sum + weight * factors.global[factor][at]!, 0),
    );
    const local =
      instrument.market === "US" ? Float64Array.from(moves) : seenFrom(instrument, Float64Array.from(moves), factors);
    return ownMoves(terms, local);
  }
  return mixedMoves(terms);
}

/** A multiple of it, calls written on it, or another fund of the same kind and group with little of its own. */
function copiesBenchmark({ instrument, character: { mix } }: FundTerms, benchmark: Instrument): boolean {
  if (instrument.exposure_multiple !== "1" || instrument.product_type === "COVERED_CALL") return true;
  return (
    instrument.product_type === benchmark.product_type &&
    instrument.peer_group === benchmark.peer_group &&
    ["EQUITY_INDEX", "MONEY_MARKET"].includes(instrument.product_type) &&
    mix.own_volatility <= COPY_VOLATILITY
  );
}

/** Returns of another market's sessions as this fund meets them: at its own closes, in its own currency unless hedged. */
function seenFrom(instrument: Instrument, returns: Float64Array, factors: Factors): Float64Array {
  const { market } = instrument;
  const moves = compoundAbroad(returns, factors.closed_abroad[market]);
  const hedge = instrument.fx_hedged ? -0.012 / SESSIONS_PER_YEAR : 0;
  const rates = factors.usdkrw_at[market];
  return moves.map((move, at) => {
    if (instrument.fx_hedged || at === 0) return move + hedge;
    const change = market === "KR" ? rates[at]! / rates[at - 1]! : rates[at - 1]! / rates[at]!;
    return (1 + move) * change - 1;
  });
}

function ownMoves({ instrument, character, seed }: FundTerms, base: Float64Array): Float64Array {
  if (instrument.exposure_multiple !== "1" || instrument.product_type === "COVERED_CALL") return base;
  const own = streamOf(seed, `own ${instrument.instrument}`);
  const daily = character.mix.own_volatility / ROOT_OF_YEAR;
  return base.map((move) => move + daily * own.normal());
}

const ROOT_OF_YEAR = Math.sqrt(SESSIONS_PER_YEAR);

function mixedMoves({ instrument, character: { mix }, seed, factors }: FundTerms): Float64Array {
  const equity = factors.equity[instrument.market];
  const { level, change } = factors.yields[instrument.market];
  const group = streamOf(seed, `group ${instrument.market} ${instrument.peer_group}`);
  const own = streamOf(seed, `own ${instrument.instrument}`);
  return equity.map((market, at) => {
    const accrued = (mix.accrues ? level[at]! / 100 : 0) + mix.carry;
    return (
      accrued / SESSIONS_PER_YEAR +
      mix.equity * market -
      (mix.duration * change[at]!) / 100 +
      (mix.group_volatility / ROOT_OF_YEAR) * group.normal() +
      (mix.own_volatility / ROOT_OF_YEAR) * own.normal()
    );
  });
}

/** From launch on: what the NAV earns, less what it pays; splits where a sponsor would make one. */
export function fundOf(terms: FundTerms, returns: Float64Array): Fund {
  const { instrument, character, seed, factors } = terms;
  const days = factors.days[instrument.market];
  const first = indexFrom(days, character.launched_on);
  const quotes = streamOf(seed, `quotes ${instrument.instrument}`);
  const amounts = streamOf(seed, `amounts ${instrument.instrument}`);
  const fund: Fund = {
    first,
    nav: new Float64Array(days.length),
    close: new Float64Array(days.length),
    distributions: [],
    splits: [],
  };
  let nav = character.launch_price;
  let premium = 0;
  for (let at = first; at < days.length; at++) {
    const split = at === first ? null : splitOf(nav, character.launch_price);
    if (split !== null) {
      fund.splits.push({ at, ...split });
      nav = (nav * split.out_of) / split.into;
    }
    const earned = at === first ? nav : nav * (1 + returns[at]!);
    const amount =
      at - first < SESSIONS_BEFORE_FIRST_PAYOUT ? 0 : payoutAt(terms, days[at - 1]!, days[at]!, nav, amounts.normal);
    if (amount > 0) fund.distributions.push({ at, amount });
    nav = earned - amount;
    // Premiums fade over days rather than jump, so that closes track NAV returns closely.
    premium = 0.87 * premium + 0.49 * character.premium * quotes.normal();
    fund.nav[at] = nav;
    fund.close[at] = toTick(nav * (1 + premium), instrument.currency);
  }
  return fund;
}

const SESSIONS_BEFORE_FIRST_PAYOUT = 40;

function splitOf(nav: number, launchPrice: number): { into: number; out_of: number } | null {
  if (nav > 5 * launchPrice) return { into: 4, out_of: 1 };
  if (nav < launchPrice / 6) return { into: 1, out_of: 5 };
  return null;
}

function payoutAt(
  { instrument, character, factors }: FundTerms,
  previous: number,
  day: number,
  nav: number,
  normal: () => number,
): number {
  const { payout } = character;
  if (payout === null) return 0;
  for (let date = previous + 1; date <= day; date++) {
    const { month, day_of_month } = factors.calendar[date - factors.calendar[0]!.day]!;
    if (day_of_month !== payout.day || !payout.months.includes(month)) continue;
    const amount = ((payout.annual_rate * nav) / payout.months.length) * (1 + 0.08 * normal());
    return instrument.currency === "KRW" ? Math.round(amount) : Math.round(amount * 10_000) / 10_000;
  }
  return 0;
}

/** Korean ETFs trade in steps of 5 won, under 2,000 won of 1 won; US ones of a cent. */
export function toTick(price: number, currency: "KRW" | "USD"): number {
  if (currency === "USD") return Math.max(Math.round(price * 100), 1) / 100;
  return price < 2_000 ? Math.max(Math.round(price), 1) : Math.round(price / 5) * 5;
}
