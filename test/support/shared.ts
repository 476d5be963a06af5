/** The real batch and data beside the repository. Absent: the tests that need them skip and say so. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe } from "vitest";

export const SHARED = fileURLToPath(new URL("../../../shared", import.meta.url));
export const REAL_BATCH = `${SHARED}/batches/real-2026-04-30`;
export const hasShared = existsSync(REAL_BATCH);

if (!hasShared) console.warn(`skipped: tests on real data need ${SHARED}, which is absent`);

/** Tests on real data: run where ../shared is present. The mark lets .ci/run tell these skips from others. */
export const describeShared = (name: string, tests: () => void) =>
  hasShared ? describe(name, tests) : describe.skip(`[shared] ${name}`, tests);
