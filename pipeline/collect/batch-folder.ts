/**
 * Reads a batch's request: batch.yaml and its universe, and nothing else. The bytes are handed back as they were, so that
 * they can be frozen. The clock is an argument: a batch that claims knowledge later than `now` is refused.
 */
import { AssayError } from "../domain/outcome.ts";
import type { Batch } from "../schema/batch.ts";
import { readBatchYaml } from "./batch-yaml.ts";
import { decode } from "./decode.ts";
import { type Limits, readPayloadFile, realRoots, resolveWithin } from "./payload-file.ts";
import { readUniverse, type Universe } from "./universe.ts";

const MB = 1024 * 1024;
const YAML_LIMITS: Limits = { bytes: MB, line: null, rows: null };
const UNIVERSE_LIMITS: Limits = { bytes: 16 * MB, line: MB, rows: 100_000 };
const FILE = "batch.yaml";

export interface BatchFolder extends Universe {
  batch: Batch;
  batchBytes: Uint8Array;
  universeBytes: Uint8Array;
}

/** `now` in milliseconds since 1970. */
export async function readBatchFolder(
  folder: string,
  { allowRoots, now }: { allowRoots: readonly string[]; now: number },
): Promise<BatchFolder> {
  const roots = await realRoots(folder, allowRoots);
  const read = async (locator: string, limits: Limits) =>
    readPayloadFile(locator, await resolveWithin(locator, roots), limits);
  const batchBytes = await read(FILE, YAML_LIMITS).catch((fault: unknown) => {
    if (!(fault instanceof AssayError) || fault.code !== "FILE_MISSING") throw fault;
    throw new AssayError("BATCH_NOT_FOUND", `no ${FILE} in ${folder}`, { hint: `name a folder that holds ${FILE}` });
  });
  const batch = readBatchYaml(yamlText(batchBytes), FILE);
  if (Date.parse(batch.as_of) > now) {
    throw new AssayError("BATCH_FROM_FUTURE", `as_of ${batch.as_of} is later than now`, {
      at: FILE,
      hint: "as_of is when the inputs were known; it cannot lie ahead",
    });
  }
  const universeBytes = await read(batch.universe, UNIVERSE_LIMITS);
  return { batch, batchBytes, universeBytes, ...readUniverse(universeBytes, batch.universe) };
}

function yamlText(bytes: Uint8Array): string {
  try {
    return decode(bytes, "utf-8");
  } catch (fault) {
    throw new AssayError("BATCH_INVALID", `${FILE}: ${(fault as Error).message}`, {
      at: FILE,
      hint: "save it as UTF-8",
    });
  }
}
