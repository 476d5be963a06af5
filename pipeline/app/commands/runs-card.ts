/** `assay runs card`: the run that composed a card's claims, turn by turn: what was sent, said, called, and what came of it. */
import { type ComposedTurn, turnsOfRun } from "../../compose/run-document.ts";
import { AssayError } from "../../domain/outcome.ts";
import type { Composed, ComposeRun } from "../../schema/composed.ts";
import type { ObjectStore } from "../../store/objects.ts";
import type { Config } from "../config.ts";
import { brief, plain } from "../plain.ts";
import { withServices } from "../wiring.ts";
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
    const runs = await Promise.all(composed.map(async (one) => ({ ...one, run: await runOf(services.objects, one) })));
    const shown = runs.map(({ locale, provider, model, end, run }) => {
      const turns = run === null ? [] : turnsOfRun(run).filter(({ key }) => (options.turn ?? key) === key);
      return { instrument, locale, provider, model, end, tasks: run?.tasks ?? [], turns };
    });
    if (shown.every(({ turns }) => turns.length === 0)) {
      throw new AssayError("RUN_UNKNOWN", `no turn ${options.turn ?? ""} of a composer is recorded for ${instrument}`, {
        hint: "run the batch first; without --turn all turns are listed",
      });
    }
    const text = () =>
      shown
        .flatMap((card) => [
          `${instrument} ${card.locale}: ${card.provider}:${card.model}, ${card.end}`,
          ...card.turns.flatMap((turn) => (options.turn === undefined ? lineOf(turn) : wholeOf(turn))),
          "",
        ])
        .join("\n");
    process.stdout.write(options.json ? `${JSON.stringify(shown, null, 2)}\n` : text());
  });
}

async function runOf(objects: ObjectStore, { run }: Composed): Promise<ComposeRun | null> {
  return run === null ? null : (JSON.parse((await objects.get(run)).toString("utf8")) as ComposeRun);
}

function lineOf({ key, role, turn, sent, receipts }: ComposedTurn): string[] {
  const { usage, cost_microusd } = turn;
  const tokens = usage === null ? "tokens unknown" : `${usage.input_tokens} in, ${usage.output_tokens} out`;
  const money = cost_microusd === null ? "price unknown" : `${cost_microusd} micro-USD`;
  const left = sent.left_out.length === 0 ? "" : `, ${sent.left_out.length} pieces left out`;
  return [
    `  ${key} ${role}: sent ${sent.characters} characters${left}; ${tokens}, ${money}`,
    ...receipts.map(({ call, tool, outcome, code }) =>
      plain(`    ${call} ${tool}: ${outcome}${code === null ? "" : ` ${code}`}`),
    ),
    ...(turn.text === "" ? [] : [`    said: ${plain(brief(turn.text))}`]),
  ];
}

function wholeOf(turn: ComposedTurn): string[] {
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
