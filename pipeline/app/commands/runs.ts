/** `assay runs`: the runs of agents, what one did, spent, asked and was told; the stop of one that is named, and what a person found of an effect. */
import { reconcileCall } from "../../agents/conversation/reconcile.ts";
import { listRuns, type RunLine, type ShownRun, showRun } from "../../agents/conversation/runs.ts";
import { AssayError } from "../../domain/outcome.ts";
import { answerInWords } from "../../jobs/conversation/present-answer.ts";
import { getBeginning } from "../../store/messages.ts";
import type { Config } from "../config.ts";
import { CLI } from "../person.ts";
import { brief, plain } from "../plain.ts";
import { spendingInWords, turnInWords } from "../spending-in-words.ts";
import { withServices } from "../wiring.ts";
import { answerOf, sayAs, workAt } from "./ask.ts";
import { factsOf } from "./inbox.ts";

const MOST = 50;

export async function listAll(config: Config, options: { json?: boolean }): Promise<void> {
  await withServices(config, {}, async ({ database }) => {
    const lines = await database.inTenant(config.tenant, (tx) => listRuns(tx, config.tenant, MOST));
    const text = lines.length === 0 ? "no run yet: `assay ask`\n" : lines.map(describeLine).join("");
    process.stdout.write(options.json ? `${JSON.stringify(lines, null, 2)}\n` : text);
  });
}

export async function showOne(config: Config, run: string, options: { json?: boolean }): Promise<void> {
  await withServices(config, {}, async (services) => {
    const at = services.now();
    const shown = await showRun(services.database, config.tenant, run, at);
    const answer = await answerOf(services, shown);
    const text = answer === null ? "" : `\n${plain(answerInWords(answer))}`;
    process.stdout.write(
      options.json ? `${JSON.stringify({ ...shown, answer }, null, 2)}\n` : `${describe(shown, at)}${text}`,
    );
  });
}

/** Said to the run, which ends at its next safe point. Where nobody is at work it is brought there at once. */
export async function stop(
  config: Config,
  run: string,
  options: { messageId?: string; json?: boolean },
): Promise<void> {
  await withServices(config, {}, async (services) => {
    const { tenant } = config;
    const begun = await services.database.inTenant(tenant, (tx) => getBeginning(tx, tenant, run));
    const { root_id } = begun;
    const said = await sayAs(services, options.messageId, async () => ({ kind: "stop", run: root_id }));
    const outcome = await workAt(services, begun);
    const state = outcome?.state === "ENDED" ? outcome.end.code : "STOP_SAID";
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ root_id, message: said.message.seq, is_replay: said.is_replay, state }, null, 2)}\n`
        : `run ${root_id}: ${state === "STOP_SAID" ? "it stops at its next safe point" : `ended, ${state}`}\n`,
    );
  });
}

/** What became of an effect that nobody knew of, as a person found out. It is not done again by this. */
export async function reconcile(
  config: Config,
  run: string,
  call: string,
  options: { happened?: boolean; note: string; json?: boolean },
): Promise<void> {
  const { happened } = options;
  if (happened === undefined) {
    throw new AssayError("FINDING_MISSING", "it either happened or it did not", {
      hint: "find out first, then say --happened or --not-happened",
    });
  }
  await withServices(config, {}, async ({ database, now, newId }) => {
    const { tenant } = config;
    const { root_id } = await database.inTenant(tenant, (tx) => getBeginning(tx, tenant, run));
    const lease = { tenant, root_id, holder: newId(), ttl_ms: 60_000 };
    await reconcileCall(database, lease, now, CLI, { call, happened, note: options.note });
    const line = { root_id, call, happened };
    process.stdout.write(
      options.json
        ? `${JSON.stringify(line, null, 2)}\n`
        : `${call}: recorded that it ${happened ? "happened" : "did not happen"}\n`,
    );
  });
}

function describeLine({ root_id, state, end_code, begun_at, entry, batch, text }: RunLine): string {
  return `${root_id} ${state}${end_code === null ? "" : ` ${end_code}`}, ${entry} on ${batch}, ${begun_at}\n  ${brief(text)}\n`;
}

function describe(run: ShownRun, at: string): string {
  return [
    describeLine(run).trimEnd(),
    ...(run.linked_to === null ? [] : [`  continues ${run.linked_to}`]),
    ...spendingInWords(run.spending),
    ...run.tasks.map(
      (task) => `  task ${task.task_id} (${task.role}): ${task.end ?? "open"}, ${task.requests} requests`,
    ),
    ...run.turns.map(
      (turn) =>
        `  turn ${turn.task_id}#${turn.turn} ${turn.model}: ${turnInWords(turn)}${turn.calls.length === 0 ? "" : `; ${turn.calls.join(", ")}`}`,
    ),
    ...run.experts.map(
      (use) =>
        `  method ${use.agent_id}: chosen by ${use.chosen.reference}; ${use.admitted === null ? `not admitted${use.refused === null ? "" : ` (${use.refused})`}` : "admitted"}, ${use.delivered === null ? "not delivered" : "delivered"}, ${use.adopted === null ? "not adopted" : "adopted"}`,
    ),
    ...run.interactions.map((each) => {
      const has_expired = each.response === null && at >= each.request.expires_at;
      return `  ${each.request.asked.kind} ${each.request.interaction_id}: ${factsOf({ ...each, has_expired })}`;
    }),
    ...run.effects.map(
      ({ call, tool, outcome, detail, found_by }) =>
        `  effect ${call} (${tool}): ${outcome}${found_by === null ? `; find out, then \`assay runs reconcile ${run.root_id.slice(0, 8)} ${call}\`` : ` by ${found_by}, ${detail ?? ""}`}`,
    ),
    ...run.messages.map(({ at: said, sender, kind, text }) => `  ${said} ${sender} ${kind} ${brief(text ?? "")}`),
    ...run.outputs.map(({ name, digest }) => `  output ${name} ${digest}`),
    "",
  ]
    .map(plain)
    .join("\n");
}
