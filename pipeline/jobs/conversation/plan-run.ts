/**
 * What a run of people is made of, from the message that began it and from nothing else: contract, request, tools and model. The
 * same for the same beginning, so that a run that goes on is the run it was. Contracts are compiled here, never by a model.
 */
import { type PreCallRule, refuseRepeats } from "../../agents/admission.ts";
import type { RunPlan } from "../../agents/conversation/start-run.ts";
import { CONSULT, consultExpert } from "../../agents/experts/consult.ts";
import { ownMethods } from "../../agents/experts/delivery.ts";
import { updateTask } from "../../agents/experts/update-task.ts";
import type { Gateway } from "../../agents/gateway.ts";
import type { OpenedModel } from "../../agents/gateways/open.ts";
import { askUser } from "../../agents/interactions/ask-user.ts";
import { requestPermission } from "../../agents/interactions/request-permission.ts";
import { openRequests } from "../../agents/interactions/requests.ts";
import { withApproval } from "../../agents/interactions/with-approval.ts";
import { makeToolbox, type Tool } from "../../agents/tool.ts";
import { comparePeers } from "../../compose/tools/compare-peers.ts";
import { type Desk, readScopes } from "../../compose/tools/desk.ts";
import { listFacts } from "../../compose/tools/list-facts.ts";
import { readCausalEdges } from "../../compose/tools/read-causal-edges.ts";
import { readEvidence } from "../../compose/tools/read-evidence.ts";
import { readFacts } from "../../compose/tools/read-facts.ts";
import { readResearch } from "../../compose/tools/read-research.ts";
import { readSealedVersion } from "../../compose/tools/read-sealed-version.ts";
import { recalculateFigures } from "../../compose/tools/recalculate.ts";
import { searchPayloads } from "../../compose/tools/search-payloads.ts";
import { SUBMIT_ANSWER, submitAnswer } from "../../compose/tools/submit-answer.ts";
import type { Catalogue } from "../../schema/expert.ts";
import type { RunTerms } from "../../schema/message.ts";
import type { Budget, TaskContract, TaskRequest } from "../../schema/task.ts";
import type { Database } from "../../store/database.ts";
import type { StoredMessage } from "../../store/messages.ts";
import type { RunContext } from "../context.ts";
import { builtinAnswerer } from "./builtin-answerer.ts";
import { openDesk, readFrozenDesk } from "./frozen-desk.ts";
import { ANSWER_OF_ROOT, type AnswerFile, saveAnswer } from "./save-answer.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** How long a question, a permission request and a proposal stay open. */
const OPEN_MS = DAY;

/** Time goes on while a run waits for a person, so research has days of it and few requests. */
const BUDGETS: Record<"direct" | "research", Omit<Budget, "money_microusd">> = {
  direct: { requests: 12, tokens: 400_000, wall_ms: 15 * MINUTE },
  research: { requests: 48, tokens: 2_000_000, wall_ms: 7 * DAY },
};
const CHILD_REQUESTS = 12;

export interface Means {
  context: RunContext;
  database: Database;
  now(): string;
  /** `builtin:` of this run is handed in: it answers for the cards that were named. */
  openModel(spec: string, builtin: Gateway): Promise<OpenedModel>;
  answerFile: AnswerFile;
  /** Tools of other servers, opened for this run: only those that its terms name are offered. */
  mcpTools: readonly Tool[];
}

type Begun = StoredMessage & { terms: RunTerms };

export async function planRun(means: Means, begun: Begun, catalogue: Catalogue): Promise<RunPlan> {
  const { context, database, now } = means;
  const { ask, model: spec, desk: deskDigest } = begun.terms;
  const desk = await openDesk(context, database, await readFrozenDesk(context.objects, deskDigest), now);
  const builtin = builtinAnswerer({ cards: ask.cards, locale: desk.locale, expert: ask.expert });
  const { gateway, model } = await means.openModel(spec, builtin);
  const reading = readingTools(desk);
  const own = ask.entry === "direct" ? [] : researchTools(means, begun, desk, catalogue, reading);
  const heldReady = ask.entry === "direct" ? [] : [readSealedVersion(desk)];
  return {
    host: {
      modelFor: () => ({
        gateway,
        model,
        settings: { max_output_tokens: 16_000, temperature: null },
        timeout_ms: 5 * MINUTE,
        characters_max: 400_000,
      }),
      roleText: ({ role }) => ROLES[role as keyof typeof ROLES] ?? ROLES.answerer,
      toolbox: makeToolbox([...reading, ...own, ...heldReady]),
      rules: [refuseRepeats(3), ...(ask.expert === null ? [] : [consultFirst(ask.expert)])],
    },
    contract: contractFor(context, begun, [...reading, ...own], heldReady),
    request: requestFor(context, begun.terms, desk, ask.entry === "direct" ? [] : ownMethods(catalogue)),
  };
}

function readingTools(desk: Desk): Tool[] {
  return [
    listFacts(desk),
    readFacts(desk),
    comparePeers(desk),
    readResearch(desk),
    readCausalEdges(desk),
    readEvidence(desk),
    submitAnswer(desk),
  ];
}

