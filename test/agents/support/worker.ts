/**
 * A process of its own that works at one run on real Postgres: `worker.ts APP_URL ROOT EFFECTS_FILE KILL_AT [stay]`. It counts
 * the points it passes and kills itself with SIGKILL at one of them; 0: at none. `stay`: its effect waits a while. Points lie
 * before each append, in each request, on both sides of the effect, and at the end: in between nothing outside changes.
 */
import { appendFileSync } from "node:fs";
import { z } from "zod";
import { Journal } from "../../../pipeline/agents/journal.ts";
import { runTask } from "../../../pipeline/agents/loop.ts";
import { defineTool, makeToolbox } from "../../../pipeline/agents/tool.ts";
import { AssayError } from "../../../pipeline/domain/outcome.ts";
import { type Lease, withLease } from "../../../pipeline/store/agents-lease.ts";
import { openRunLog } from "../../../pipeline/store/agents-log.ts";
import { type Database, openDatabase } from "../../../pipeline/store/database.ts";
import { call, contractOf, finish, REQUEST, scriptedGateway, testTools, turn } from "./runs.ts";

/** How long a run stays taken by a worker that is dead. */
export const TTL_MS = 400;

const SCRIPTS = {
  analyst: [
    turn(call("read_facts", { instrument: "US:SPY" }), call("nope"), call("read_facts", { instrument: "US:NONE" })),
    turn(call("delegate", { role: "challenger", instrument: "US:QQQ" })),
    turn(call("submit", { text: "up", references: ["facts:US:SPY"] }), call("send_note", { to: "desk" })),
    turn(finish()),
  ],
  challenger: [
    turn(call("read_facts", { instrument: "US:QQQ" })),
    turn(call("submit", { text: "doubtful", references: ["facts:US:QQQ"] }), finish()),
  ],
};

interface Work {
  database: Database;
  root_id: string;
  holder: string;
  effectsFile: string;
  point: () => void;
  pauseInEffect?: () => Promise<void>;
}

/** One worker's stint. The model's answers follow from what it is sent, as a new process knows nothing else. */
export async function work({ database, root_id, holder, effectsFile, point, pauseInEffect }: Work) {
  const terms = { tenant: "main", root_id, holder, ttl_ms: TTL_MS };
  return withLease(database, terms, (lease) => workUnder(lease));

  async function workUnder(lease: Lease) {
    const log = openRunLog(database, "main", lease);
    const append = log.append;
    log.append = async (entries, documents) => {
      point();
      await append(entries, documents);
    };
    const modelFor = ({ role }: { role: string }) => ({
      gateway: scriptedGateway(({ messages }) => {
        point();
        return SCRIPTS[role as "analyst"][messages.filter((message) => message.role === "assistant").length] ?? {};
      }),
      model: "m-1",
      settings: { max_output_tokens: 1000, temperature: null },
      timeout_ms: 60_000,
      characters_max: 400_000,
    });
    const tools = testTools({ ran: [] }).filter(({ name }) => name !== "send_note");
    const sendNote = defineTool({
      name: "send_note",
      version: "1",
      effect: "write",
      description: "Has an effect outside.",
      input: z.strictObject({ to: z.string() }),
      scope: ({ to }) => ({ write: [`notes:${to}`] }),
      async run({ to }, context) {
        point();
        appendFileSync(effectsFile, `${root_id} ${context.call} ${to}\n`);
        point();
        await pauseInEffect?.();
        return { status: "OK", content: { sent: true } };
      },
    });
    const now = () => new Date().toISOString();
    const host = {
      modelFor,
      roleText: () => "Research.",
      toolbox: makeToolbox([...tools, sendNote]),
      rules: [],
      now,
      signal: new AbortController().signal,
    };
    const journal = await Journal.open(log, now);
    const task = await runTask(host, journal, contractOf({ root_id }), REQUEST);
    point();
    return { task, journal };
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [databaseUrl, root_id, effectsFile, killAt, stay] = process.argv.slice(2);
  const database = await openDatabase({ dataDir: "/nowhere", databaseUrl });
  let passed = 0;
  const point = () => {
    passed += 1;
    if (passed === Number(killAt)) process.kill(process.pid, "SIGKILL");
  };
  const pauseInEffect = async () => {
    console.log("in effect");
    await new Promise((resolve) => setTimeout(resolve, 500));
  };
  try {
    const { task } = await work({
      database,
      root_id: root_id!,
      holder: `worker-${process.pid}`,
      effectsFile: effectsFile!,
      point,
      ...(stay === undefined ? {} : { pauseInEffect }),
    });
    console.log(`ended ${task.end?.code}`);
  } catch (error) {
    console.log(`refused ${error instanceof AssayError ? error.code : String(error)}`);
  }
  await database.close();
}
