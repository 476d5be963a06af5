/** A place where people and scripted runs meet on real Postgres: a person says something, a worker works at the run. */
import { randomUUID } from "node:crypto";
import { type Said, say } from "../../../pipeline/agents/conversation/converse.ts";
import type { RunOutcome } from "../../../pipeline/agents/conversation/run-starter.ts";
import { makeRunStarter } from "../../../pipeline/agents/conversation/start-run.ts";
import { type ConsultTerms, consultExpert } from "../../../pipeline/agents/experts/consult.ts";
import { updateTask } from "../../../pipeline/agents/experts/update-task.ts";
import type { GatewayRequest } from "../../../pipeline/agents/gateway.ts";
import { respond } from "../../../pipeline/agents/interactions/act.ts";
import { askUser } from "../../../pipeline/agents/interactions/ask-user.ts";
import { requestPermission } from "../../../pipeline/agents/interactions/request-permission.ts";
import { openRequests } from "../../../pipeline/agents/interactions/requests.ts";
import { makeToolbox, type Tool } from "../../../pipeline/agents/tool.ts";
import type { Answer } from "../../../pipeline/schema/interaction.ts";
import type { MessageBody } from "../../../pipeline/schema/message.ts";
import type { TaskContract } from "../../../pipeline/schema/task.ts";
import { readRunEntries } from "../../../pipeline/store/agents-log.ts";
import type { Database, Tx } from "../../../pipeline/store/database.ts";
import { contractOf, type Script, scriptedGateway, testTools } from "../support/runs.ts";

export const FROZEN = "f".repeat(64);
export const ASK: Extract<MessageBody, { kind: "ask" }> = {
  kind: "ask",
  text: "How did it do? Never mention rivals.",
  batch: "demo",
  cards: ["US:SPY"],
  entry: "research",
  expert: null,
};

export interface Clock {
  now(): string;
  /** Goes on by so much. */
  pass(ms: number): void;
}

export function makeClock(start = "2026-05-04T00:00:00.000Z"): Clock {
  let at = Date.parse(start);
  return {
    now: () => new Date(++at).toISOString(),
    pass: (ms) => {
      at += ms;
    },
  };
}

export interface Meeting {
  clock: Clock;
  inTenant<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  say(body: MessageBody, terms?: { id?: string; sender?: string }): Promise<Said>;
  /** Works at the run with this script (by role; a list is the root's), and says how it came out. */
  work(said: Said, scripts: Script | Record<string, Script>, terms?: WorkTerms): Promise<RunOutcome>;
  /** What the root's model was sent by the last worker, request by request. */
  sent: GatewayRequest[];
  sentTo: Record<string, GatewayRequest[]>;
  answer(interactionId: string, answer: Answer, terms?: { id?: string; account?: string }): Promise<unknown>;
  entries(said: Said): ReturnType<typeof readRunEntries>;
}

export interface WorkTerms {
  contract?: Partial<TaskContract>;
  tools?: readonly Tool[];
  consult?: ConsultTerms;
  open_ms?: number;
  /** Called before each request of the root. */
  before?: (request: number) => Promise<void>;
  holder?: string;
  /** What fits into a request. */
  characters_max?: number;
}

export function meet(database: Database, tenant = "main"): Meeting {
  const clock = makeClock();
  const inTenant = <T>(work: (tx: Tx) => Promise<T>) => database.inTenant(tenant, work);
  const meeting: Meeting = {
    clock,
    inTenant,
    sent: [],
    sentTo: {},
    say: (body, { id = randomUUID(), sender = "cli" } = {}) =>
      inTenant((tx) =>
        say(
          tx,
          {
            tenant,
            sender,
            client_message_id: id,
            new_root: randomUUID(),
            at: clock.now(),
            freeze: async () => ({ frozen: FROZEN, desk: FROZEN, model: "scripted:m-1", mcp: [] }),
          },
          body,
        ),
      ),
    async work({ message }, scripts, terms = {}) {
      const byRole = Array.isArray(scripts) || typeof scripts === "function" ? { analyst: scripts } : scripts;
      meeting.sentTo = {};
      meeting.sent = [];
      meeting.sentTo.analyst = meeting.sent;
      const starter = makeRunStarter({
        database,
        tenant,
        holder: terms.holder ?? randomUUID(),
        lease_ms: 60_000,
        now: clock.now,
        async planRun(begun, catalogue) {
          const requests = openRequests(database, tenant, clock.now);
          const open_ms = terms.open_ms ?? 3_600_000;
          const ask = askUser(requests, { recipient: begun.sender, open_ms });
          const permission = requestPermission(requests, { open_ms });
          const consult = consultExpert(
            catalogue,
            terms.consult ?? { tools: ["read_facts", "submit", "ask_user", "update_task"], requests: 4 },
          );
          const others = testTools({ ran: [] }).filter(({ name }) => name !== ask.name);
          const tools = [...others, ask, permission, consult, updateTask, ...(terms.tools ?? [])];
          const base = contractOf();
          return {
            host: {
              modelFor: ({ role }) => {
                meeting.sentTo[role] ??= [];
                const own = meeting.sentTo[role];
                const script = byRole[role as keyof typeof byRole] as Script | undefined;
                const inner = scriptedGateway(fromTurn(script ?? []), own);
                return {
                  gateway: {
                    provider: "scripted",
                    async answer(request, signal) {
                      if (role === "analyst") await terms.before?.(turnOf(request));
                      return inner.answer(request, signal);
                    },
                  },
                  model: "m-1",
                  settings: { max_output_tokens: 1000, temperature: null },
                  timeout_ms: 60_000,
                  characters_max: terms.characters_max ?? 400_000,
                };
              },
              roleText: ({ role }) => `You are the ${role}.`,
              toolbox: makeToolbox(tools),
              rules: [],
            },
            contract: {
              ...base,
              tenant,
              root_id: begun.root_id,
              tools: {
                offered: [
                  ...new Set([
                    ...base.tools.offered,
                    "ask_user",
                    "consult_expert",
                    "update_task",
                    "request_permission",
                  ]),
                ],
                on_request: base.tools.on_request,
              },
              ...terms.contract,
            },
            request: { schema: "task_request/v1", words: begun.terms.ask.text, blocks: [] },
          };
        },
      });
      return starter.start(message, new AbortController().signal);
    },
    answer: (interaction_id, given, { id = randomUUID(), account = "cli" } = {}) =>
      inTenant((tx) =>
        respond(
          tx,
          { tenant, at: clock.now() },
          { account, is_authenticated: account !== "cli" },
          {
            interaction_id,
            revision: 1,
            client_response_id: id,
            answer: given,
          },
        ),
      ),
    entries: ({ message }) => inTenant((tx) => readRunEntries(tx, tenant, message.root_id)),
  };
  return meeting;
}

/** A list is answered by the turns that the model has behind it, as a new worker's model knows nothing else. */
function fromTurn(script: Script): Script {
  return typeof script === "function" ? script : (request) => script[turnOf(request)] ?? {};
}

function turnOf({ messages }: GatewayRequest): number {
  return messages.filter(({ role }) => role === "assistant").length;
}

/** All texts of a request in which people or the host speak. */
export function spoken({ messages }: GatewayRequest): string {
  return messages.map((message) => (message.role === "user" ? message.text : "")).join("\n");
}
