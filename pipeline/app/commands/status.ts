/** `assay status`: the batches received and what is recorded of each. */

import { AssayError } from "../../domain/outcome.ts";
import { receivedBatches } from "../../jobs/record-frozen.ts";
import { eachEvent } from "../../ledger/read.ts";
import type { Config } from "../config.ts";
import { withServices } from "../wiring.ts";

interface BatchStatus {
  batch: string;
  title: string;
  received_at: string;
  as_of: string;
  instruments: number;
  /** Instruments whose cards have a verdict since the batch was last received, by verdict. */
  verdicts: Record<string, number>;
  steps_recorded: number;
}

export async function status(config: Config, batch: string | undefined, options: { json?: boolean }): Promise<void> {
  await withServices(config, {}, async ({ database }) => {
    const { tenant } = config;
    const received = await database.inTenant(tenant, (tx) => receivedBatches(tx, tenant));
    if (batch !== undefined && !received.has(batch)) {
      throw new AssayError("BATCH_UNKNOWN", `no batch ${batch} was received`, {
        hint: "`assay status` lists those that were",
      });
    }
    const found = new Map<string, BatchStatus>();
    const verdicts = new Map<string, Map<string, string>>();
    for (const [id, { at, body }] of received) {
      if (batch !== undefined && id !== batch) continue;
      found.set(id, {
        batch: id,
        title: body.title,
        received_at: at,
        as_of: body.as_of,
        instruments: body.instruments,
        verdicts: {},
        steps_recorded: 0,
      });
      verdicts.set(id, new Map());
    }
    let under = "";
    for await (const { type, body } of eachEvent(database, {
      tenant,
      types: ["step_recorded/v1", "card_verified/v1"],
    })) {
      if (type === "step_recorded/v1") {
        under = String(body.batch);
        const line = found.get(under);
        if (line !== undefined) line.steps_recorded += 1;
      } else {
        verdicts.get(under)?.set(String(body.instrument), String(body.verdict));
      }
    }
    for (const [id, line] of found) {
      for (const verdict of verdicts.get(id)?.values() ?? [])
        line.verdicts[verdict] = (line.verdicts[verdict] ?? 0) + 1;
    }
    const lines = [...found.values()];
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
  const open = line.instruments - done;
  return [
    `${line.batch}: ${line.title}`,
    `  received ${line.received_at}, known at ${line.as_of}`,
    `  ${done} of ${line.instruments} instruments have a verdict: ${verdicts}`,
    `  ${open > 0 ? "unfinished: run the batch again, it goes on from what is recorded" : "finished"}; ${line.steps_recorded} steps recorded`,
    "",
  ].join("\n");
}
