/**
 * Step `recalculate`: the second path, over the frozen bytes, for many instruments in one session of Postgres. Each
 * instrument's result is recorded by itself; one that has none is left to the gates (RECALC_MISSING).
 */

import { readingContract } from "../../collect/normalise.ts";
import { AssayError } from "../../domain/outcome.ts";
import {
  type FrozenPayload,
  type RecalculationInput,
  recalculate as recalculateInSql,
} from "../../recalculate/recalculate.ts";
import type { Source } from "../../schema/batch.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { Recalculated } from "../../schema/recalculated.ts";
import { benchmarkOf, type Evidence, inputDigest, peersOf, type RunContext, sharedFor } from "../context.ts";
import { type Recorded, stepKey } from "./step.ts";
import type { Workshop } from "./workshop.ts";

/** Instruments whose payloads one session holds at once; groups of peers stay together where they fit. */
export const CHUNK = 50;

export function recalculateKey({ context }: Workshop, instrument: Instrument) {
  const group = neededBy(context, instrument);
  return stepKey("recalculate", {
    code: context.code.recalculate,
    inputs: group.map((one) => inputDigest(context, one)),
  });
}

/** Chunks that keep peer groups together, so that few payloads are read twice. */
export function chunksOf(instruments: readonly Instrument[]): Instrument[][] {
  const ordered = [...instruments].sort(
    (a, b) => compare(a.peer_group, b.peer_group) || compare(a.instrument, b.instrument),
  );
  const chunks: Instrument[][] = [];
  for (let from = 0; from < ordered.length; from += CHUNK) chunks.push(ordered.slice(from, from + CHUNK));
  return chunks;
}

/** Works a chunk in one session. Results are recorded as they are; each promise settles by itself. */
export function recalculateChunk(shop: Workshop, chunk: readonly Instrument[]): Promise<Recorded>[] {
  let worked: Promise<Worked> | undefined;
  // Only what is not recorded is worked, and only when one of them asks.
  const work = () => {
    worked ??= shop.book.timed("recalculate", () =>
      inSessions(
        shop,
        chunk.filter((one) => !isFound(shop, one)),
      ),
    );
    return worked;
  };
  return chunk.map((instrument) => recalculated(shop, instrument, work));
}

export function recalculate(shop: Workshop, instrument: Instrument): Promise<Recorded> {
  return recalculated(shop, instrument, () => shop.book.timed("recalculate", () => inSessions(shop, [instrument])));
}

/** Null: the second path refuses the product, which is the gates' to block. A fault of the machine is not the product's. */
export async function recalculatedOrNone(shop: Workshop, instrument: Instrument): Promise<Recorded | null> {
  try {
    return await recalculate(shop, instrument);
  } catch (fault) {
    if (fault instanceof AssayError && ["RECALCULATION_FAILED", "PAYLOAD_DIFFERS"].includes(fault.code)) return null;
    throw fault;
  }
}

interface Worked {
  results: Map<string, Recalculated>;
  faults: Map<string, unknown>;
}

function recalculated(shop: Workshop, instrument: Instrument, work: () => Promise<Worked>): Promise<Recorded> {
  const id = { step: "recalculate" as const, instrument: instrument.instrument, locale: null };
  return shop.book.do(id, recalculateKey(shop, instrument), async () => {
    const { results, faults } = await work();
    const document = results.get(instrument.instrument);
    if (document !== undefined) return { document };
    throw (
      faults.get(instrument.instrument) ??
      new AssayError("RECALCULATION_FAILED", `the second path has no result for ${instrument.instrument}`)
    );
  });
}

/** A payload that cannot be read fails the session that holds it. It is one product's: the halves are tried apart. */
async function inSessions(shop: Workshop, scope: readonly Instrument[]): Promise<Worked> {
  try {
    return { results: await inOneSession(shop, scope), faults: new Map() };
  } catch (fault) {
    const [first] = scope;
    if (scope.length < 2) return { results: new Map(), faults: new Map(first ? [[first.instrument, fault]] : []) };
    const middle = Math.ceil(scope.length / 2);
    const one = await inSessions(shop, scope.slice(0, middle));
    const other = await inSessions(shop, scope.slice(middle));
    return {
      results: new Map([...one.results, ...other.results]),
      faults: new Map([...one.faults, ...other.faults]),
    };
  }
}

function isFound(shop: Workshop, instrument: Instrument): boolean {
  return !shop.book.isReplay && shop.book.found(recalculateKey(shop, instrument)) !== undefined;
}

async function inOneSession(shop: Workshop, scope: readonly Instrument[]): Promise<Map<string, Recalculated>> {
  if (scope.length === 0) return new Map();
  const input = await recalculationFor(shop, scope);
  return shop.withSession((client) => recalculateInSql(client, input));
}

/** What the second path is given for a scope: the request, the universe bytes, and every payload that it can need. */
export async function recalculationFor(
  { context }: Workshop,
  scope: readonly Instrument[],
): Promise<RecalculationInput> {
  const evidence = new Map<string, Evidence>();
  for (const one of scope.flatMap((instrument) => neededBy(context, instrument))) {
    for (const item of [...(context.byInstrument.get(one.instrument) ?? []), ...sharedFor(context, one)]) {
      evidence.set(item.evidence_id, item);
    }
  }
  const payloads = [...evidence.values()].map(
    ({ evidence_id, version }): FrozenPayload => ({
      evidence_id,
      version,
      reading: readingContract(context.sources.get(version.source_id) as Source),
      bytes: () => context.objects.get(version.payload_sha256),
    }),
  );
  const sha256 = context.frozen.universe_sha256;
  return {
    batch: context.frozen.batch,
    universe: { sha256, bytes: await context.objects.get(sha256) },
    payloads,
    scope: scope.map((one) => one.instrument),
    members: context.frozen.instruments.map((one) => one.instrument),
  };
}

/** The instrument, its benchmark, its peers: everything that one of its figures can rest on. */
function neededBy(context: RunContext, instrument: Instrument): Instrument[] {
  const benchmark = benchmarkOf(context, instrument);
  return [instrument, ...(benchmark === null ? [] : [benchmark]), ...peersOf(context, instrument)];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
