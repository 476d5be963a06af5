/** What laws about runs are tried with: a scripted model, a journal in memory, a few real tools, a contract. */
import { z } from "zod";
import { refuseRepeats } from "../../../pipeline/agents/admission.ts";
import { handoffOutcome } from "../../../pipeline/agents/children.ts";
import type { Gateway, GatewayAnswer, GatewayRequest, ProposedCall } from "../../../pipeline/agents/gateway.ts";
import type { Host } from "../../../pipeline/agents/host.ts";
import { Journal } from "../../../pipeline/agents/journal.ts";
import { runTask } from "../../../pipeline/agents/loop.ts";
import type { TaskState } from "../../../pipeline/agents/run-state.ts";
import { defineTool, makeToolbox, type Tool } from "../../../pipeline/agents/tool.ts";
import type { TurnLog } from "../../../pipeline/agents/turn-log.ts";
import type { Receipt } from "../../../pipeline/schema/receipt.ts";
import type { RunEntry } from "../../../pipeline/schema/run-entry.ts";
import type { TaskContract, TaskRequest } from "../../../pipeline/schema/task.ts";
import type { JsonObject } from "../../../pipeline/schema/turn.ts";

export type ScriptedTurn = Partial<GatewayAnswer> | Error;
export type Script = readonly ScriptedTurn[] | ((request: GatewayRequest) => ScriptedTurn);

export function call(tool: string, args: JsonObject | null = {}, call_id?: string): ProposedCall {
  const id = call_id ?? `${tool}-${JSON.stringify(args).slice(0, 60)}`;
  return { call_id: id, tool, arguments: args, malformed: args === null ? "not JSON" : null };
}

export const finish = () => call("finish");
export const turn = (...calls: ProposedCall[]): ScriptedTurn => ({ calls });

/** A list is answered in order, one turn a request; after its end every answer is empty. */
export function scriptedGateway(script: Script, requests: GatewayRequest[] = []): Gateway {
  return {
    provider: "scripted",
    async answer(request) {
      requests.push(structuredClone(request));
      const said = typeof script === "function" ? script(request) : (script[requests.length - 1] ?? {});
      if (said instanceof Error) throw said;
      return {
        text: "",
        calls: [],
        stop: (said.calls ?? []).length > 0 ? "calls" : "end",
        discarded: [],
        usage: { input_tokens: 100, cached_input_tokens: 0, output_tokens: 50 },
        cost_microusd: 10,
        latency_ms: 1,
        attempts: 1,
        ...said,
      };
    },
  };
}

/** Keeps what was appended; `before` and `after` see each append, and may throw. */
export class MemoryLog implements TurnLog {
  readonly root_id: string;
  readonly fence: number;
  readonly entries: RunEntry[];
  readonly stored: Map<string, unknown>;
  before: (entries: readonly RunEntry[]) => void = () => undefined;
  after: (entries: readonly RunEntry[]) => void = () => undefined;

  constructor(root_id = "run-1", earlier?: MemoryLog) {
    this.root_id = root_id;
    this.fence = (earlier?.fence ?? 0) + 1;
    this.entries = [...(earlier?.entries ?? [])];
    this.stored = new Map(earlier?.stored);
  }
  async read() {
    return structuredClone(this.entries);
  }
  async append(entries: readonly RunEntry[], documents: readonly { digest: string; document: unknown }[]) {
    this.before(entries);
    this.entries.push(...structuredClone(entries));
    for (const { digest, document } of documents) this.stored.set(digest, structuredClone(document));
    this.after(entries);
  }
  async documents(digests: readonly string[]) {
    return new Map(digests.map((digest) => [digest, this.stored.get(digest)]));
  }
}

/** What the tools of a test did, in order. */
export interface Traces {
  ran: string[];
}

