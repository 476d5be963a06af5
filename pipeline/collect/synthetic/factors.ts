/**
 * What moves every demonstration series: daily factors per market (equity with calm and falling regimes, yields,
 * commodities, crypto) and the won per dollar. All run from one fixed origin, so that a later `to` only appends.
 * Plausible, not calibrated: no figure made of them says anything about a market.
 */
import { type DateText, fromDays, toDays } from "../../domain/date.ts";
import type { Market } from "../../domain/instant.ts";
import { clamp, type Stream, streamOf } from "./random.ts";
import { fxDays, sessionDays } from "./sessions.ts";

export const ORIGIN: DateText = "2014-01-02";
export const SESSIONS_PER_YEAR = 252;

export const GLOBAL_FACTORS = ["gold", "silver", "oil", "gas", "copper", "grain", "bitcoin", "ether"] as const;
export type GlobalFactor = (typeof GLOBAL_FACTORS)[number];

export interface Factors {
  /** Every day from the origin to `to`, so that a path need not take dates apart. */
  calendar: { day: number; month: number; day_of_month: number }[];
  days: Record<Market, number[]>;
  dates: Record<Market, DateText[]>;
  /** How many sessions of the other market had closed when session i of this one closed. */
  closed_abroad: Record<Market, Int32Array>;
  /** Daily simple returns by session. */
  equity: Record<Market, Float64Array>;
  /** Yield in percent, and its daily change in percentage points, by session. */
  yields: Record<Market, { level: Float64Array; change: Float64Array }>;
  /** Daily simple returns in USD by US session. */
  global: Record<GlobalFactor, Float64Array>;
  usdkrw: { days: number[]; rates: Float64Array };
  /** Won per dollar known at each Korean or US session: the last on or before its date. */
  usdkrw_at: Record<Market, Float64Array>;
}

export function factorsOf(seed: number, to: DateText): Factors {
  const days = { KR: sessionDays("KR", ORIGIN, to), US: sessionDays("US", ORIGIN, to) };
  const closed_abroad = {
    KR: Int32Array.from(countUpTo(days.KR, days.US, -1)),
    US: Int32Array.from(countUpTo(days.US, days.KR, 0)),
  };
  const usEquity = equityPath(streamOf(seed, "equity US"), days.US.length, 0.0098, 0);
  const krOwn = equityPath(streamOf(seed, "equity KR"), days.KR.length, 0.0085, -0.00022);
  const overnight = compoundAbroad(usEquity, closed_abroad.KR);
  const krEquity = krOwn.map((own, at) => clamp(own + 0.38 * overnight[at]!, -0.07, 0.07));

  const usYields = yieldPath(streamOf(seed, "yield US"), usEquity, 1.5, 2.6, 3.6, 0.052);
  const usChangeSeen = sumAbroad(usYields.change, closed_abroad.KR);
  const krYields = yieldPath(streamOf(seed, "yield KR"), usChangeSeen, 0.4, 2.4, 3.1, 0.028);

  const usdkrw = fxPath(streamOf(seed, "fx USDKRW"), to, days.KR, krEquity);
  return {
    calendar: calendarOf(to),
    days,
    dates: { KR: days.KR.map(fromDays), US: days.US.map(fromDays) },
    closed_abroad,
    equity: { US: usEquity, KR: krEquity },
    yields: { US: usYields, KR: krYields },
    global: globalPaths(seed, usEquity),
    usdkrw,
    usdkrw_at: { KR: rateAt(days.KR, usdkrw), US: rateAt(days.US, usdkrw) },
  };
}

function calendarOf(to: DateText): Factors["calendar"] {
  const origin = toDays(ORIGIN);
  return Array.from({ length: Math.max(toDays(to) - origin + 1, 0) }, (_, at) => {
    const date = fromDays(origin + at);
    return { day: origin + at, month: Number(date.slice(5, 7)), day_of_month: Number(date.slice(8)) };
  });
}

/** Returns of the other market compounded over the sessions that closed since this market's session before. */
export function compoundAbroad(returns: Float64Array, closed: Int32Array): Float64Array {
  return foldAbroad(returns, closed, 1, (level, value) => level * (1 + value)).map((level) => level - 1);
}

function sumAbroad(changes: Float64Array, closed: Int32Array): Float64Array {
  return foldAbroad(changes, closed, 0, (sum, value) => sum + value);
}

