/** Opens the shared parts of a run's steps over the services of the program: store, browser, fonts, second engine. */
import { WORDS } from "../../templates/locales/index.ts";
import type { Services } from "../app/wiring.ts";
import { loadPolicy } from "../gates/policy/load.ts";
import { createFontShop, type FontShop } from "../render/fonts.ts";
import { codeDigests } from "./code-digest.ts";
import { BUILTIN, type Composer, composerOf, lastComposer } from "./composer.ts";
import { openContext } from "./context.ts";
import { ObservationCache } from "./observations.ts";
import { openStepLog } from "./step-log.ts";
import { StepBook, type StepId, type VersionIdentity } from "./steps/step.ts";
import type { Workshop } from "./steps/workshop.ts";

export interface WorkshopOptions {
  frozenDigest: string;
  replay: boolean;
  /** Who composes; whoever was chosen for these inputs last, unless another is given. */
  composer?: Composer;
  onStep: (id: StepId, wasFound: boolean) => void;
  /** The version that a new one remedies; absent: none. */
  supersedes?: (version: VersionIdentity) => string | null;
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
    log: openStepLog(services, {
      batch: context.frozen.batch.id,
      frozen: options.frozenDigest,
      supersedes: options.supersedes ?? (() => null),
    }),
    objects,
    replay: options.replay,
    onStep: options.onStep,
  });
  let fonts: Promise<FontShop> | undefined;
  return {
    context,
    book,
    composer:
      options.composer ??
      composerOf(services, {
        spec: (await database.inTenant(tenant, (tx) => lastComposer(tx, tenant, options.frozenDigest))) ?? BUILTIN,
        signal: new AbortController().signal,
        isReplay: options.replay,
      }),
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
