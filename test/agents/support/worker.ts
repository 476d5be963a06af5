/**
 * A process of its own that works at runs on real Postgres: `worker.ts APP_URL JOBS_FILE`, each job to a point at which it
 * stands still. It says `halted ROOT POINT`, and is killed when all stand: for each run alike, the process died right there.
 * Points lie before each append, on both sides of each request and of the effect, and at the end: nothing outside changes in between.
 */
import { appendFileSync, readFileSync } from "node:fs";
import type { Gateway } from "../../../pipeline/agents/gateway.ts";
import { gatewayOpener } from "../../../pipeline/agents/gateways/open.ts";
import { Journal } from "../../../pipeline/agents/journal.ts";
import { runTask } from "../../../pipeline/agents/loop.ts";
import { makeToolbox } from "../../../pipeline/agents/tool.ts";
import { AssayError } from "../../../pipeline/domain/outcome.ts";
import type { RunEntry } from "../../../pipeline/schema/run-entry.ts";
import { type Lease, withLease } from "../../../pipeline/store/agents-lease.ts";
import { openRunLog } from "../../../pipeline/store/agents-log.ts";
import { type Database, openDatabase } from "../../../pipeline/store/database.ts";
import type { WireProvider } from "../wire/script.ts";
import { wireOptions } from "../wire/settings.ts";
import { contractFor, requestFor, TURNS, taskTools } from "./claims-task.ts";
import { scriptedGateway } from "./runs.ts";

export interface Job {
  root_id: string;
  /** Null: the turns come from the process itself. */
  wire: { provider: WireProvider; url: string } | null;
  effectsFile: string;
  /** Counted from one; 0: none. */
  haltAt: number;
  /** How long the effect waits after it happened. */
  pause_ms?: number;
  ttl_ms: number;
}

/** Called at each point with its name; what it awaits, the run waits for. */
export type AtPoint = (name: string) => Promise<void>;

/** One worker's stint. */
export function work(database: Database, holder: string, job: Job, at: AtPoint) {
  const { root_id, ttl_ms } = job;
  return withLease(database, { tenant: "main", root_id, holder, ttl_ms }, (lease) =>
    workUnder(database, lease, job, at),
  );
}

async function workUnder(database: Database, lease: Lease, { root_id, wire, effectsFile, pause_ms }: Job, at: AtPoint) {
  const log = openRunLog(database, "main", lease);
  const append = log.append;
  log.append = async (entries, documents) => {
    await at(`before ${entries.map(nameOf).join(" ")}`);
    await append(entries, documents);
  };
  const opened = wire && (await gatewayOpener(wireOptions(wire.url))(`${wire.provider}:m-1`));
  const gatewayOf = (role: string): Gateway => {
    const inner =
      opened?.gateway ??
      scriptedGateway(({ messages }) => {
        const turn = messages.filter((message) => message.role === "assistant").length;
        const calls = TURNS[role]![turn]!.map(({ tool, arguments: args }, index) => {
          return { call_id: `call_${turn + 1}_${index + 1}`, tool, arguments: args as never, malformed: null };
        });
        return { calls };
      });
    return {
      provider: inner.provider,
      async answer(request, signal) {
        await at("request");
        const answer = await inner.answer(request, signal);
        await at("answer");
        return answer;
      },
    };
  };
  const tools = taskTools(async ({ call }) => {
    await at("before effect");
    appendFileSync(effectsFile, `${root_id} ${call}\n`);
    await at("after effect");
    await new Promise((resolve) => setTimeout(resolve, pause_ms ?? 0));
  });
  const now = () => new Date().toISOString();
  const host = {
    modelFor: ({ role }: { role: string }) => ({
      gateway: gatewayOf(role),
      model: "m-1",
      settings: { max_output_tokens: 1000, temperature: null },
      timeout_ms: 60_000,
      characters_max: 400_000,
    }),
    roleText: ({ role }: { role: string }) => `You are the ${role}.`,
    toolbox: makeToolbox(tools),
    rules: [],
    now,
    signal: new AbortController().signal,
  };
  const journal = await Journal.open(log, now);
  const task = await runTask(host, journal, contractFor(root_id), requestFor(root_id));
  await at("end");
  return { task, journal };
}

function nameOf({ body }: RunEntry): string {
  if (body.type === "call_dispatched") return `${body.type}:${body.call}`;
  return body.type === "call_settled" ? `${body.type}:${body.receipt.call}` : body.type;
}

/** So many at a time: a run that stands still makes room for the next. */
export async function inTurns<T>(jobs: readonly T[], most: number, each: (job: T) => Promise<void>): Promise<void> {
  const queue = [...jobs];
  await Promise.all(
    Array.from({ length: most }, async () => {
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) await each(job);
    }),
  );
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [databaseUrl, jobsFile] = process.argv.slice(2);
  const database = await openDatabase({ dataDir: "/nowhere", databaseUrl });
  const jobs = JSON.parse(readFileSync(jobsFile!, "utf8")) as Job[];
  await inTurns(jobs, 8, (job) => {
    const ended = (async () => {
      try {
        const { task } = await work(database, `worker-${process.pid}`, job, passing);
        console.log(`ended ${job.root_id} ${task.end?.code}`);
      } catch (error) {
        console.log(`refused ${job.root_id} ${error instanceof AssayError ? error.code : String(error)}`);
      }
    })();
    let passed = 0;
    let halt: () => void = () => undefined;
    const halted = new Promise<void>((resolve) => {
      halt = resolve;
    });
    async function passing(name: string): Promise<void> {
      passed += 1;
      if (passed !== job.haltAt) return console.log(`passed ${job.root_id} ${name}`);
      console.log(`halted ${job.root_id} ${name}`);
      halt();
      await new Promise(() => undefined);
    }
    return Promise.race([ended, halted]);
  });
  await database.close();
}
