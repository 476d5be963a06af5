/**
 * Runs as people see them: what began them, where they stand, what they asked, what was said to them, what they spent (by
 * role and turn) and by which methods. Made from what is recorded each time it is asked; nothing of it is kept.
 */

import { projectedInputSchema } from "../../schema/projected-input.ts";
import type { RunEntry } from "../../schema/run-entry.ts";
import { openRunLog } from "../../store/agents-log.ts";
import type { Database, Tx } from "../../store/database.ts";
import { readInteractionsOf } from "../../store/interactions.ts";
import { getBeginning, readBeginnings, readMessagesOf, type StoredMessage } from "../../store/messages.ts";
import { type RunStanding, readStandings } from "../../store/run-standing.ts";
import { type ExpertUse, expertUses } from "../experts/uses.ts";
import { foldInteraction, type Interaction } from "../interactions/interaction.ts";
import { Journal } from "../journal.ts";
import { getTask, type RunState, receiptsOf } from "../run-state.ts";
import { type RunSpending, runSpending, type TurnSpending } from "../spending.ts";

export interface RunLine {
  root_id: string;
  /** STOPPED_SHORT: begun, not ended, and nobody is at work. */
  state: "NOT_BEGUN" | "AT_WORK" | "WAITING" | "STOPPED_SHORT" | "ENDED";
  end_code: string | null;
  begun_at: string;
  sender: string;
  text: string;
  batch: string;
  cards: string[];
  entry: "direct" | "research";
  expert: string | null;
  linked_to: string | null;
}

export async function listRuns(tx: Tx, tenant: string, most: number): Promise<RunLine[]> {
  const begun = await readBeginnings(tx, tenant, most);
  const roots = begun.map(({ root_id }) => root_id);
  const standings = await readStandings(tx, tenant, roots);
  return begun.map((message) => lineOf(message, standings.get(message.root_id)!));
}

function lineOf({ root_id, sender, at, terms }: StoredMessage, standing: RunStanding): RunLine {
  const { ask, linked_to, added_text } = terms!;
  const { batch, cards, entry, expert } = ask;
  const text = added_text ?? ask.text;
  const { end_code } = standing;
  const state = stateOf(standing);
  return { root_id, state, end_code, begun_at: at, sender, text, batch, cards, entry, expert, linked_to };
}

function stateOf({ entries, end_code, is_at_work, is_parked }: RunStanding): RunLine["state"] {
  if (end_code !== null) return "ENDED";
  if (is_at_work) return "AT_WORK";
  if (is_parked) return "WAITING";
  return entries === 0 ? "NOT_BEGUN" : "STOPPED_SHORT";
}

export interface TurnLine extends TurnSpending {
  calls: string[];
}

export interface ShownRun extends RunLine {
  messages: { at: string; sender: string; kind: string; text: string | null }[];
  interactions: Interaction[];
  experts: ExpertUse[];
  turns: TurnLine[];
  spending: Omit<RunSpending, "turns">;
  tasks: { task_id: string; role: string; requests: number; end: string | null }[];
  /** Effects of which nobody knows, or of which a person found out, what came of them. */
  effects: { call: string; tool: string; outcome: string; detail: string | null; found_by: string | null }[];
  /** What was handed in: names with digests, and the answer in words where the run gave one. */
  outputs: { name: string; digest: string; document: unknown }[];
}

/** Reads the journal as the runtime does: one that was altered is refused, not shown. */
export async function showRun(database: Database, tenant: string, prefix: string, now: string): Promise<ShownRun> {
  const seen = await database.inTenant(tenant, async (tx) => {
    const begun = await getBeginning(tx, tenant, prefix);
    const { root_id } = begun;
    const standing = (await readStandings(tx, tenant, [root_id])).get(root_id)!;
    const interactions = [...(await readInteractionsOf(tx, tenant, [root_id])).values()];
    return {
      begun,
      line: lineOf(begun, standing),
      messages: await readMessagesOf(tx, tenant, root_id),
      interactions: interactions.map((events) => foldInteraction(events)!),
    };
  });
  const { begun, line, interactions } = seen;
  const log = openRunLog(database, tenant, { root_id: line.root_id, fence: 0, release: async () => undefined });
  const entries = await log.read();
  const { run } = await Journal.open({ ...log, read: async () => entries }, () => now);
  const outputs = [...run.tasks.values()].find(({ contract }) => contract.parent_id === null)?.end?.outputs ?? [];
  const documents = await log.documents(outputs.map(({ digest }) => digest));
  const { turns, ...spending } = runSpending(run);
  return {
    ...line,
    messages: seen.messages.map(({ at, sender, body }) => ({
      at,
      sender,
      kind: body.kind,
      text: "text" in body ? body.text : null,
    })),
    interactions,
    experts: expertUses(entries, await projectedOf(entries, run, log.documents), chosenBy(begun)),
    turns: turns.map((turn) => ({ ...turn, calls: calledIn(run, turn) })),
    spending,
    tasks: [...run.tasks.values()].map(({ contract, spent, end }) => ({
      task_id: contract.task_id,
      role: contract.role,
      requests: spent.requests,
      end: end?.code ?? null,
    })),
    effects: effectsOf(entries, run),
    outputs: outputs.map(({ name, digest }) => ({ name, digest, document: documents.get(digest) })),
  };
}

function effectsOf(entries: readonly RunEntry[], run: RunState): ShownRun["effects"] {
  const found = new Map(
    entries.flatMap(({ body }) =>
      body.type === "call_reconciled"
        ? [[body.call, `${body.by}${body.is_authenticated ? "" : " (not authenticated)"}`] as const]
        : [],
    ),
  );
  return [...run.tasks.values()].flatMap(receiptsOf).flatMap(({ call, tool, outcome, detail }) => {
    const found_by = found.get(call) ?? null;
    return outcome === "UNKNOWN" || found_by !== null ? [{ call, tool, outcome, detail, found_by }] : [];
  });
}

function chosenBy({ seq, terms }: StoredMessage): { agent_id: string; message: string } | null {
  const expert = terms?.ask.expert ?? null;
  return expert === null ? null : { agent_id: expert, message: `message/${seq}` };
}

/** Of the tasks that have a method: what they were sent. */
async function projectedOf(
  entries: readonly RunEntry[],
  run: RunState,
  documents: (digests: string[]) => Promise<Map<string, unknown>>,
) {
  const digests = entries.flatMap(({ task_id, body }) =>
    body.type === "request_dispatched" && run.tasks.get(task_id)?.contract.expert != null
      ? [body.projected_input_digest]
      : [],
  );
  const found = await documents([...new Set(digests)]);
  return new Map([...found].map(([digest, document]) => [digest, projectedInputSchema.parse(document)]));
}

function calledIn(run: RunState, { task_id, turn: seq }: TurnSpending): string[] {
  const state = getTask(run, task_id).turns.find(({ turn }) => turn.seq === seq);
  return state?.calls.map(({ proposed }) => proposed.tool) ?? [];
}
