/** `assay plan`: freezes the inputs and says which steps are recorded and which a run would work. */

import { CARD_BUDGET } from "../../compose/contracts.ts";
import { type Composer, composerOf } from "../../jobs/composer.ts";
import { plan as planSteps } from "../../jobs/plan.ts";
import { recordFrozen } from "../../jobs/record-frozen.ts";
import { openWorkshop } from "../../jobs/workshop-for.ts";
import type { Config } from "../config.ts";
import { withServices } from "../wiring.ts";
import { type BatchOptions, batchFolder, freezeBatch, progressFor, scopeOf } from "./run.ts";

export async function plan(config: Config, batch: string, options: BatchOptions): Promise<void> {
  const progress = progressFor(config, options.json === true);
  const folder = batchFolder(config, batch);
  await withServices(config, {}, async (services) => {
    const { digest, frozen } = await freezeBatch(services, folder, options, progress);
    const signal = new AbortController().signal;
    const composer = composerOf(services, { spec: options.model ?? config.composer, signal, isReplay: false });
    const shop = await openWorkshop(services, {
      frozenDigest: digest,
      replay: false,
      composer,
      onStep: () => undefined,
    });
    await recordFrozen(services, digest, frozen, folder);
    const { counts, lines } = await planSteps(shop, scopeOf(frozen, options.only));
    progress.stop();
    const toWork = lines.filter((line) => line.verify === null).map((line) => line.instrument.instrument);
    if (options.json) {
      process.stdout.write(
        `${JSON.stringify({ batch: frozen.batch.id, frozen: digest, steps: counts, to_work: toWork }, null, 2)}\n`,
      );
      return;
    }
    const rows = Object.entries(counts).map(
      ([step, { found, missing }]) =>
        `  ${step.padEnd(12)} ${String(missing).padStart(6)} to work ${String(found).padStart(6)} recorded`,
    );
    const ending =
      toWork.length === 0 ? "nothing to work: a run only writes the output" : `${toWork.length} cards are not final`;
    process.stdout.write(
      `${[`${frozen.batch.id}: ${frozen.instruments.length} instruments`, ...rows, ending, costOf(composer, counts.compose.missing)].join("\n")}\n`,
    );
  });
}

function costOf({ provider, model }: Pick<Composer, "provider" | "model">, missing: number): string {
  if (provider === "builtin") return "cost: none (no model is called)";
  const { requests, tokens } = CARD_BUDGET;
  return [
    `cost: not known beforehand. ${provider}:${model} composes ${missing} times, once for a card and language, each with at most`,
    `  ${requests} requests and ${tokens} tokens, and no limit in money but \`assay run --budget-usd\`; \`assay runs card\` tells what was spent`,
  ].join("\n");
}
