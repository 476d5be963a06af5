/** `assay status`: the batches received, and what is recorded of each as it was last received. */
import { AssayError } from "../../domain/outcome.ts";
import { type InstrumentPlan, plan } from "../../jobs/plan.ts";
import { receivedBatches } from "../../jobs/record-frozen.ts";
import { versionsOf } from "../../jobs/steps/version.ts";
import type { Workshop } from "../../jobs/steps/workshop.ts";
import { openWorkshop } from "../../jobs/workshop-for.ts";
import { readVersionsOrFaults, readWork } from "../../ledger/projections.ts";
import type { State } from "../../lifecycle/card-state.ts";
import { stateAt } from "../../lifecycle/card-version.ts";
import type { Verified } from "../../schema/step-documents.ts";
import { countSteps } from "../../store/steps.ts";
import type { Config } from "../config.ts";
import { type Services, withServices } from "../wiring.ts";
import { batchIdOf } from "./run.ts";

interface BatchStatus {
  batch: string;
  title: string;
  received_at: string;
  as_of: string;
  instruments: number;
  /** Instruments by verdict, of the inputs last received. */
  verdicts: Record<string, number>;
  /** Cards (an instrument in a locale) by state, as folded from the ledger. */
  states: Partial<Record<State | "EXPIRED", number>>;
  /** Versions whose events cannot be folded: they are in no state, and in no count of states. */
  faults: { version_id: string; code: string; message: string }[];
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
    const lines: BatchStatus[] = [];
    for (const [id, { at, body }] of received) {
      if (batch !== undefined && id !== batch) continue;
      const shop = await openWorkshop(services, { frozenDigest: body.frozen, replay: false, onStep: () => undefined });
      const planned = await plan(shop, shop.context.frozen.instruments);
      const { verdicts, states, faults } = await foldCards(services, shop, planned.lines);
      lines.push({
        batch: id,
        title: body.title,
        received_at: at,
        as_of: body.as_of,
        instruments: body.instruments,
        verdicts,
        states,
        faults,
        unfinished: planned.lines.filter(({ verify }) => verify === null).length,
        steps_recorded: await database.inTenant(tenant, (tx) => countSteps(tx, tenant, id)),
      });
    }
    if (options.json) process.stdout.write(`${JSON.stringify(lines, null, 2)}\n`);
    else
      process.stdout.write(
        lines.length === 0 ? "no batch was received yet: `assay run <batch>`\n" : lines.map(describe).join(""),
      );
  });
}

/** Of the inputs last received: a card whose content is known has its version's state, any other that of its work. */
async function foldCards(
  { database, config, now }: Services,
  shop: Workshop,
  planned: readonly InstrumentPlan[],
): Promise<Pick<BatchStatus, "verdicts" | "states" | "faults">> {
  const { context, book } = shop;
  const verdicts: BatchStatus["verdicts"] = {};
  const versions: string[] = [];
  const open: { instrument: string; locale: string }[] = [];
  for (const { instrument, verify } of planned) {
    if (verify === null) {
      open.push(...context.frozen.batch.locales.map((locale) => ({ instrument: instrument.instrument, locale })));
      continue;
    }
    const verified = await book.read<Verified>(verify);
    verdicts[verified.verdict] = (verdicts[verified.verdict] ?? 0) + 1;
    versions.push(...versionsOf(context, instrument, verified).map(({ version_id }) => version_id));
  }
  const states: BatchStatus["states"] = {};
  const faults: BatchStatus["faults"] = [];
  const count = (state: State | "EXPIRED") => {
    states[state] = (states[state] ?? 0) + 1;
  };
  const [known, work] = await database.inTenant(config.tenant, async (tx) => [
    await readVersionsOrFaults(tx, config.tenant, versions),
    await readWork(tx, config.tenant, context.frozenDigest, open),
  ]);
  for (const [version_id, found] of known) {
    if (found instanceof AssayError) faults.push({ version_id, code: found.code, message: found.message });
    else count(stateAt(found, now()));
  }
  for (const state of work.values()) count(state);
  return { verdicts, states, faults };
}

function describe(line: BatchStatus): string {
  const done = Object.values(line.verdicts).reduce((total, count) => total + count, 0);
  const verdicts = ["PASS", "REVIEW", "BLOCK"]
    .map((verdict) => `${line.verdicts[verdict] ?? 0} ${verdict.toLowerCase()}`)
    .join(", ");
  const states = Object.entries(line.states).map(([state, count]) => `${count} ${state}`);
  return [
    `${line.batch}: ${line.title}`,
    `  received ${line.received_at}, known at ${line.as_of}`,
    `  ${done} of ${line.instruments} instruments have a verdict: ${verdicts}`,
    `  cards: ${states.join(", ")}`,
    ...line.faults.map(
      ({ version_id, code, message }) => `  unreadable: version ${version_id.slice(0, 12)}: ${code}: ${message}`,
    ),
    `  ${line.unfinished > 0 ? "unfinished: run the batch again, it goes on from what is recorded" : "finished"}; ${line.steps_recorded} steps recorded`,
    "",
  ].join("\n");
}