export function testTools({ ran }: Traces): Tool[] {
  const read = { effect: "read" as const, version: "1" };
  return [
    defineTool({
      ...read,
      name: "read_facts",
      description: "Figures of an instrument.",
      input: z.strictObject({ instrument: z.string().max(40) }),
      scope: ({ instrument }) => ({ read: [`facts:${instrument}`] }),
      run({ instrument }) {
        ran.push(`read_facts ${instrument}`);
        if (instrument === "US:NONE") return { status: "EMPTY", code: "NOTHING_FOUND" };
        if (instrument === "US:FAIL") return { status: "FAILED", code: "SOURCE_MISSING", message: "no source has it" };
        if (instrument === "US:THROW") throw new Error("boom");
        return {
          status: "OK",
          content: { instrument, figures: [{ id: "total_return.1y", printed: "5.1%" }] },
          sources: [{ id: `facts:${instrument}`, range: "total_return.1y" }],
        };
      },
    }),
    defineTool({
      ...read,
      name: "submit",
      description: "Hands in claims.",
      input: z.strictObject({ text: z.string(), references: z.array(z.string()) }),
      scope: () => ({}),
      run({ text, references }) {
        ran.push(`submit ${text}`);
        return {
          status: "OK",
          content: { accepted: 1 },
          outputs: [{ name: "claims", document: { text }, references }],
        };
      },
    }),
    defineTool({
      ...read,
      name: "request_tool",
      description: "Asks for a tool that is held ready, or gives one back.",
      input: z.strictObject({ grant: z.string().optional(), withdraw: z.string().optional() }),
      scope: () => ({}),
      run({ grant, withdraw }) {
        ran.push("request_tool");
        const surface = {
          grant: grant === undefined ? [] : [grant],
          withdraw: withdraw === undefined ? [] : [withdraw],
        };
        return { status: "OK", content: null, surface };
      },
    }),
    defineTool({
      ...read,
      name: "search_text",
      description: "Searches payloads.",
      input: z.strictObject({ query: z.string() }),
      scope: () => ({ read: ["payloads:all"] }),
      run({ query }) {
        ran.push(`search_text ${query}`);
        return { status: "OK", content: { query }, sources: [{ id: "payload:1", range: null }] };
      },
    }),
    defineTool({
      ...read,
      name: "ask_user",
      description: "Asks a person.",
      input: z.strictObject({ question: z.string(), blocking: z.boolean() }),
      scope: () => ({}),
      run({ question, blocking }) {
        ran.push(`ask_user ${question}`);
        return { status: "OK", content: { interaction: "i-1" }, parks: blocking };
      },
    }),
    defineTool({
      name: "send_note",
      version: "1",
      effect: "write",
      description: "Has an effect.",
      input: z.strictObject({ to: z.string(), fault: z.boolean().default(false) }),
      scope: ({ to }) => ({ write: [`notes:${to}`] }),
      run({ to, fault }) {
        ran.push(`send_note ${to}`);
        if (fault) throw new Error("the line broke");
        return { status: "OK", content: { sent: true } };
      },
    }),
    defineTool({
      ...read,
      name: "delegate",
      description: "Gives a part to a child.",
      input: z.strictObject({ role: z.string(), instrument: z.string(), requests: z.number().int().default(6) }),
      scope: () => ({}),
      async run({ role, instrument, requests }, { contract, call: key, runChild }) {
        const task_id = `${contract.task_id}/${key.split("#")[1]}`;
        const handoff = await runChild(
          {
            ...contract,
            task_id,
            parent_id: contract.task_id,
            role,
            tools: {
              offered: ["read_facts", "submit", "ask_user"].filter((each) => contract.tools.offered.includes(each)),
              on_request: [],
            },
            scopes: { read: [`facts:${instrument}`], write: [] },
            budget: { ...contract.budget, requests: Math.min(requests, contract.budget.requests) },
          },
          { schema: "task_request/v1", words: `Read ${instrument}.`, blocks: [] },
        );
        return handoffOutcome(handoff);
      },
    }),
  ];
}

