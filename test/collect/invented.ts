/** The invented batches as their readers see them, and the arithmetic that their laws are stated in (doubles will do). */
import { resolve } from "node:path";
import { readBatchFolder } from "../../pipeline/collect/batch-folder.ts";
import { collect } from "../../pipeline/collect/collect.ts";
import { normalise } from "../../pipeline/collect/normalise.ts";
import type { Instrument } from "../../pipeline/schema/instrument.ts";
import type { Observations } from "../../pipeline/schema/observation.ts";
import { memoryObjects } from "./support.ts";

const BATCHES = resolve(import.meta.dirname, "../../batches");
/** After both batches' as_of, so that the laws do not depend on the day they are run. */
const NOW = Date.parse("2026-12-01T00:00:00Z");

export async function readInvented(name: string) {
  const folder = resolve(BATCHES, name);
  const request = await readBatchFolder(folder, { allowRoots: [], now: NOW });
  const objects = memoryObjects();
  const frozen = await collect({ tenant: "main", folder, ...request, allowRoots: [], objects });
  const observations = frozen.evidence.flatMap(({ evidence_id, version }) => {
    const source = request.batch.sources.find(({ id }) => id === version.source_id)!;
    const bytes = objects.stored.get(version.payload_sha256)!;
    return normalise({ source, version, evidence_id, bytes, instruments: request.instruments });
  });
  return { request, frozen, observations };
}

export type Kind<Name extends Observations["kind"]> = Extract<Observations, { kind: Name }>;

export function ofKind<Name extends Observations["kind"]>(observations: Observations[], kind: Name): Kind<Name>[] {
  return observations.filter((one): one is Kind<Name> => one.kind === kind);
}

/** Total-return level by session. */
export type Levels = Map<string, number>;

export function totalReturnLevels(bars: Kind<"bars">, distributions: Kind<"distributions"> | undefined): Levels {
  const paid = new Map((distributions?.rows ?? []).map(({ ex_date, amount }) => [ex_date, Number(amount)]));
  const levels: Levels = new Map();
  let before = Number.NaN;
  let level = 1;
  for (const { session, close } of bars.rows) {
    const price = Number(close);
    if (!(price > 0)) continue;
    if (before > 0) level *= (price + (paid.get(session) ?? 0)) / before;
    levels.set(session, level);
    before = price;
  }
  return levels;
}

export function returnsOf(levels: number[]): number[] {
  return levels.slice(1).map((level, at) => level / levels[at]! - 1);
}

export function annualVolatility(levels: Levels): number {
  const returns = returnsOf([...levels.values()]);
  return Math.sqrt(covariance(returns, returns) * 252);
}

export function correlation(left: number[], right: number[]): number {
  return covariance(left, right) / Math.sqrt(covariance(left, left) * covariance(right, right));
}

export function slope(of: number[], on: number[]): number {
  return covariance(of, on) / covariance(on, on);
}

function covariance(left: number[], right: number[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [leftMean, rightMean] = [mean(left), mean(right)];
  return left.reduce((sum, value, at) => sum + (value - leftMean) * (right[at]! - rightMean), 0) / (left.length - 1);
}

/** Daily returns of a product and of what it is compared with, as it stands at each of the product's closes. */
export function againstBenchmark(own: Levels, benchmark: Levels, instrument: Instrument, rates: Levels | null) {
  const abroad = !instrument.benchmark.startsWith(`${instrument.market}:`);
  const sessions = [...own.keys()];
  const seen = sessions.map((session) => {
    const level = lastOf(benchmark, (day) => (abroad ? day < session : day <= session));
    return rates === null ? level : level * lastOf(rates, (day) => day <= session);
  });
  const first = seen.findIndex((level) => level > 0);
  const levels = [...own.values()].slice(first);
  return { own: returnsOf(levels), benchmark: returnsOf(seen.slice(first)), sessions: sessions.slice(first + 1) };
}

function lastOf(levels: Levels, holds: (day: string) => boolean): number {
  const days = sortedDays(levels);
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(days[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? Number.NaN : levels.get(days[low - 1]!)!;
}

const sorted = new WeakMap<Levels, string[]>();
function sortedDays(levels: Levels): string[] {
  const known = sorted.get(levels) ?? [...levels.keys()];
  sorted.set(levels, known);
  return known;
}
