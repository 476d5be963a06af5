/**
 * Runs a frozen batch: offers what is not recorded to the queue as flows, works it in this process (others may help),
 * and waits until every instrument has a verdict or a fault. Killed at any point, the next run goes on from what is
 * recorded.
 */
import type { Services } from "../app/wiring.ts";
import { AssayError } from "../domain/outcome.ts";
import type { Instrument } from "../schema/instrument.ts";
import { type InstrumentPlan, plan } from "./plan.ts";
import { type FlowNode, openQueues, type Queues, type StepJob } from "./queue.ts";
import { recordFaults, throwFaultOfMachine } from "./record-faults.ts";
import { recordPlanned } from "./record-frozen.ts";
import { facts } from "./steps/facts.ts";
import { peers } from "./steps/peers.ts";
import { chunksOf, recalculateChunk } from "./steps/recalculate.ts";
import { render } from "./steps/render.ts";
import type { Recorded, StepId } from "./steps/step.ts";
import { verify } from "./steps/verify.ts";
import type { Workshop } from "./steps/workshop.ts";

const LOOK_FOR_LOSS_MS = 5_000;

export interface RunOptions {
  scope: readonly Instrument[];
  pages: number;
  onPlan: (steps: number) => void;
  onStep: (id: StepId) => void;
  signal?: AbortSignal;
}

export interface Outcome {
  instrument: Instrument;
  /** The result of `verify`, or why there is none. */
  verified: Recorded | null;
  fault: Error | null;
}

/** Faults of the machine are thrown; a card's own is an outcome, and a version in quarantine. */
export async function runBatch(services: Services, shop: Workshop, options: RunOptions): Promise<Outcome[]> {
  const { scope } = options;
  const replay = shop.book.isReplay;
  const before = await plan(shop, scope);
  const open = before.lines.filter((line) => replay || line.verify === null);
  shop.book.counts.hits += recordedSteps(before.lines) - recordedSteps(open);
  const outcomes = new Map<string, Outcome>(
    before.lines.map(({ instrument, verify: verified }) => [
      instrument.instrument,
      { instrument, verified, fault: null },
    ]),
  );
  options.onPlan(stepsOf(shop, open));
  if (open.length > 0) {
    if (!replay) await recordPlanned(services, shop.context);
    const run = services.newId();
    const { tenant, frozen } = shop.context;
    const queues = await openQueues(services.queueBackend(), `${tenant}/${frozen.batch.id}`, services.onFault);
    try {
      await work(shop, queues, run, open, options, outcomes, services.onFault);
    } finally {
      await queues.close({ abandon: options.signal?.aborted === true });
    }
  }
  const ended = [...outcomes.values()];
  if (!replay) {
    throwFaultOfMachine(ended);
    await recordFaults(services, shop.context, ended);
  }
  return ended;
}

