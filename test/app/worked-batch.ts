/** A batch whose figures are recorded, both paths, in a database of one's own: all that a conversation needs, and no page drawn. */
import type { Config } from "../../pipeline/app/config.ts";
import { openServices } from "../../pipeline/app/wiring.ts";
import { freeze } from "../../pipeline/jobs/freeze.ts";
import { recordFrozen, recordPlanned } from "../../pipeline/jobs/record-frozen.ts";
import { peers } from "../../pipeline/jobs/steps/peers.ts";
import { recalculate } from "../../pipeline/jobs/steps/recalculate.ts";
import { openWorkshop } from "../../pipeline/jobs/workshop-for.ts";
import type { FreshDatabase } from "../support/database.ts";

export const BATCH = "example-csv";

export function configFor(fresh: FreshDatabase): Config {
  return {
    root: process.cwd(),
    dataDir: fresh.dataDir,
    databaseUrl: fresh.appUrl,
    adminDatabaseUrl: null,
    redisUrl: null,
    chromePath: null,
    allowRoots: [],
    tenant: "main",
    version: "0.0.0",
    isTerminal: false,
    composer: "builtin:composer",
  };
}

/** `cards`: whose figures are recorded; those of the batch's others are not. */
export async function workBatch(config: Config, cards: readonly string[]): Promise<void> {
  const services = await openServices(config);
  try {
    const folder = new URL(`../../batches/${BATCH}`, import.meta.url).pathname;
    const { digest, frozen } = await freeze({
      tenant: config.tenant,
      folder,
      allowRoots: [],
      locale: null,
      channel: null,
      now: services.now(),
      objects: services.objects,
      onProgress: () => undefined,
    });
    const shop = await openWorkshop(services, { frozenDigest: digest, replay: false, onStep: () => undefined });
    await recordFrozen(services, digest, frozen, folder);
    await recordPlanned(services, shop.context);
    for (const instrument of frozen.instruments.filter((one) => cards.includes(one.instrument))) {
      await peers(shop, instrument);
      await recalculate(shop, instrument);
    }
  } finally {
    await services.close();
  }
}
