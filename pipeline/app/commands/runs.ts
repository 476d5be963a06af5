/** `assay runs`: the runs of agents, what one did, spent, asked and was told; and the stop of one that is named. */
import { listRuns, type RunLine, type ShownRun, showRun } from "../../agents/conversation/runs.ts";
import { getBeginning } from "../../store/messages.ts";
import type { Config } from "../config.ts";
import { brief, plain } from "../plain.ts";
import { withServices } from "../wiring.ts";
import { sayAs, workAt } from "./ask.ts";
import { stateOf } from "./inbox.ts";

const MOST = 50;

export async function listAll(config: Config, options: { json?: boolean }): Promise<void> {
  await withServices(config, {}, async ({ database }) => {
    const lines = await database.inTenant(config.tenant, (tx) => listRuns(tx, config.tenant, MOST));
    const text = lines.length === 0 ? "no run yet: `assay ask`\n" : lines.map(describeLine).join("");
    process.stdout.write(options.json ? `${JSON.stringify(lines, null, 2)}\n` : text);
  });
}

export async function showOne(config: Config, run: string, options: { json?: boolean }): Promise<void> {
  await withServices(config, {}, async ({ database, now }) => {
    const at = now();
    const shown = await showRun(database, config.tenant, run, at);
    process.stdout.write(options.json ? `${JSON.stringify(shown, null, 2)}\n` : describe(shown, at));
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

function describeLine({ root_id, state, end_code, begun_at, entry, batch, text }: RunLine): string {
  return `${root_id} ${state}${end_code === null ? "" : ` ${end_code}`}, ${entry} on ${batch}, ${begun_at}\n  ${brief(text)}\n`;
}

function describe(run: ShownRun, at: string): string {
  const sum = (key: "requests" | "tokens" | "money_microusd") =>
    run.tasks.reduce((total, task) => total + task[key], 0);
  return [
    describeLine(run).trimEnd(),
    ...(run.linked_to === null ? [] : [`  continues ${run.linked_to}`]),
    `  ${sum("requests")} requests, ${sum("tokens")} tokens, ${sum("money_microusd")} micro-USD`,
    ...run.tasks.map(
      (task) =>
        `  task ${task.task_id} (${task.role}): ${task.end ?? "open"}, ${task.requests} requests, ${task.tokens} tokens`,
    ),
    ...run.turns.map(
      (turn) =>
        `  turn ${turn.task_id}#${turn.turn} ${turn.model}: ${turn.input_tokens} in, ${turn.output_tokens} out, ${turn.cost_microusd ?? "?"} micro-USD, ${turn.latency_ms} ms${turn.calls.length === 0 ? "" : `; ${turn.calls.join(", ")}`}`,
    ),
    ...run.experts.map(
      (use) =>
        `  method ${use.agent_id}: chosen by ${use.chosen.reference}; ${use.admitted === null ? `not admitted${use.refused === null ? "" : ` (${use.refused})`}` : "admitted"}, ${use.delivered === null ? "not delivered" : "delivered"}, ${use.adopted === null ? "not adopted" : "adopted"}`,
    ),
    ...run.interactions.map((each) => {
      const has_expired = each.response === null && at >= each.request.expires_at;
      return `  ${each.request.asked.kind} ${each.request.interaction_id}: ${stateOf({ ...each, has_expired })}`;
    }),
    ...run.messages.map(({ at: said, sender, kind, text }) => `  ${said} ${sender} ${kind} ${brief(text ?? "")}`),
    ...run.outputs.map(({ name, digest }) => `  output ${name} ${digest}`),
    "",
  ]
    .map(plain)
    .join("\n");
}
