/**
 * One run of a composer over one product's documents: the agents' own loop with a journal in memory. The built-in composer is
 * deterministic, so what is lost with the process is composed again alike. Gives what was handed in, with turns and receipts.
 */
import type { Gateway } from "../agents/gateway.ts";
import { Journal } from "../agents/journal.ts";
import { runTask } from "../agents/loop.ts";
import { outputsOf, receiptsOf } from "../agents/run-state.ts";
import { makeToolbox } from "../agents/tool.ts";
import type { TurnLog } from "../agents/turn-log.ts";
import type { ComposeRun, SubmittedClaims } from "../schema/composed.ts";
import type { TaskContract, TaskRequest } from "../schema/task.ts";
import { type ComposerDesk, composerTools } from "./tools.ts";

export interface ComposerRun {
  submitted: SubmittedClaims | null;
  end: string;
  run: ComposeRun;
}

export interface ComposerTerms {
  tenant: string;
  gateway: Gateway;
  model: string;
  now: () => string;
  signal: AbortSignal;
}

/** Far more than four turns need, and little enough that a composer that goes in circles ends. */
const BUDGET = { requests: 12, tokens: 400_000, money_microusd: null, wall_ms: 300_000 };

export async function runComposer(desk: ComposerDesk, terms: ComposerTerms): Promise<ComposerRun> {
  const { gateway, model, now, signal } = terms;
  const tools = composerTools(desk);
  const contract = contractFor(
    desk,
    terms.tenant,
    tools.map(({ name }) => name),
  );
  const journal = await Journal.open(memoryLog(contract.root_id), now);
  const task = await runTask(
    {
      modelFor: () => ({
        gateway,
        model,
        settings: { max_output_tokens: 16_000, temperature: null },
        timeout_ms: 120_000,
        characters_max: 400_000,
      }),
      roleText: () => ROLE,
      toolbox: makeToolbox(tools),
      rules: [],
      now,
      signal,
    },
    journal,
    contract,
    REQUEST,
  );
  const handedIn = outputsOf(task).find(({ name }) => name === "claims");
  return {
    submitted: handedIn === undefined ? null : journal.document<SubmittedClaims>(handedIn.digest),
    end: task.end?.code ?? "",
    run: {
      schema: "compose_run/v1",
      turns: task.turns.map(({ turn }) => turn),
      receipts: receiptsOf(task).map(({ clock: _, ...receipt }) => receipt),
    },
  };
}

const ROLE = `You propose the sentences of a research card. Each is one atomic statement, bound to figures of the product by places
{name}; you never write a numeral, and you say up, down, above or below only of a figure whose sign says so.
Say nothing about causes. Give at least one risk and one counter-point.`;

const REQUEST: TaskRequest = {
  schema: "task_request/v1",
  words: "Look at the product's figures, its research and its peers, and hand in the claims for its card.",
  blocks: [],
};

function contractFor({ product, locale }: ComposerDesk, tenant: string, offered: string[]): TaskContract {
  const { instrument } = product;
  return {
    schema: "task_contract/v1",
    tenant,
    root_id: `compose/${instrument}/${locale}`,
    task_id: "main",
    parent_id: null,
    subject: instrument,
    role: "composer",
    inputs: [],
    tools: { offered, on_request: [] },
    scopes: { read: [`facts:${instrument}`, `research:${instrument}`], write: [] },
    budget: BUDGET,
    stop_rule: "finish",
    retry: { failures: 2, idle_turns: 1 },
    calls_per_turn: 16,
    expert: null,
  };
}

function memoryLog(root_id: string): TurnLog {
  return { root_id, fence: 1, read: async () => [], documents: async () => new Map(), append: async () => undefined };
}
