/** `assay replay`: recomputes a recorded batch from stored bytes alone and compares every digest with what is recorded. */
import { AssayError } from "../../domain/outcome.ts";
import { composerOf } from "../../jobs/composer.ts";
import { receivedBatches } from "../../jobs/record-frozen.ts";
import { runBatch } from "../../jobs/run-batch.ts";
import { openWorkshop } from "../../jobs/workshop-for.ts";
import { instrumentsWith } from "../../store/steps.ts";
import type { Config } from "../config.ts";
import { interruptible } from "../interrupt.ts";
import { withServices } from "../wiring.ts";
import { batchIdOf, progressFor } from "./run.ts";

export async function replay(
  config: Config,
  given: string,
  options: { concurrency: number; model?: string; json?: boolean },
): Promise<void> {
  const progress = progressFor(config, options.json === true);
  const wiring = { pages: options.concurrency, onFault: (error: Error) => progress.note(`warning: ${error.message}`) };
  await interruptible((interrupt) =>
    withServices(config, wiring, async (services) => {
      const { tenant } = config;
      const batch = await batchIdOf(config, services, given);
      const received = (await services.database.inTenant(tenant, (tx) => receivedBatches(tx, tenant))).get(batch);
      if (received === undefined) {
        throw new AssayError("BATCH_UNKNOWN", `no batch ${batch} was received`, {
          hint: "replay takes the id or the folder of a batch that was run",
        });
      }
      await services.alone(`batch/${batch}`, async () => {
        const shop = await openWorkshop(services, {
          frozenDigest: received.body.frozen,
          replay: true,
          ...(options.model === undefined
            ? {}
            : { composer: composerOf(services, { spec: options.model, signal: interrupt.signal, isReplay: true }) }),
          onStep: ({ step, instrument }) => progress.step(`${step} ${instrument}`),
        });
        // What a run with --only left out was never recorded: there is nothing to compare it with.
        const ran = await services.database.inTenant(tenant, (tx) => instrumentsWith(tx, tenant, batch, "verify"));
        const { instruments } = shop.context.frozen;
        const scope = instruments.filter(({ instrument }) => ran.has(instrument));
        if (scope.length === 0) {
          throw new AssayError("NOT_RECORDED", `no card of ${batch} was recorded`, {
            hint: "run the batch first; `assay plan` says what is missing",
          });
        }
        const outcomes = await runBatch(services, shop, {
          scope,
          pages: options.concurrency,
          onPlan: (steps) => progress.stage("replay", steps),
          onStep: () => undefined,
          signal: interrupt.signal,
        });
        progress.stop();
        const { differences, counts } = shop.book;
        const faults = outcomes
          .filter(({ verified }) => verified === null)
          .map(({ instrument, fault }) => ({
            instrument: instrument.instrument,
            code: fault instanceof AssayError ? fault.code : "FAULT",
            fault: fault?.message ?? "no result",
          }));
        const left = instruments.length - scope.length;
        const result = {
          batch,
          frozen: received.body.frozen,
          cards: scope.length,
          not_recorded: left,
          steps: counts.misses,
          differences,
          faults,
        };
        if (options.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
        if (differences.length + faults.length > 0) {
          process.exitCode = 1;
          if (!options.json) {
            for (const { id, recorded, replayed } of differences) {
              process.stdout.write(
                `${id.step} ${id.instrument} ${id.locale ?? ""}: recorded ${recorded}, replayed ${replayed}\n`,
              );
            }
            for (const { instrument, code, fault } of faults)
              process.stdout.write(`${instrument}: ${code}: ${fault}\n`);
          }
        }
        if (!options.json) {
          process.stdout.write(
            differences.length + faults.length === 0
              ? `${batch}: ${counts.misses} steps recomputed from stored inputs, every digest the same${left > 0 ? `; ${left} instruments were never run` : ""}\n`
              : `${batch}: ${differences.length} digests differ, ${faults.length} instruments have no result\n`,
          );
        }
      });
    }),
  );
}
