/**
 * BullMQ behind one door: on the same Postgres by default, on Redis with a redis URL. Payloads hold ids only; losing the
 * queue loses no truth, since every handler looks up what is recorded before it works.
 */
import type { FlowJob, Job, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { Pool } from "pg";

export type QueueName = "facts" | "peers" | "render" | "recalculate" | "verify" | "batch";
export const QUEUE_NAMES: readonly QueueName[] = ["facts", "peers", "render", "recalculate", "verify", "batch"];

/** What a job carries: the run that asked, the frozen batch by digest, and what to work on. */
export interface StepJob {
  tenant: string;
  run: string;
  batch: string;
  frozen: string;
  instruments: string[];
  locale: string | null;
  replay: boolean;
}

export interface FlowNode {
  queue: QueueName;
  id: string;
  job: StepJob;
  children?: FlowNode[];
}

export interface Queues {
  /** Adds trees of jobs; a parent runs when all its children have ended. */
  add(flows: FlowNode[]): Promise<void>;
  work(queue: QueueName, concurrency: number, handler: (job: StepJob) => Promise<void>): void;
  /** Removes what an earlier, dead run of the batch left behind. */
  clear(isDead: (job: StepJob) => boolean): Promise<void>;
  /** Whether no job is left, ended ones apart: before the end of a run, that it was lost. */
  isEmpty(): Promise<boolean>;
  /** Waits for the jobs under way, unless they are to be abandoned. */
  close(options?: { abandon: boolean }): Promise<void>;
}

export type QueueBackend = { kind: "postgres"; pool: Pool } | { kind: "redis"; url: string };

/** A killed worker's job is taken again after this; a handler may block the event loop for at most half of it. */
const LOCK_MS = 15_000;

/**
 * `scope` names whose queues these are (tenant and batch). Queues shared by batches would let one process take, and by
 * taking end, the jobs of another's run.
 */
export async function openQueues(
  backend: QueueBackend,
  scope: string,
  onFault: (error: Error) => void,
): Promise<Queues> {
  const bullmq = await import("bullmq");
  let redis: Redis | undefined;
  if (backend.kind === "redis") {
    const ioredis = await import("ioredis");
    redis = new ioredis.Redis(backend.url, { maxRetriesPerRequest: null });
  } else {
    bullmq.setDefaultBackendFactory(bullmq.createPostgresBackend as never);
  }
  const connection = (redis ?? (backend as { pool: Pool }).pool) as never;
  const options = { connection, prefix: "assay", skipVersionCheck: true };
  const nameOf = (queue: QueueName) => `${scope}/${queue}`;
  const workers: Worker[] = [];
  const producer = new bullmq.FlowProducer(options);
  producer.on("error", onFault);
  const queues = QUEUE_NAMES.map((name) => new bullmq.Queue<StepJob>(nameOf(name), options));
  for (const queue of queues) queue.on("error", onFault);

  return {
    async add(flows) {
      if (flows.length > 0) await producer.addBulk(flows.map((flow) => toFlowJob(flow, nameOf)));
    },
    work(queue, concurrency, handler) {
      const worker = new bullmq.Worker(nameOf(queue), async (job: Job<StepJob>) => handler(job.data), {
        ...options,
        concurrency,
        lockDuration: LOCK_MS,
        stalledInterval: 5_000,
        maxStalledCount: 3,
        drainDelay: 1,
      });
      worker.on("error", onFault);
      worker.on("failed", (_job, error) => onFault(error));
      workers.push(worker);
    },
    async clear(isDead) {
      for (const queue of queues) {
        const jobs = await queue.getJobs(["waiting", "waiting-children", "delayed", "prioritized", "active", "failed"]);
        // An active job of a killed worker is still locked: it is left, and its handler finds that its run is dead.
        await Promise.allSettled(jobs.filter((job) => isDead(job.data)).map((job) => job.remove()));
      }
    },
    async isEmpty() {
      for (const queue of queues) {
        if ((await queue.getJobCountByTypes("waiting", "waiting-children", "active", "delayed", "prioritized")) > 0) {
          return false;
        }
      }
      return true;
    },
    async close({ abandon } = { abandon: false }) {
      await Promise.allSettled(workers.map((worker) => worker.close(abandon)));
      await Promise.allSettled([producer, ...queues].map((item) => item.close()));
      redis?.disconnect();
    },
  };
}

function toFlowJob(node: FlowNode, nameOf: (queue: QueueName) => string): FlowJob {
  return {
    name: node.queue,
    queueName: nameOf(node.queue),
    data: node.job,
    opts: { jobId: node.id, removeOnComplete: true, removeOnFail: true, attempts: 1, ignoreDependencyOnFailure: true },
    children: (node.children ?? []).map((child) => toFlowJob(child, nameOf)),
  };
}
