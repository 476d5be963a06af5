/** `assay run`: freeze, plan, work what is missing, write the output. Exit 0 when the batch ended, quarantines included. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { readBatchFolder } from "../../collect/batch-folder.ts";
import { AssayError } from "../../domain/outcome.ts";
import { composerOf, recordComposer } from "../../jobs/composer.ts";
import { freeze } from "../../jobs/freeze.ts";
import { limitedComposer } from "../../jobs/limited-composer.ts";
import { OutputFolder } from "../../jobs/output/folder.ts";
import { writeOutput } from "../../jobs/output/write.ts";
import { recordFrozen } from "../../jobs/record-frozen.ts";
import { runBatch } from "../../jobs/run-batch.ts";
import { openWorkshop } from "../../jobs/workshop-for.ts";
import type { FrozenBatch } from "../../schema/frozen.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { Report } from "../../schema/report.ts";
import { type Config, readModelSettings } from "../config.ts";
import { interruptible } from "../interrupt.ts";
import { openProgress, type Progress } from "../progress.ts";
import { type Services, withServices } from "../wiring.ts";

export interface BatchOptions {
  locale?: string;
  channel?: string;
  only?: string[];
  model?: string;
  allowRoot: string[];
  json?: boolean;
}
export interface RunCommandOptions extends BatchOptions {
  out?: string;
  concurrency: number;
  /** Micro-units of USD, for one card in one language and for all that this run composes. */
  budgetUsd?: number;
  budgetBatchUsd?: number;
}

export async function run(config: Config, batch: string, options: RunCommandOptions): Promise<void> {
  const started = performance.now();
  const progress = progressFor(config, options.json === true);
  const folder = batchFolder(config, batch);
  const wiring = { pages: options.concurrency, onFault: (error: Error) => progress.note(`warning: ${error.message}`) };
  await interruptible((interrupt) =>
    withServices(config, wiring, async (services) => {
      const collecting = performance.now();
      const { digest, frozen } = await interrupt.race(freezeBatch(services, folder, options, progress));
      const collected = performance.now() - collecting;
      const scope = scopeOf(frozen, options.only);
      await services.alone(`batch/${frozen.batch.id}`, async () => {
        interrupt.signal.throwIfAborted();
        const spec = options.model ?? config.composer;
        const composer = limitedComposer(
          composerOf(services, { spec, signal: interrupt.signal, isReplay: false }),
          { card_microusd: options.budgetUsd ?? null, batch_microusd: options.budgetBatchUsd ?? null },
          spec in readModelSettings().prices,
        );
        // A key that is missing shows before the work, not on every card.
        if (composer.provider !== "builtin") await services.openModel(spec);
        const shop = await openWorkshop(services, {
          frozenDigest: digest,
          replay: false,
          composer,
          onStep: ({ step, instrument }) => progress.step(`${step} ${instrument}`),
        });
        // After the policy was found: a batch that cannot be judged was not received.
        await recordFrozen(services, digest, frozen, folder);
        await recordComposer(services, digest, spec);
        const outcomes = await runBatch(services, shop, {
          scope,
          pages: options.concurrency,
          onPlan: (steps) => progress.stage("cards", steps),
          onStep: () => undefined,
          signal: interrupt.signal,
        });
        const out = resolve(options.out ?? join("out", frozen.batch.id));
        progress.stage("output", outcomes.length);
        const { report } = await writeOutput(shop, outcomes, new OutputFolder(out), {
          timings: { collect: collected, total: () => performance.now() - started },
          versions: versionsOf(services, shop.context.policy.digest),
          onCard: () => progress.step(),
        });
        progress.stop();
        process.stdout.write(
          options.json ? `${JSON.stringify(withoutLists(report), null, 2)}\n` : summary(report, out),
        );
      });
    }),
  );
}

/** A batch as recorded is known by its id: of the folder's request where a folder is given, else as given. */
export async function batchIdOf(config: Config, services: Services, batch: string): Promise<string> {
  const folder = findFolder(config, batch);
  if (folder === undefined) return batch;
  const terms = { allowRoots: config.allowRoots, now: Date.parse(services.now()) };
  return (await readBatchFolder(folder, terms)).batch.id;
}

function findFolder(config: Config, batch: string): string | undefined {
  const candidates = [resolve(batch), join(config.root, "batches", batch)];
  return candidates.find((folder) => existsSync(join(folder, "batch.yaml")));
}

/** A path, or the id of a batch under the program's batches/. */
export function batchFolder(config: Config, batch: string): string {
  const found = findFolder(config, batch);
  if (found === undefined) {
    throw new AssayError("BATCH_NOT_FOUND", `no batch.yaml in ${batch}`, {
      hint: "give a folder that holds batch.yaml; batches/README.md says how to make one",
    });
  }
  return found;
}

export async function freezeBatch(
  services: Services,
  folder: string,
  options: BatchOptions,
  progress: Progress,
): Promise<{ digest: string; frozen: FrozenBatch }> {
  const { config, objects } = services;
  let shown = false;
  return freeze({
    tenant: config.tenant,
    folder,
    allowRoots: [...config.allowRoots, ...options.allowRoot.map((path) => resolve(path))],
    locale: options.locale ?? null,
    channel: options.channel ?? null,
    now: services.now(),
    objects,
    onProgress: (_done, total) => {
      if (!shown) progress.stage("collect", total);
      shown = true;
      progress.step();
    },
  });
}

export function scopeOf(frozen: FrozenBatch, only: string[] | undefined): Instrument[] {
  if (only === undefined) return frozen.instruments;
  const wanted = new Set(only);
  const scope = frozen.instruments.filter(({ instrument }) => wanted.delete(instrument));
  if (wanted.size > 0) {
    throw new AssayError("INSTRUMENT_UNKNOWN", `not in the universe: ${[...wanted].join(", ")}`, {
      hint: "instruments are written as in universe.csv, such as KR:069500",
    });
  }
  return scope;
}

export function progressFor(config: Config, asJson: boolean): Progress {
  return openProgress(asJson ? "none" : config.isTerminal ? "bar" : "lines");
}

export function versionsOf(services: Services, policyDigest: string): Record<string, string> {
  return { assay: services.config.version, node: process.version, policy: policyDigest, ...services.packageVersions };
}

function withoutLists(report: Report): Omit<Report, "lines" | "quarantine" | "faults" | "versions"> {
  const { lines: _lines, quarantine: _quarantine, faults: _faults, versions: _versions, ...counts } = report;
  return counts;
}

function summary(report: Report, out: string): string {
  const { numerals, chart_points, verdicts, cards } = report;
  const number = (count: number) => count.toLocaleString("en");
  return [
    `${report.batch}: ${report.instruments} instruments, ${cards.html} cards in HTML, ${cards.png} in PNG`,
    `verdicts: ${verdicts.pass} pass, ${verdicts.review} review, ${verdicts.block} block; ${report.quarantined} ${report.quarantined === 1 ? "card" : "cards"} in quarantine`,
    `figures: ${number(numerals.shown)} shown, ${number(numerals.matched)} matched by the second engine; ` +
      `chart points: ${number(chart_points.drawn)} drawn, ${number(chart_points.matched)} matched; ` +
      `unclassified numerals: ${report.numerals_other.unclassified}`,
    `steps: ${report.cache.misses} worked, ${report.cache.hits} found as recorded; ${(report.timings_ms.total / 1000).toFixed(1)} s`,
    `report: ${join(out, "report.html")}`,
    "",
  ].join("\n");
}
