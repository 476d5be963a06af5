/** `assay status`: the batches received, and what is recorded of each as it was last received. */
import { AssayError } from "../../domain/outcome.ts";
import { plan } from "../../jobs/plan.ts";
import { receivedBatches } from "../../jobs/record-frozen.ts";
import { openWorkshop } from "../../jobs/workshop-for.ts";
import { eachEvent } from "../../ledger/read.ts";
import type { Config } from "../config.ts";
import { withServices } from "../wiring.ts";
import { batchIdOf } from "./run.ts";

interface BatchStatus {
  batch: string;
  title: string;
  received_at: string;
  as_of: string;
  instruments: number;
  /** Instruments by verdict, of the inputs last received. */
  verdicts: Record<string, number>;
  /** Instruments without one. */
  unfinished: number;
  steps_recorded: number;
}

export async function status(config: Config, given: string | undefined, options: { json?: boolean }): Promise<void> {
  await withServices(config, {}, async (services) => {
    const { tenant } = config;
    const { database } = services;
    const batch = given === undefined ? undefined : await batchIdOf(config, services, given);
    const received = await database.inTenant(tenant, (tx) => receivedBatches(tx, tenant));
    if (batch !== undefined && !received.has(batch)) {
      throw new AssayError("BATCH_UNKNOWN", `no batch ${batch} was received`, {
        hint: "`assay status` lists those that were",
      });
    }
    // A verdict's event follows that of its step, in one transaction.
    const verdicts = new Map<string, string>();
    const steps = new Map<string, number>();
    let key = "";
    for await (const { type, body } of eachEvent(database, {
      tenant,
      types: ["step_recorded/v1", "card_verified/v1"],
    })) {
      if (type === "step_recorded/v1") {
        key = String(body.key);
        steps.set(String(body.batch), (steps.get(String(body.batch)) ?? 0) + 1);
      } else verdicts.set(key, String(body.verdict));
    }
    const lines: BatchStatus[] = [];
    for (const [id, { at, body }] of received) {
      if (batch !== undefined && id !== batch) continue;
      const shop = await openWorkshop(services, { frozenDigest: body.frozen, replay: false, onStep: () => undefined });
      const planned = await plan(shop, shop.context.frozen.instruments);
      const counts: Record<string, number> = {};
      for (const { verify } of planned.lines) {
        const verdict = verify === null ? undefined : verdicts.get(verify.key);
        if (verdict !== undefined) counts[verdict] = (counts[verdict] ?? 0) + 1;
      }
      lines.push({
        batch: id,
        title: body.title,
        received_at: at,
        as_of: body.as_of,
        instruments: body.instruments,
        verdicts: counts,
        unfinished: planned.lines.filter(({ verify }) => verify === null).length,
        steps_recorded: steps.get(id) ?? 0,
      });
    }
    if (options.json) process.stdout.write(`${JSON.stringify(lines, null, 2)}\n`);
    else
      process.stdout.write(
        lines.length === 0 ? "no batch was received yet: `assay run <batch>`\n" : lines.map(describe).join(""),
      );
  });
}

function describe(line: BatchStatus): string {
  const done = Object.values(line.verdicts).reduce((total, count) => total + count, 0);
  const verdicts = ["PASS", "REVIEW", "BLOCK"]
    .map((verdict) => `${line.verdicts[verdict] ?? 0} ${verdict.toLowerCase()}`)
    .join(", ");
  return [
    `${line.batch}: ${line.title}`,
    `  received ${line.received_at}, known at ${line.as_of}`,
    `  ${done} of ${line.instruments} instruments have a verdict: ${verdicts}`,
    `  ${line.unfinished > 0 ? "unfinished: run the batch again, it goes on from what is recorded" : "finished"}; ${line.steps_recorded} steps recorded`,
    "",
  ].join("\n");
}
