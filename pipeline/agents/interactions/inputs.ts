/**
 * What has come in for a task, offered to the loop at each safe point: stops, corrections, answers to its own questions, and
 * that a question expired. That the run took something in is its journal's to say; only then is an answer recorded as adopted.
 */
import type { TaskInput } from "../../schema/run-entry.ts";
import type { Database, Tx } from "../../store/database.ts";
import { readInteractionsOf } from "../../store/interactions.ts";
import { readMessagesOf } from "../../store/messages.ts";
import { lockPeople } from "../../store/people-lock.ts";
import { readAdopted } from "../../store/run-standing.ts";
import { markAsData } from "../marked.ts";
import { adoptResponse } from "./act.ts";
import { foldInteraction, type Interaction } from "./interaction.ts";

export interface InputsOf {
  tenant: string;
  root_id: string;
  root_task: string;
  /** An ended run that this one continues: its late answers come in here. */
  linked_to: string | null;
  now(): string;
}

/** All that is for a task and not recorded as adopted; the journal knows which of it the task has already. */
export async function inputsFor(database: Database, of: InputsOf, taskId: string): Promise<TaskInput[]> {
  const { tenant, root_task } = of;
  const isRoot = taskId === root_task;
  return database.inTenant(tenant, async (tx) => {
    await recordAdoptions(tx, of);
    const asked = await readAsked(tx, of);
    const answers = asked.filter(isOpenQuestion).flatMap((interaction) => answersFor(interaction, of, taskId, isRoot));
    const decisions = asked.flatMap((interaction) => decisionsFor(interaction, of, taskId));
    return [...(await saidTo(tx, of, isRoot)), ...answers, ...decisions];
  });
}

/** The receipts that a run's journal holds, recorded with the questions that they answer. Repeating it changes nothing. */
export async function recordAdoptions(tx: Tx, of: InputsOf): Promise<void> {
  const { tenant, root_id, now } = of;
  await lockPeople(tx, tenant);
  const adopted = await readAdopted(tx, tenant, root_id);
  for (const { request, response } of (await readAsked(tx, of)).filter(isOpenQuestion)) {
    const entry = adopted.find(({ id }) => id === inputId(request.interaction_id));
    if (response === null || entry === undefined) continue;
    await adoptResponse(tx, { tenant, at: now() }, request.interaction_id, {
      owner: "task",
      consumer: entry.task_id,
      reference: { root_id, seq: entry.seq },
    });
  }
}

async function readAsked(tx: Tx, { tenant, root_id, linked_to }: InputsOf): Promise<Interaction[]> {
  const roots = linked_to === null ? [root_id] : [root_id, linked_to];
  const events = await readInteractionsOf(tx, tenant, roots);
  return [...events.values()].map((each) => foldInteraction(each)!);
}

function isOpenQuestion({ request, adoption }: Interaction): boolean {
  return request.asked.kind === "question" && adoption === null;
}

/** A stop is for every task of the run; corrections are the root's, as what the person asked was. */
async function saidTo(tx: Tx, { tenant, root_id }: InputsOf, isRoot: boolean): Promise<TaskInput[]> {
  return (await readMessagesOf(tx, tenant, root_id)).flatMap(({ seq, sender, body }): TaskInput[] => {
    const from = sender.slice(0, 200);
    if (body.kind === "stop") return [{ id: `message/${seq}`, kind: "stop", from, text: "" }];
    return body.kind === "correct" && isRoot ? [{ id: `message/${seq}`, kind: "words", from, text: body.text }] : [];
  });
}

/** To the very task that asked. What a continued run left open goes to the root of the run that continues it. */
function answersFor(
  { request, response, is_withdrawn }: Interaction,
  of: InputsOf,
  taskId: string,
  isRoot: boolean,
): TaskInput[] {
  const isOwn = request.root_id === of.root_id;
  if (request.asked.kind !== "question" || !(isOwn ? request.task_id === taskId : isRoot)) return [];
  const id = inputId(request.interaction_id);
  // The question is a model's words; only the answer is a person's.
  const label = `question ${request.interaction_id}`;
  const question = markAsData(label, request.asked.text);
  if (response !== null && response.answer.kind === "question") {
    const from = `${response.respondent}${response.is_authenticated ? "" : " (not authenticated)"}`.slice(0, 200);
    return [{ id, kind: "words", from, text: `${response.answer.text}\n\n(The answer to ${label}:)\n${question}` }];
  }
  const hasExpired = isOwn && !is_withdrawn && of.now() >= request.expires_at;
  const text = `The host: nobody answered in time ${label}:\n${question}`;
  return hasExpired ? [{ id: `${id}/expired`, kind: "words", from: "host", text }] : [];
}

/**
 * That a person decided, told to the very task that asked. It is news and no more: what was allowed is taken up by the call that
 * asked for it, from the record of the decision.
 */
function decisionsFor({ request, response, is_withdrawn }: Interaction, of: InputsOf, taskId: string): TaskInput[] {
  const { asked, interaction_id, expires_at } = request;
  if (asked.kind === "question" || request.root_id !== of.root_id || request.task_id !== taskId) return [];
  const tool = asked.kind === "permission" ? asked.tools.join(", ") : asked.tool;
  const told = (id: string, text: string): TaskInput[] => [
    { id: `${inputId(interaction_id)}/${id}`, kind: "words", from: "host", text: `The host: ${text}` },
  ];
  const about = `${asked.kind} ${interaction_id} (${tool})`;
  if (response !== null && "decision" in response.answer) {
    const { decision } = response.answer;
    const isAllowed = decision === "grant" || decision === "approve";
    return told(
      "decided",
      `${about}: a person said ${decision}.${isAllowed ? " Make the same call again to take it up." : ""}`,
    );
  }
  const hasExpired = !is_withdrawn && of.now() >= expires_at;
  return hasExpired ? told("expired", `nobody decided in time on ${about}`) : [];
}

function inputId(interactionId: string): string {
  return `interaction/${interactionId}`;
}
