/**
 * `assay ask`: a request that begins a run, or words to a run that is named. The message is recorded first, under its id: the
 * same id with the same words is the same run. In the background the run is worked at by a process of its own.
 */
import { spawn } from "node:child_process";
import { type Said, type Saying, say } from "../../agents/conversation/converse.ts";
import type { RunOutcome } from "../../agents/conversation/run-starter.ts";
import { type ShownRun, showRun } from "../../agents/conversation/runs.ts";
import { admittedTools, readMcpConfig } from "../../agents/mcp/settings.ts";
import { AssayError } from "../../domain/outcome.ts";
import { freezeDesk } from "../../jobs/conversation/frozen-desk.ts";
import { answerInWords, type ShownSentence } from "../../jobs/conversation/present-answer.ts";
import { receivedBatches } from "../../jobs/record-frozen.ts";
import { answerSchema } from "../../schema/answer.ts";
import type { FrozenBatch } from "../../schema/frozen.ts";
import type { MessageBody } from "../../schema/message.ts";
import type { Tx } from "../../store/database.ts";
import { getBeginning, type StoredMessage } from "../../store/messages.ts";
import { type Config, readAskBudget, readMcpSettings, readModelSpec } from "../config.ts";
import { interruptible } from "../interrupt.ts";
import { CLI } from "../person.ts";
import { plain } from "../plain.ts";
import { openRunStarter, showAnswer, workshopOf } from "../run-starter.ts";
import { type Services, withServices } from "../wiring.ts";
import { batchIdOf } from "./run.ts";

export interface AskOptions {
  batch?: string;
  card: string[];
  to?: string;
  research?: boolean;
  expert?: string;
  background?: boolean;
  messageId?: string;
  json?: boolean;
}

export async function ask(config: Config, text: string, options: AskOptions): Promise<void> {
  await withServices(config, {}, async (services) => {
    const body = options.to === undefined ? await requestOf(config, services, text, options) : null;
    const said =
      body === null
        ? await sayAs(services, options.messageId, async (tx) => ({
            kind: "correct",
            run: (await getBeginning(tx, config.tenant, options.to!)).root_id,
            text,
          }))
        : await sayAs(services, options.messageId, async () => body);
    if (body === null) return report(said, "taken in at its next safe point", options.json);
    await startOrLeave(services, said, options);
  });
}

async function requestOf(
  config: Config,
  services: Services,
  text: string,
  { batch, card, research, expert }: AskOptions,
): Promise<MessageBody> {
  if (batch === undefined) {
    throw new AssayError("BATCH_NOT_NAMED", "a request is about a batch", {
      hint: "name it with --batch, or a run to correct with --to",
    });
  }
  const entry = research === true ? "research" : "direct";
  const id = await batchIdOf(config, services, batch);
  return { kind: "ask", text, batch: id, cards: [...new Set(card)].sort(), entry, expert: expert ?? null };
}

/** Records what is said, once. */
export async function sayAs(
  services: Services,
  messageId: string | undefined,
  compose: (tx: Tx) => Promise<MessageBody>,
): Promise<Said> {
  const { database, config, objects, now, newId } = services;
  const { tenant } = config;
  const freeze: Saying["freeze"] = async (tx, { batch, cards }) => {
    const received = (await receivedBatches(tx, tenant)).get(batch);
    if (received === undefined) {
      throw new AssayError("BATCH_UNKNOWN", `no batch ${batch} was received`, {
        hint: "`assay status` lists those that were",
      });
    }
    const { frozen } = received.body;
    const { instruments } = JSON.parse((await objects.get(frozen)).toString()) as FrozenBatch;
    const missing = cards.find((card) => !instruments.some(({ instrument }) => instrument === card));
    if (missing !== undefined) throw new AssayError("INSTRUMENT_UNKNOWN", `${missing} is not in batch ${batch}`);
    const budget = readAskBudget();
    const admitted = admittedTools(readMcpConfig(readMcpSettings().path));
    return {
      frozen,
      desk: await freezeDesk(await workshopOf(services, frozen), cards),
      model: readModelSpec(),
      mcp: admitted,
      ...(budget === null ? {} : { money_microusd: budget }),
    };
  };
  const client_message_id = messageId ?? newId();
  return database.inTenant(tenant, async (tx) =>
    say(
      tx,
      { tenant, sender: CLI.account, client_message_id, new_root: newId(), at: now(), freeze },
      await compose(tx),
    ),
  );
}

