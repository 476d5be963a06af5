/**
 * All products of a universe under one seed, made lazily and once: a fund needs its benchmark's path, and bars, NAV,
 * distributions and metadata of one product must tell of the same fund.
 */
import type { DateText } from "../../domain/date.ts";
import { AssayError } from "../../domain/outcome.ts";
import type { Instrument } from "../../schema/instrument.ts";
import { type Character, characterOf } from "./character.ts";
import { type Factors, factorsOf, ORIGIN } from "./factors.ts";
import { type Fund, fundOf, navReturns } from "./fund.ts";

export interface World {
  seed: number;
  factors: Factors;
  characterOf(instrument: Instrument): Character;
  fundOf(instrument: Instrument): Fund;
  /** Null where none is named, it is not in the universe, or the names form a ring. */
  benchmarkOf(instrument: Instrument): Instrument | null;
}

/** The last few worlds: pure in (universe, seed, to), so keeping them changes no byte, only the time it takes. */
const worlds = new Map<string, World>();
const KEPT = 3;

export function worldOf(universe: readonly Instrument[], seed: number, to: DateText): World {
  const key = `${seed} ${to} ${JSON.stringify(universe)}`;
  const world = worlds.get(key) ?? createWorld(universe, seed, to);
  worlds.delete(key);
  worlds.set(key, world);
  for (const oldest of worlds.keys()) if (worlds.size > KEPT) worlds.delete(oldest);
  return world;
}

function createWorld(universe: readonly Instrument[], seed: number, to: DateText): World {
  if (to < ORIGIN) {
    throw new AssayError("SYNTHETIC_WINDOW", `demonstration series begin on ${ORIGIN}, after ${to}`, {
      hint: `choose a later date under to`,
    });
  }
  const byId = new Map(universe.map((instrument) => [instrument.instrument, instrument]));
  const leaders = new Set(universe.map(({ benchmark }) => benchmark));
  const factors = factorsOf(seed, to);

  const benchmarkOf = (instrument: Instrument): Instrument | null => {
    const seen = new Set([instrument.instrument]);
    for (let next = byId.get(instrument.benchmark); next !== undefined; next = byId.get(next.benchmark)) {
      if (seen.has(next.instrument)) return null;
      seen.add(next.instrument);
    }
    return byId.get(instrument.benchmark) ?? null;
  };
  const character = once((instrument) => characterOf(instrument, seed, to, leaders.has(instrument.instrument)));
  const termsOf = (instrument: Instrument) => {
    const named = benchmarkOf(instrument);
    const benchmark = named === null ? null : { instrument: named, returns: returnsOf(named) };
    return { instrument, character: character(instrument), seed, factors, benchmark };
  };
  const returnsOf: (instrument: Instrument) => Float64Array = once((instrument) => navReturns(termsOf(instrument)));
  const fund = once((instrument) => fundOf(termsOf(instrument), returnsOf(instrument)));
  return { seed, factors, characterOf: character, fundOf: fund, benchmarkOf };
}

function once<Result>(make: (instrument: Instrument) => Result): (instrument: Instrument) => Result {
  const made = new Map<string, Result>();
  return (instrument) => {
    const known = made.get(instrument.instrument);
    if (known !== undefined) return known;
    const result = make(instrument);
    made.set(instrument.instrument, result);
    return result;
  };
}
