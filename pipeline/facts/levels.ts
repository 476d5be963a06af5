/**
 * Level series of one payload: usable closes up to the cutoff, and the total-return index built on them. Numerals are
 * parsed when first asked for, and every series is built once per payload and cutoff, however many products share it.
 * Does not choose between sources: select.ts does.
 */
import type { DateText } from "../domain/date.ts";
import { type Decimal, decimal, ONE, ZERO } from "../domain/decimal.ts";
import type { PriceBasis } from "../schema/batch.ts";
import type { BarRow, BarSeries, DistributionSeries } from "../schema/observation.ts";
import { isPositive } from "./fact.ts";

export type CloseColumn = "close" | "adjusted_close";

export interface Levels {
  /** Ascending, none after the cutoff; every one has a positive level. */
  readonly sessions: readonly DateText[];
  readonly source_id: string;
  readonly basis: PriceBasis;
  readonly adjusted_through: DateText | null;
  readonly evidence: readonly string[];
  level(index: number): Decimal;
  /** level(index) / level(index − 1). */
  ratio(index: number): Decimal;
}

/** Closes also know the bar that each stands in. */
export interface Closes extends Levels {
  bar(index: number): BarRow;
}

/** Index of the last entry on or before `date` in an ascending list, or −1. */
export function indexOn(ascending: readonly DateText[], date: DateText): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! <= date) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const closesBySeries = new WeakMap<BarSeries, Map<string, Closes>>();

export function closesOf(series: BarSeries, column: CloseColumn, basis: PriceBasis, cutoff: DateText): Closes {
  return remember(closesBySeries, series, `${column} ${cutoff}`, () => buildCloses(series, column, basis, cutoff));
}

function buildCloses(series: BarSeries, column: CloseColumn, basis: PriceBasis, cutoff: DateText): Closes {
  const usable = series.rows.filter((row) => row.session <= cutoff && isPositive(row[column]));
  if (!isAscending(usable)) usable.sort((one, other) => (one.session < other.session ? -1 : 1));
  const level = memoised(usable.length, (index) => decimal(usable[index]![column]!));
  return {
    sessions: usable.map(({ session }) => session),
    source_id: series.source_id,
    basis,
    adjusted_through: series.adjusted_through,
    evidence: [series.evidence_id],
    bar: (index) => usable[index]!,
    level,
    ratio: memoised(usable.length, (index) => level(index).div(level(index - 1))),
  };
}

function isAscending(rows: readonly BarRow[]): boolean {
  return rows.every((row, index) => index === 0 || rows[index - 1]!.session < row.session);
}

const indexBySeries = new WeakMap<DistributionSeries, WeakMap<Closes, Levels>>();

/**
 * TRI(t) = TRI(t−1) × (P(t) + D(t)) / P(t−1), kept as price × factor: the factor changes at ex-dates only, so that
 * equal prices between two of them stay equal levels and ties are found.
 */
export function totalReturnIndex(closes: Closes, distributions: DistributionSeries, cutoff: DateText): Levels {
  let byCloses = indexBySeries.get(distributions);
  if (byCloses === undefined) {
    byCloses = new WeakMap();
    indexBySeries.set(distributions, byCloses);
  }
  let found = byCloses.get(closes);
  if (found === undefined) {
    found = buildTotalReturnIndex(closes, distributions, cutoff);
    byCloses.set(closes, found);
  }
  return found;
}

function buildTotalReturnIndex(closes: Closes, distributions: DistributionSeries, cutoff: DateText): Levels {
  const paid = paidBySession(closes.sessions, distributions, cutoff);
  const factors: Decimal[] = [];
  let factor = ONE;
  for (let index = 0; index < closes.sessions.length; index++) {
    const amount = paid.get(index);
    if (amount !== undefined) {
      const price = closes.level(index);
      factor = factor.times(price.plus(amount).div(price));
    }
    factors.push(factor);
  }
  return {
    ...closes,
    evidence: [...closes.evidence, distributions.evidence_id],
    level: memoised(factors.length, (index) => closes.level(index).times(factors[index]!)),
    ratio: memoised(factors.length, (index) => {
      const amount = paid.get(index);
      return amount === undefined
        ? closes.ratio(index)
        : closes
            .level(index)
            .plus(amount)
            .div(closes.level(index - 1));
    }),
  };
}

/** Amounts by session index. An ex-date that is no session falls on the next one; before the second session it pays into nothing. */
function paidBySession(sessions: readonly DateText[], distributions: DistributionSeries, cutoff: DateText) {
  const paid = new Map<number, Decimal>();
  for (const { ex_date, amount } of distributions.rows) {
    if (ex_date > cutoff || !isPositive(amount)) continue;
    const before = indexOn(sessions, ex_date);
    const index = sessions[before] === ex_date ? before : before + 1;
    if (index < 1 || index >= sessions.length) continue;
    paid.set(index, (paid.get(index) ?? ZERO).plus(decimal(amount)));
  }
  return paid;
}

/** Allocated at once: an array that is first written far from its start turns into a slow, large table. */
export function memoised<T>(count: number, compute: (index: number) => T): (index: number) => T {
  const known = new Array<T | undefined>(count).fill(undefined);
  return (index) => {
    let value = known[index];
    if (value === undefined) {
      value = compute(index);
      known[index] = value;
    }
    return value;
  };
}

export function remember<K extends object, T>(
  store: WeakMap<K, Map<string, T>>,
  owner: K,
  key: string,
  build: () => T,
): T {
  let known = store.get(owner);
  if (known === undefined) {
    known = new Map();
    store.set(owner, known);
  }
  let value = known.get(key);
  if (value === undefined) {
    value = build();
    known.set(key, value);
  }
  return value;
}
