/**
 * The first act of a run: reads the batch folder, stores every byte it declares, and puts the request, the universe and
 * all source versions into one document, the frozen batch. From here on nothing reads the folder.
 */
import { readBatchFolder } from "../collect/batch-folder.ts";
import { freezeCausal } from "../collect/causal.ts";
import { type CollectTerms, collect } from "../collect/collect.ts";
import { freezeResearch } from "../collect/research.ts";
import { canonicalJson, type Sha256 } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import { historyRefusal } from "../lifecycle/causal-edge.ts";
import { type Batch, batchSchema } from "../schema/batch.ts";
import type { FrozenBatch } from "../schema/frozen.ts";
import type { ObjectStore } from "../store/objects.ts";

export interface FreezeOptions {
  tenant: string;
  folder: string;
  allowRoots: string[];
  locale: string | null;
  channel: string | null;
  now: string;
  objects: ObjectStore;
  onProgress: (done: number, total: number) => void;
}

export async function freeze(options: FreezeOptions): Promise<{ digest: Sha256; frozen: FrozenBatch }> {
  const { tenant, folder, allowRoots, objects } = options;
  const read = await readBatchFolder(folder, { allowRoots, now: Date.parse(options.now) });
  const batch = withOverrides(read.batch, options.locale, options.channel);
  const [batchSha, universeSha] = await Promise.all([objects.put(read.batchBytes), objects.put(read.universeBytes)]);
  const terms: CollectTerms = { tenant, folder, batch, instruments: read.instruments, allowRoots, objects };
  const { evidence, faults } = await collect({ ...terms, onProgress: options.onProgress });
  const { faults: researchFaults, ...research } = await freezeDefinitions(terms);
  const frozen: FrozenBatch = {
    schema: "frozen_batch/v1",
    tenant,
    batch,
    batch_sha256: batchSha,
    universe_sha256: universeSha,
    instruments: read.instruments,
    evidence: evidence.map(({ evidence_id, version }) => ({ evidence_id, version })),
    faults: [...read.universeFaults, ...faults, ...researchFaults],
    ...research,
  };
  const digest = await objects.put(Buffer.from(canonicalJson(frozen)));
  return { digest, frozen };
}

/** Definitions and the register, where the request names their folders; a request that does not leaves no trace of them. */
async function freezeDefinitions(terms: CollectTerms): Promise<Pick<FrozenBatch, "research" | "causal" | "faults">> {
  const { research: researchFolder, causal: causalFolder } = terms.batch;
  const research = researchFolder === undefined ? { faults: [] } : await freezeResearch(researchFolder, terms);
  const register =
    causalFolder === undefined
      ? { faults: [] }
      : await freezeCausal(causalFolder, terms, (edge) => historyRefusal(edge)?.detail ?? null);
  return { ...research, ...register, faults: [...research.faults, ...register.faults] };
}

function withOverrides(batch: Batch, locale: string | null, channel: string | null): Batch {
  const changed = {
    ...batch,
    ...(locale === null ? {} : { locales: [locale] }),
    ...(channel === null ? {} : { channel }),
  };
  const checked = batchSchema.safeParse(changed);
  if (!checked.success) {
    throw new AssayError("OPTION_INVALID", "the locale or channel given is not one that Assay knows", {
      hint: "--locale takes ko-KR or en-US; --channel takes the name of a policy",
    });
  }
  return checked.data;
}