/** Works at the run here, or leaves it to a process of its own. A run that somebody is at work at already is left to them. */
export async function startOrLeave(
  services: Services,
  said: Said,
  { background, json }: { background?: boolean; json?: boolean },
): Promise<void> {
  const { root_id } = said.message;
  if (background === true) {
    leaveToAnother(root_id);
    return report(said, "left to a process of its own", json);
  }
  const outcome = await workAt(services, said.message);
  report(said, outcome ?? "at work elsewhere", json);
  if (json !== true && outcome?.state === "ENDED") await printAnswer(services, root_id);
}

/** Null: somebody else is at work. What was said is recorded by now: whatever goes wrong, the run can be found again. */
export async function workAt(services: Services, begun: StoredMessage): Promise<RunOutcome | null> {
  try {
    const starter = await openRunStarter(services);
    return await interruptible(({ signal }) => starter.start(begun, signal));
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    if (error.code === "RUN_LEASE_HELD") return null;
    const hint = `${error.hint === undefined ? "" : `${error.hint}; `}\`assay resume ${begun.root_id}\` goes on from what is recorded`;
    throw new AssayError(error.code, error.message, { retry: error.retry, hint, at: error.at, cause: error });
  }
}

/** Ours to start and nobody's to wait for: the run's lease keeps it from being worked at twice. */
function leaveToAnother(rootId: string): void {
  const args = [...process.execArgv, process.argv[1]!, "resume", rootId, "--json"];
  spawn(process.execPath, args, { detached: true, stdio: "ignore" }).unref();
}

/** `outcome`: how the run came out, or in words why that is not known here. */
function report({ message, is_replay }: Said, outcome: RunOutcome | string, asJson = false): void {
  const { root_id, client_message_id, seq } = message;
  if (asJson) {
    const known = typeof outcome === "string" ? { state: "OPEN", reason: outcome } : outcome;
    const line = { root_id, client_message_id, message: seq, is_replay, outcome: known };
    process.stdout.write(`${JSON.stringify(line, null, 2)}\n`);
    return;
  }
  const state =
    typeof outcome === "string"
      ? outcome
      : outcome.state === "ENDED"
        ? `ended, ${outcome.end.code}`
        : "waits for an answer: `assay inbox`";
  process.stdout.write(`run ${root_id}${is_replay ? " (said before)" : ""}: ${plain(state)}\n`);
}

async function printAnswer(services: Services, rootId: string): Promise<void> {
  const { database, config, now } = services;
  const run = await showRun(database, config.tenant, rootId, now());
  const answer = await answerOf(services, run);
  const text = answer === null ? "no answer was handed in" : answerInWords(answer);
  process.stdout.write(`${plain(text).trimEnd()}\n`);
}

/** As people are shown it: printed and judged by the host. Null: the run handed none in. */
export async function answerOf(
  services: Services,
  { root_id, outputs }: Pick<ShownRun, "root_id" | "outputs">,
): Promise<ShownSentence[] | null> {
  const answer = answerSchema.safeParse(outputs.find(({ name }) => name === "answer")?.document);
  if (!answer.success) return null;
  const { database, config } = services;
  const begun = await database.inTenant(config.tenant, (tx) => getBeginning(tx, config.tenant, root_id));
  return showAnswer(services, begun.terms!, answer.data);
}
