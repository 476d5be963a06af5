/**
 * All of a run in one document: tasks, turns, receipts without their clock, and what each model was sent. What inputs repeat is
 * held once; `sentInputs` gives each input back as it was, which its digest in the turn proves.
 */
import type { Journal } from "../agents/journal.ts";
import { receiptsOf } from "../agents/run-state.ts";
import { SETTLED } from "../agents/settled-texts.ts";
import { canonicalJson } from "../domain/digest.ts";
import type { ComposeRun } from "../schema/composed.ts";
import type { ProjectedInput } from "../schema/projected-input.ts";

export async function toRunDocument(journal: Journal): Promise<ComposeRun> {
  const tasks = [...journal.run.tasks.values()];
  await journal.load(tasks.flatMap(({ turns }) => turns.map(({ turn }) => turn.projected_input_digest)));
  const document: ComposeRun = {
    schema: "compose_run/v1",
    tasks: [],
    turns: [],
    receipts: [],
    systems: [],
    messages: [],
    sent: [],
  };
  const places = new Map<string, number>();
  const place = <T extends object | string>(list: T[], item: T): number => {
    const key = typeof item === "string" ? item : canonicalJson(item, SETTLED);
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, list.length);
    return list.push(item) - 1;
  };
  for (const task of tasks) {
    const { task_id, role, inputs } = task.contract;
    document.tasks.push({ task_id, role, inputs, end: task.end?.code ?? null });
    document.receipts.push(...receiptsOf(task).map(({ clock: _, ...receipt }) => receipt));
    for (const { turn } of task.turns) {
      document.turns.push(turn);
      const { schema: _, system, messages, ...sent } = journal.document<ProjectedInput>(turn.projected_input_digest);
      document.sent.push({
        ...sent,
        system: place(document.systems, system),
        messages: messages.map((message) => place(document.messages, message)),
      });
    }
  }
  return document;
}

/** What each turn's model was sent, in the order of the turns. */
export function sentInputs({
  systems,
  messages,
  sent,
}: Pick<ComposeRun, "systems" | "messages" | "sent">): ProjectedInput[] {
  return sent.map((input) => ({
    ...input,
    schema: "projected_input/v1",
    system: systems[input.system]!,
    messages: input.messages.map((index) => messages[index]!),
  }));
}

/** One turn of a composer's run as it was: what its model was sent and answered, and what came of its calls. */
export interface ComposedTurn {
  /** Task and turn: `main/2.1#3`. */
  key: string;
  role: string;
  turn: ComposeRun["turns"][number];
  sent: ProjectedInput;
  receipts: ComposeRun["receipts"];
}

export function turnsOfRun(run: ComposeRun): ComposedTurn[] {
  const roles = new Map(run.tasks.map(({ task_id, role }) => [task_id, role]));
  const inputs = sentInputs(run);
  return run.turns.map((turn, index) => {
    const key = `${turn.task_id}#${turn.seq}`;
    const receipts = run.receipts.filter(({ call }) => call.startsWith(`${key}.`));
    return { key, role: roles.get(turn.task_id) ?? "", turn, sent: inputs[index]!, receipts };
  });
}
