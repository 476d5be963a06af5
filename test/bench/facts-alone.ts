/** Facts of every instrument of the batch received last, computed once in this process; prints milliseconds of CPU. */
import { readConfig } from "../../pipeline/app/config.ts";
import { withServices } from "../../pipeline/app/wiring.ts";
import { computeFacts } from "../../pipeline/facts/compute.ts";
import { benchmarkOf } from "../../pipeline/jobs/context.ts";
import { ObservationCache } from "../../pipeline/jobs/observations.ts";
import { receivedBatches } from "../../pipeline/jobs/record-frozen.ts";
import { openWorkshop } from "../../pipeline/jobs/workshop-for.ts";

await withServices(readConfig(), {}, async (services) => {
  const { tenant } = services.config;
  const received = await services.database.inTenant(tenant, (tx) => receivedBatches(tx, tenant));
  const frozenDigest = [...received.values()].at(-1)?.body.frozen;
  if (frozenDigest === undefined) throw new Error("no batch was received");
  const { context } = await openWorkshop(services, { frozenDigest, replay: false, onStep: () => undefined });
  const observations = new ObservationCache(context.frozen.instruments.length);
  const inputs = new Map(
    await Promise.all(
      context.frozen.instruments.map(
        async (one) => [one.instrument, await observations.inputsOf(context, one)] as const,
      ),
    ),
  );
  const before = process.cpuUsage();
  for (const [, own] of inputs) {
    const benchmark = benchmarkOf(context, own.instrument);
    computeFacts(context.terms, own, benchmark === null ? null : (inputs.get(benchmark.instrument) ?? null));
  }
  const { user, system } = process.cpuUsage(before);
  console.log(Math.round((user + system) / 1000));
});