function foldAbroad(
  values: Float64Array,
  closed: Int32Array,
  start: number,
  step: (folded: number, value: number) => number,
): Float64Array {
  const out = new Float64Array(closed.length);
  for (let at = 0; at < closed.length; at++) {
    let folded = start;
    for (let abroad = at === 0 ? 0 : closed[at - 1]!; abroad < closed[at]!; abroad++)
      folded = step(folded, values[abroad]!);
    out[at] = folded;
  }
  return out;
}

/** Calm and falling spells by a two-state chain; within each, variance that clusters and rises with losses. */
function equityPath(stream: Stream, count: number, daily: number, drift: number): Float64Array {
  const base = daily * daily;
  let variance = base;
  let falling = false;
  return new Float64Array(count).map(() => {
    if (stream.uniform() < (falling ? 1 / 80 : 1 / 430)) falling = !falling;
    const shock = Math.sqrt(variance) * clamp(stream.normal(), -3.2, 3.2);
    variance = 0.05 * base + 0.88 * variance + (shock < 0 ? 0.1 : 0.03) * shock * shock;
    const move = falling ? -0.0017 + 1.5 * shock : 0.00079 + 0.85 * shock;
    return clamp(drift + move, -0.045, 0.045);
  });
}

function yieldPath(
  stream: Stream,
  led_by: Float64Array,
  lead: number,
  start: number,
  home: number,
  daily: number,
): { level: Float64Array; change: Float64Array } {
  const level = new Float64Array(led_by.length);
  const change = new Float64Array(led_by.length);
  let rate = start;
  for (let at = 0; at < led_by.length; at++) {
    const moved = clamp(rate + 0.0035 * (home - rate) + daily * stream.normal() + lead * led_by[at]!, 0.4, 8);
    change[at] = moved - rate;
    level[at] = moved;
    rate = moved;
  }
  return { level, change };
}

function globalPaths(seed: number, equity: Float64Array): Record<GlobalFactor, Float64Array> {
  const path = (name: GlobalFactor, annual: number, daily: number, beta: number, other?: [Float64Array, number]) => {
    const stream = streamOf(seed, `global ${name}`);
    return equity.map((market, at) => {
      const linked = beta * market + (other === undefined ? 0 : other[1] * other[0][at]!);
      return clamp(annual / SESSIONS_PER_YEAR + linked + daily * stream.normal(), -0.115, 0.115);
    });
  };
  const gold = path("gold", 0.085, 0.0092, 0.02);
  const bitcoin = path("bitcoin", 0.3, 0.028, 0.8);
  return {
    gold,
    silver: path("silver", -0.03, 0.011, 0.15, [gold, 1.25]),
    oil: path("oil", 0.03, 0.02, 0.35),
    gas: path("gas", -0.06, 0.029, 0.05),
    copper: path("copper", 0.01, 0.0115, 0.4),
    grain: path("grain", 0.02, 0.0115, 0.05),
    bitcoin,
    ether: path("ether", -0.05, 0.019, 0.1, [bitcoin, 1.05]),
  };
}

/** Drawn towards 1,290 won; falls when Korean shares rise on the same day. */
function fxPath(stream: Stream, to: DateText, krDays: number[], krEquity: Float64Array) {
  const equityOn = new Map(krDays.map((day, at) => [day, krEquity[at]!]));
  const days = fxDays(ORIGIN, to);
  let rate = 1105;
  const rates = Float64Array.from(days, (day) => {
    rate *= 1 + 0.0016 * (1290 / rate - 1) + 0.0037 * stream.normal() - 0.2 * (equityOn.get(day) ?? 0);
    return Math.round(rate * 100) / 100;
  });
  return { days, rates };
}

function rateAt(days: number[], fx: { days: number[]; rates: Float64Array }): Float64Array {
  return Float64Array.from(countUpTo(days, fx.days, 0), (count) => fx.rates[Math.max(count, 1) - 1]!);
}

/** For each day, how many of `others` are on or before day + shift. */
function countUpTo(days: number[], others: number[], shift: number): number[] {
  let count = 0;
  return days.map((day) => {
    while (count < others.length && others[count]! <= day + shift) count++;
    return count;
  });
}

/** First index whose day is on or after `date`; the length when there is none. */
export function indexFrom(days: number[], date: DateText): number {
  const target = toDays(date);
  const at = days.findIndex((day) => day >= target);
  return at === -1 ? days.length : at;
}