export function contractOf(changes: Partial<TaskContract> = {}): TaskContract {
  return {
    schema: "task_contract/v1",
    tenant: "main",
    root_id: "run-1",
    task_id: "main",
    parent_id: null,
    subject: "US:SPY",
    role: "analyst",
    inputs: [],
    tools: {
      offered: ["read_facts", "submit", "request_tool", "send_note", "delegate", "ask_user"],
      on_request: ["search_text"],
    },
    scopes: { read: ["facts:*", "payloads:all"], write: ["notes:desk"] },
    budget: { requests: 12, tokens: 100_000, money_microusd: 1_000_000, wall_ms: 3_600_000 },
    stop_rule: "finish",
    retry: { failures: 2, idle_turns: 1 },
    calls_per_turn: 8,
    expert: null,
    ...changes,
  };
}

export const REQUEST: TaskRequest = {
  schema: "task_request/v1",
  words: "Research US:SPY. Never mention rivals.",
  blocks: [],
};

export interface Trial {
  contract?: Partial<TaskContract>;
  request?: TaskRequest;
  /** By role; a list is the analyst's. */
  scripts: readonly ScriptedTurn[] | Record<string, Script>;
  host?: Partial<Host>;
  log?: MemoryLog;
  tools?: readonly Tool[];
  traces?: Traces;
  characters_max?: number;
}

export interface Tried {
  task: TaskState;
  journal: Journal;
  log: MemoryLog;
  ran: string[];
  requests: GatewayRequest[];
  receipts: Receipt[];
  host: Host;
}

/** A second past the one before at each look. */
export function tickingClock(start = "2026-05-04T00:00:00.000Z"): () => string {
  let at = Date.parse(start);
  return () => {
    at += 1000;
    return new Date(at).toISOString();
  };
}

export async function tryRun(trial: Trial): Promise<Tried> {
  const traces = trial.traces ?? { ran: [] };
  const requests: GatewayRequest[] = [];
  const scripts = Array.isArray(trial.scripts) ? { analyst: trial.scripts } : (trial.scripts as Record<string, Script>);
  const gateways = Object.fromEntries(
    Object.entries(scripts).map(([role, script]) => {
      const own: GatewayRequest[] = role === "analyst" ? requests : [];
      return [role, scriptedGateway(script, own)];
    }),
  );
  const host: Host = {
    modelFor: ({ role }) => ({
      gateway: gateways[role] ?? scriptedGateway([]),
      model: "m-1",
      settings: { max_output_tokens: 1000, temperature: null },
      timeout_ms: 60_000,
      characters_max: trial.characters_max ?? 400_000,
    }),
    roleText: ({ role }) => `You are the ${role}.`,
    toolbox: makeToolbox([...testTools(traces), ...(trial.tools ?? [])]),
    rules: [refuseRepeats(3)],
    now: tickingClock(),
    signal: new AbortController().signal,
    ...trial.host,
  };
  const log = trial.log ?? new MemoryLog();
  const journal = await Journal.open(log, host.now);
  const task = await runTask(host, journal, contractOf(trial.contract), trial.request ?? REQUEST);
  const receipts = [...journal.run.tasks.values()].flatMap(({ turns }) =>
    turns.flatMap(({ calls }) => calls.flatMap((each) => each.receipts)),
  );
  return { task, journal, log, ran: traces.ran, requests, receipts, host };
}

/** Entry types in order, with what they are about. */
export function storyOf(log: MemoryLog): string[] {
  return log.entries.map(({ body }) => {
    if (body.type === "call_dispatched") return `${body.type} ${body.call}@${body.attempt}`;
    if (body.type === "call_settled") return `${body.type} ${body.receipt.call} ${body.receipt.outcome}`;
    if (body.type === "task_ended") return `${body.type} ${body.end.code}`;
    return body.type;
  });
}
