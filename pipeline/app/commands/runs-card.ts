/**
 * `assay runs card`: the run that composed a card's claims, turn by turn: what was sent, said, called, what came of it and what
 * it cost. Clocks and attempts are in no recorded result: they are read from the run's journal, which built-in methods have not.
 */
import { Journal } from "../../agents/journal.ts";
import { type RunSpending, runSpending, type TurnSpending } from "../../agents/spending.ts";
import { type ComposedTurn, turnsOfRun } from "../../compose/run-document.ts";
import { AssayError } from "../../domain/outcome.ts";
import type { Composed, ComposeRun } from "../../schema/composed.ts";
import { openRunLog } from "../../store/agents-log.ts";
import type { ObjectStore } from "../../store/objects.ts";
import type { Config } from "../config.ts";
import { brief, plain } from "../plain.ts";
import { spendingInWords, turnInWords, usd } from "../spending-in-words.ts";
import { type Services, withServices } from "../wiring.ts";
import { batchIdOf } from "./run.ts";
import { batchOf } from "./show.ts";
import { readComposed } from "./show-composed.ts";

export interface RunsCardOptions {
  batch?: string;
  /** Such as `main/3.1#2`: everything of this turn. */
  turn?: string;
  json?: boolean;
}

export async function showCard(config: Config, instrument: string, options: RunsCardOptions): Promise<void> {
  await withServices(config, {}, async (services) => {
    const id = options.batch === undefined ? undefined : await batchIdOf(config, services, options.batch);
    const batch = await batchOf(services, id);
    const composed = await readComposed(services, batch.frozen, instrument);
    const shown = await Promise.all(
      composed.map(async ({ locale, provider, model, end, ...one }) => {
        const run = await runOf(services.objects, one);
        const { turns: spent, ...cost } = await costOf(services, run?.turns[0]?.run_id ?? "");
        const turns = run === null ? [] : turnsOfRun(run).filter(({ key }) => (options.turn ?? key) === key);
        const found = turns.map((turn) => ({
          ...turn,
          cost: spent.find(({ task_id, turn: seq }) => turn.key === `${task_id}#${seq}`) ?? null,
        }));
        return { instrument, locale, provider, model, end, tasks: run?.tasks ?? [], ...cost, turns: found };
      }),
    );
    if (shown.every(({ turns }) => turns.length === 0)) {
      throw new AssayError("RUN_UNKNOWN", `no turn ${options.turn ?? ""} of a composer is recorded for ${instrument}`, {
        hint: "run the batch first; without --turn all turns are listed",
      });
    }
    const text = () =>
      shown
        .flatMap((card) => [
          `${instrument} ${card.locale}: ${card.provider}:${card.model}, ${card.end}`,
          ...(card.spending === null
            ? ["  cost: not kept; built-in methods ask no model"]
            : spendingInWords(card.spending)),
          ...card.earlier.map(
            ({ root_id, total: { requests, money_microusd: money } }) =>
              `  cost of an earlier attempt, ${root_id}: ${requests} requests, money ${usd(money.known)}${money.missing === 0 ? "" : ` and of ${money.missing} answers unknown`}`,
          ),
          ...card.turns.flatMap((turn) => (options.turn === undefined ? lineOf(turn) : wholeOf(turn))),
          "",
        ])
        .join("\n");
    process.stdout.write(options.json ? `${JSON.stringify(shown, null, 2)}\n` : text());
  });
}

interface Cost {
  turns: TurnSpending[];
  /** Null: no journal of the run was kept. */
  spending: Omit<RunSpending, "turns"> | null;
  /** Attempts before it that came to no answer: they were paid for too. */
  earlier: { root_id: string; total: RunSpending["total"] }[];
}

async function costOf({ database, config, now }: Services, rootId: string): Promise<Cost> {
  const spentBy = async (root_id: string) => {
    const log = openRunLog(database, config.tenant, { root_id, fence: 0, release: async () => undefined });
    const { run } = await Journal.open(log, now);
    return run.seq === 0 ? null : runSpending(run);
  };
  const own = await spentBy(rootId);
  if (own === null) return { turns: [], spending: null, earlier: [] };
  const { turns, ...spending } = own;
  const [, name = "", attempt = "1"] = /^(.*)\/(\d+)$/.exec(rootId) ?? [];
  const before = Array.from({ length: Number(attempt) - 1 }, (_, index) => `${name}/${index + 1}`);
  const earlier = await Promise.all(
    before.map(async (root_id) => ({ root_id, total: (await spentBy(root_id))?.total })),
  );
  return { turns, spending, earlier: earlier.flatMap(({ root_id, total }) => (total ? [{ root_id, total }] : [])) };
}

type CostedTurn = ComposedTurn & { cost: TurnSpending | null };

async function runOf(objects: ObjectStore, { run }: Pick<Composed, "run">): Promise<ComposeRun | null> {
  return run === null ? null : (JSON.parse((await objects.get(run)).toString("utf8")) as ComposeRun);
}

function lineOf({ key, role, turn, sent, receipts, cost }: CostedTurn): string[] {
  const spent = cost === null ? "cost and latency not kept" : turnInWords(cost);
  const left = sent.left_out.length === 0 ? "" : `, ${sent.left_out.length} pieces left out`;
  return [
    `  ${key} ${role}: sent ${sent.characters} characters${left}; ${spent}`,
    ...receipts.map(({ call, tool, outcome, code }) =>
      plain(`    ${call} ${tool}: ${outcome}${code === null ? "" : ` ${code}`}`),
    ),
    ...(turn.text === "" ? [] : [`    said: ${plain(brief(turn.text))}`]),
  ];
}

function wholeOf(turn: CostedTurn): string[] {
  const { sent } = turn;
  return [
    ...lineOf(turn),
    `  tools: ${sent.tools.join(", ")}`,
    ...sent.left_out.map(
      ({ what, characters, sha256 }) => `  left out: ${plain(what)}, ${characters} characters, ${sha256}`,
    ),
    "  system:",
    plain(sent.system),
    ...sent.messages.map((message) => plain(JSON.stringify(message, null, 1))),
    "  calls:",
    plain(JSON.stringify(turn.turn.calls, null, 1)),
  ];
}
