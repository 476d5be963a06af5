/**
 * Kills one process that works at many runs, each standing at its own point, with SIGKILL, and goes on with all of them; says
 * of each what stood before and what came of it. A point is what a worker passes (support/worker.ts).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { TaskState } from "../../../pipeline/agents/run-state.ts";
import { AssayError } from "../../../pipeline/domain/outcome.ts";
import type { RunEntry } from "../../../pipeline/schema/run-entry.ts";
import { readRunEntries } from "../../../pipeline/store/agents-log.ts";
import type { Database } from "../../../pipeline/store/database.ts";
import { type Child, startChild } from "../../support/child.ts";
import type { FreshDatabase } from "../../support/database.ts";
import { inTurns, type Job, work } from "./worker.ts";

const WORKER = new URL("./worker.ts", import.meta.url);
const AT_ONCE = 8;

export type Worked = Awaited<ReturnType<typeof work>>;

export function newJob(dir: string, root_id: string, wire: Job["wire"] = null, more: Partial<Job> = {}): Job {
  const effectsFile = join(dir, `${root_id}.txt`);
  writeFileSync(effectsFile, "");
  return { root_id, wire, effectsFile, haltAt: 0, ttl_ms: 3000, ...more };
}

export const effectsOf = ({ effectsFile }: Job) => readFileSync(effectsFile, "utf8").split("\n").filter(Boolean);

/** One run with nobody to disturb it, and the points it passes. */
export async function undisturbed(database: Database, job: Job): Promise<Worked & { points: string[] }> {
  const points: string[] = [];
  const worked = await work(database, "undisturbed", job, async (name) => void points.push(name));
  return { ...worked, points };
}

export function startWorker({ appUrl }: FreshDatabase, dir: string, jobs: Job[]): Child {
  const file = join(dir, `jobs-${jobs[0]!.root_id}.json`);
  writeFileSync(file, JSON.stringify(jobs));
  return startChild(WORKER, [appUrl, file]);
}

/** Where each run stood when the process was killed. `ready`: what else must have happened before. */
export async function killAll(
  fresh: FreshDatabase,
  dir: string,
  jobs: Job[],
  ready: () => Promise<void> = async () => undefined,
): Promise<Map<string, string>> {
  const child = startWorker(fresh, dir, jobs);
  const stood = new Map<string, string>();
  let rest = "";
  const all = new Promise<void>((resolve, reject) => {
    child.process.stdout!.on("data", (chunk: Buffer) => {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const [, what, root, point] = /^(halted|ended|refused) (\S+) (.*)$/.exec(line) ?? [];
        if (what === "halted") stood.set(root!, point!);
        else if (what !== undefined) reject(new Error(line));
      }
      if (stood.size === jobs.filter(({ haltAt }) => haltAt > 0).length) resolve();
    });
    child.ended.catch(reject);
  });
  try {
    await all;
    await ready();
  } finally {
    child.process.kill("SIGKILL");
  }
  await child.ended.catch(() => undefined);
  return stood;
}

/** Waits until the dead worker's lease has run out. */
export async function takeOver(database: Database, job: Job): Promise<Worked> {
  for (;;) {
    try {
      return await work(database, "heir", job, async () => undefined);
    } catch (error) {
      if (!(error instanceof AssayError) || error.code !== "RUN_LEASE_HELD") throw error;
      await setTimeout(50);
    }
  }
}

export interface Recovered {
  root_id: string;
  point: string;
  /** In the journal when the process died, and how often the effect had happened. */
  before: RunEntry[];
  sentBefore: number;
  after: RunEntry[];
  sent: number;
  task: TaskState;
}

export async function recoverAll(database: Database, jobs: Job[], stood: Map<string, string>): Promise<Recovered[]> {
  const read = (root: string) => database.inTenant("main", (tx) => readRunEntries(tx, "main", root));
  const recovered: Recovered[] = [];
  await inTurns(jobs, AT_ONCE, async (job) => {
    const { root_id } = job;
    const [before, sentBefore] = [await read(root_id), effectsOf(job).length];
    const { task } = await takeOver(database, job);
    const after = await read(root_id);
    recovered.push({
      root_id,
      point: stood.get(root_id) ?? "",
      before,
      sentBefore,
      after,
      sent: effectsOf(job).length,
      task,
    });
  });
  return recovered;
}

/** What a run that was killed came to, beside one that was not. */
export function verdictOf({ before, after, sent, sentBefore, task }: Recovered, whole: TaskState) {
  const calls = (state: TaskState) => state.turns.flatMap((each) => each.calls);
  const note = calls(task).find(({ proposed }) => proposed.tool === "send_note")!;
  const outcome = note.receipts.map((receipt) => receipt.outcome).join();
  const dispatched = (state: TaskState) => calls(state).filter(({ attempts }) => attempts > 0).length;
  const turns = (entries: RunEntry[]) =>
    entries.flatMap(({ body }) => (body.type === "turn_sealed" ? [`${body.turn.task_id}#${body.turn.seq}`] : []));
  return {
    outputs_equal: task.end?.output_digest === whole.end?.output_digest,
    journal_kept: JSON.stringify(after.slice(0, before.length)) === JSON.stringify(before),
    turns_sealed_once: new Set(turns(after)).size === turns(after).length,
    dispatched_alike: dispatched(task) === dispatched(whole),
    note: outcome,
    code: task.end?.code,
    // Known and sent, or unknown and sent at most by the process that died.
    sent_rightly: outcome === "UNKNOWN" ? sent === sentBefore : sent === 1,
  };
}

export function expectedOf({ point, before }: Recovered): ReturnType<typeof verdictOf> {
  const isMarked = before.some(({ body }) => body.type === "call_dispatched" && body.call === NOTE);
  const isSettled = before.some(({ body }) => body.type === "call_settled" && body.receipt.call === NOTE);
  const isUnknown = isMarked && !isSettled;
  if (isUnknown !== UNKNOWN_POINTS.includes(point)) throw new Error(`${point} says otherwise than the journal`);
  return {
    outputs_equal: true,
    journal_kept: true,
    turns_sealed_once: true,
    dispatched_alike: true,
    note: isUnknown ? "UNKNOWN" : "COMPLETED",
    code: isUnknown ? "UNSETTLED" : "FINISHED",
    sent_rightly: true,
  };
}

const NOTE = "main#3.2";
/** Between the mark that the effect is dispatched and its receipt. */
export const UNKNOWN_POINTS = ["before effect", "after effect", `before call_settled:${NOTE}`];
