/** Opens the shared parts of a run's steps over the services of the program: store, browser, fonts, second engine. */
import { WORDS } from "../../templates/locales/index.ts";
import type { Services } from "../app/wiring.ts";
import { loadPolicy } from "../gates/policy/load.ts";
import { appendEvents } from "../ledger/append.ts";
import { createFontShop, type FontShop } from "../render/fonts.ts";
import { recordCardVersions } from "../store/card-versions.ts";
import { findSteps, recordStep } from "../store/steps.ts";
import { codeDigests } from "./code-digest.ts";
import { openContext } from "./context.ts";
import { ObservationCache } from "./observations.ts";
import { StepBook, type StepId, type StepLog } from "./steps/step.ts";
import type { Workshop } from "./steps/workshop.ts";

export interface WorkshopOptions {
  frozenDigest: string;
  replay: boolean;
  onStep: (id: StepId, wasFound: boolean) => void;
}

export async function openWorkshop(services: Services, options: WorkshopOptions): Promise<Workshop> {
  const { config, database, objects } = services;
  const { tenant } = config;
  const context = await openContext({
    tenant,
    frozenDigest: options.frozenDigest,
    objects,
    code: codeDigests(services.packageVersions),
    loadPolicy,
  });
  const book = new StepBook({
    log: stepLog(services, context.frozen.batch.id),
    objects,
    replay: options.replay,
    onStep: options.onStep,
  });
  let fonts: Promise<FontShop> | undefined;
  return {
    context,
    book,
    observations: new ObservationCache(),
    browser: services.browser,
    fonts: () => {
      fonts ??= Promise.resolve(
        createFontShop({
          baseText: JSON.stringify(WORDS) + JSON.stringify(context.policy.disclosures),
          cacheDir: services.cacheDir,
        }),
      );
      return fonts;
    },
    async withSession(work) {
      const client = await database.pool.connect();
      try {
        return await work(client);
      } finally {
        // The session holds temporary tables and functions: it is thrown away, not returned to the pool.
        client.release(true);
      }
    },
  };
}

function stepLog({ database, config, now }: Services, batch: string): StepLog {
  const { tenant } = config;
  return {
    find: async (keys) => {
      const found = await database.inTenant(tenant, (tx) => findSteps(tx, tenant, [...keys]));
      return new Map([...found].map(([key, { output_digest }]) => [key, output_digest]));
    },
    record: (id, recorded, { events = [], versions = [] }) =>
      database.inTenant(tenant, async (tx) => {
        const at = now();
        await recordStep(tx, tenant, at, {
          key: recorded.key,
          step: id.step,
          batch,
          instrument: id.instrument,
          outcome: "COMPLETED",
          output_digest: recorded.output,
        });
        await recordCardVersions(
          tx,
          tenant,
          at,
          versions.map((version) => ({ ...version, batch, document_digest: recorded.output })),
        );
        const body = { batch, ...id, key: recorded.key, output: recorded.output };
        await appendEvents(tx, {
          tenant,
          events: [{ type: "step_recorded/v1", body }, ...events],
          actor: "assay",
          at,
        });
      }),
  };
}