async function work(
  shop: Workshop,
  queues: Queues,
  run: string,
  open: readonly InstrumentPlan[],
  options: RunOptions,
  outcomes: Map<string, Outcome>,
  onFault: (error: Error) => void,
): Promise<void> {
  const { frozen, frozenDigest, tenant, instruments } = shop.context;
  const replay = shop.book.isReplay;
  // A run has its batch to itself (`alone`): every job that is not of this run is of a dead one.
  await queues.clear((job) => job.run !== run);

  const jobOf = (names: string[], locale: string | null = null): StepJob => ({
    tenant,
    run,
    batch: frozen.batch.id,
    frozen: frozenDigest,
    instruments: names,
    locale,
    replay,
  });
  const nodeOf = (queue: FlowNode["queue"], name: string, job: StepJob, children: FlowNode[] = []): FlowNode => ({
    queue,
    id: `${run}-${queue}-${name.replaceAll(":", "-")}`,
    job,
    children,
  });
  const one = (job: StepJob): Instrument => {
    const found = instruments.get(job.instruments[0] as string);
    if (found === undefined) throw new AssayError("INSTRUMENT_UNKNOWN", `no ${job.instruments[0]} in the batch`);
    return found;
  };
  // What a dead run left locked comes up when its lock ends.
  const mine = (handler: (job: StepJob) => Promise<unknown>) => async (job: StepJob) => {
    if (job.run === run) await handler(job);
  };

  let end = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve;
    const stop = () => reject(options.signal?.reason);
    if (options.signal?.aborted) stop();
    options.signal?.addEventListener("abort", stop);
  });
  ended.catch(() => undefined);
  // The second path works in chunks; a card waits for its chunk instead of starting a session of its own.
  const chunkEnds = new Map<string, Promise<void>>();
  const endChunk = new Map<readonly Instrument[], () => void>();

  const chunks = chunksOf(open.filter((line) => replay || line.recalculate === null).map((line) => line.instrument));
  // Cards whose second path is recorded come first, then chunk by chunk, so that none of the first waits for the last.
  const waiting = new Set(chunks.flat());
  const chosen = [...open.map((line) => line.instrument).filter((instrument) => !waiting.has(instrument)), ...waiting];
  for (const chunk of chunks) {
    const chunkEnd = new Promise<void>((resolve) => endChunk.set(chunk, resolve));
    for (const instrument of chunk) chunkEnds.set(instrument.instrument, chunkEnd);
  }

  queues.work(
    "facts",
    2,
    mine(async (job) => facts(shop, one(job))),
  );
  queues.work(
    "peers",
    2,
    mine(async (job) => peers(shop, one(job))),
  );
  queues.work(
    "render",
    options.pages + 2,
    mine(async (job) => {
      const instrument = one(job);
      await chunkEnds.get(instrument.instrument);
      await render(shop, instrument, job.locale as never);
    }),
  );
  queues.work(
    "verify",
    16,
    mine(async (job) => {
      const instrument = one(job);
      try {
        await chunkEnds.get(instrument.instrument);
        const verified = await verify(shop, instrument);
        outcomes.set(instrument.instrument, { instrument, verified, fault: null });
      } catch (error) {
        outcomes.set(instrument.instrument, { instrument, verified: null, fault: error as Error });
      }
    }),
  );
  queues.work(
    "recalculate",
    2,
    mine(async (job) => {
      const chunk = chunks.find((each) => each[0]?.instrument === job.instruments[0]) ?? [];
      const settled = await Promise.allSettled(recalculateChunk(shop, chunk));
      endChunk.get(chunk)?.();
      // The gates see only that the second path has no result; why is for the person at the terminal.
      for (const fault of new Set(settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : [])))) {
        onFault(fault);
      }
    }),
  );
  queues.work(
    "batch",
    2,
    mine(async (job) => {
      if (job.instruments.length === 0) end();
      else await queues.add([cardsFlow()]);
    }),
  );

  const cardsFlow = () =>
    nodeOf(
      "batch",
      "ended",
      jobOf([]),
      chosen.map((instrument) =>
        nodeOf(
          "verify",
          instrument.instrument,
          jobOf([instrument.instrument]),
          frozen.batch.locales.map((locale) =>
            nodeOf("render", `${instrument.instrument}-${locale}`, jobOf([instrument.instrument], locale), [
              nodeOf("peers", `${instrument.instrument}-${locale}`, jobOf([instrument.instrument])),
            ]),
          ),
        ),
      ),
    );
  const missing = neededFacts(shop, open);
  const offer = () =>
    queues.add([
      ...chunks.map((chunk, index) =>
        nodeOf("recalculate", String(index), jobOf(chunk.map((item) => item.instrument))),
      ),
      nodeOf(
        "batch",
        "facts",
        jobOf(chosen.map((item) => item.instrument)),
        missing.map((instrument) => nodeOf("facts", instrument.instrument, jobOf([instrument.instrument]))),
      ),
    ]);
  await offer();
  // A queue that was lost under us is offered everything again: what was done is found, not worked.
  const watch = setInterval(() => {
    queues
      .isEmpty()
      .then((isLost) => (isLost ? offer() : undefined))
      .catch(() => undefined);
  }, LOOK_FOR_LOSS_MS);
  try {
    await ended;
  } finally {
    clearInterval(watch);
  }
}

/** Facts of every instrument are needed for calendars and peers; those recorded are found, not worked. */
function neededFacts(shop: Workshop, open: readonly InstrumentPlan[]): Instrument[] {
  const known = new Set(open.filter((line) => line.facts !== null).map((line) => line.instrument.instrument));
  return shop.context.frozen.instruments.filter(
    (instrument) => shop.book.isReplay || !known.has(instrument.instrument),
  );
}

/** Steps that a run will end: facts and calendars of everyone, then those of each open card. */
function stepsOf(shop: Workshop, open: readonly InstrumentPlan[]): number {
  if (open.length === 0) return 0;
  const markets = new Set(shop.context.frozen.instruments.map(({ market }) => market)).size;
  return (
    shop.context.frozen.instruments.length + markets + open.length * (3 + 2 * shop.context.frozen.batch.locales.length)
  );
}

function recordedSteps(lines: readonly InstrumentPlan[]): number {
  return lines.reduce(
    (total, line) =>
      total +
      [line.facts, line.peers, line.recalculate, line.verify].filter((recorded) => recorded !== null).length +
      (line.compose?.length ?? 0) +
      (line.render?.length ?? 0),
    0,
  );
}