function researchTools(
  { database, context, now, answerFile, mcpTools }: Means,
  { sender, terms }: Begun,
  desk: Desk,
  catalogue: Catalogue,
  reading: readonly Tool[],
): Tool[] {
  const requests = openRequests(database, context.tenant, now);
  // As admitted when the run began: a server that changed its mind since is not taken at its new word.
  const admitted = mcpTools.filter(({ name, version }) =>
    terms.mcp.some((tool) => tool.name === name && tool.version === version),
  );
  const searching = [searchPayloads(desk), recalculateFigures(desk)];
  const tools = [...reading, ...searching, updateTask].map(({ name }) => name);
  return [
    ...searching,
    updateTask,
    askUser(requests, { recipient: sender, open_ms: OPEN_MS }),
    requestPermission(requests, { open_ms: OPEN_MS }),
    consultExpert(catalogue, { tools, requests: CHILD_REQUESTS }),
    saveAnswer(requests, { open_ms: OPEN_MS }, answerFile),
    ...admitted.map((tool) => (tool.effect === "write" ? withApproval(requests, { open_ms: OPEN_MS }, tool) : tool)),
  ];
}

/** A named method is never silently passed over: the answer waits until it was asked, and no other is asked in its place. */
function consultFirst(expert: string): PreCallRule {
  return ({ tool, arguments: args }, { contract, turns }) => {
    if (contract.parent_id !== null) return null;
    if (tool === CONSULT && args?.agent_id !== expert) {
      return { code: "EXPERT_NOT_CHOSEN", detail: `the person chose ${expert}` };
    }
    const isAsked = turns.some(({ calls }) =>
      calls.some((call) => call.proposed.tool === CONSULT && call.receipts.length > 0 && call.attempts > 0),
    );
    if (tool !== SUBMIT_ANSWER || isAsked) return null;
    return { code: "EXPERT_NOT_CONSULTED", detail: `the person chose ${expert}: consult it first` };
  };
}

/** Reads what the message named, or all of the batch where it named nothing. Writes nothing but this run's own answer. */
function contractFor(
  { tenant, frozen }: RunContext,
  begun: Begun,
  offered: readonly Tool[],
  heldReady: readonly Tool[],
): TaskContract {
  const { root_id, terms } = begun;
  const { cards, entry } = terms.ask;
  const mcp = entry === "direct" ? [] : terms.mcp;
  const scopesOf = (effect: "read" | "write") => mcp.filter((tool) => tool.effect === effect).map(({ scope }) => scope);
  const named = (own: readonly Tool[]) => own.map(({ name }) => name);
  return {
    schema: "task_contract/v1",
    tenant,
    root_id,
    task_id: "main",
    parent_id: null,
    subject: cards.length === 1 ? cards[0]! : frozen.batch.id,
    role: entry === "direct" ? "answerer" : "researcher",
    inputs: [ANSWER_OF_ROOT],
    // Of the terms, not of what could be had: a server that is gone is a call that is refused, not another contract.
    tools: { offered: [...new Set([...named(offered), ...mcp.map(({ name }) => name)])], on_request: named(heldReady) },
    scopes: {
      read: [
        ...(cards.length === 0 ? ["*"] : cards).flatMap((card) => Object.values(readScopes(card))),
        ...scopesOf("read"),
      ],
      write: entry === "direct" ? [] : [`answers:${root_id}`, ...scopesOf("write")],
    },
    budget: { ...BUDGETS[entry], money_microusd: terms.money_microusd ?? null },
    stop_rule: "finish",
    retry: { failures: 3, idle_turns: 1 },
    calls_per_turn: 32,
    expert: null,
  };
}

/** What people said stands as they said it; what the host knows beside it is material. */
function requestFor(
  { frozen }: RunContext,
  { ask, added_text }: RunTerms,
  desk: Desk,
  methods: TaskRequest["blocks"],
): TaskRequest {
  const cards = frozen.instruments
    .filter(({ instrument }) => desk.products.has(instrument))
    .map(({ instrument, name_ko, name_en, product_type }) => ({ instrument, name_ko, name_en, product_type }));
  const about = { batch: frozen.batch.id, title: frozen.batch.title, as_of: desk.as_of, cards };
  const chosen = ask.expert === null ? [] : [{ label: "method chosen by the person", text: ask.expert }];
  return {
    schema: "task_request/v1",
    words: added_text === null ? ask.text : `${ask.text}\n\n${added_text}`,
    blocks: [{ label: "batch", text: JSON.stringify(about) }, ...chosen, ...methods],
  };
}

const COMMON = `You answer from recorded figures, research and payloads of exchange-traded funds, and from nothing else. The block "batch" lists
the cards. Begin with list_facts of each card that matters, then read what you need. Hand the answer in with submit_answer, in the
language of the question, then call finish. You never write a number: a place {name} is bound to a figure, and the host prints it.
Say up, down, above or below only of a figure whose sign says so; say why only by an approved causal edge; give no advice and no
forecast of your own. If what is asked cannot be answered from what you can read, say that in a sentence.`;

const ROLES = {
  answerer: `You give a person a short, direct answer about research cards.\n${COMMON}`,
  researcher: `You research a person's question about research cards, and plan the work yourself.\n${COMMON}
Check figures that carry the answer with recalculate. Give parts of the work to a method with consult_expert; a method that the
person chose must be consulted, and what it handed in may be used by naming its source. Ask the person only what you cannot find
out. save_answer keeps the answer, where the person wants that. What clients were given is held ready: request_permission asks a
person for read_sealed_version.`,
  method: `You work on a part of a research question by a given method.\n${COMMON}`,
};
