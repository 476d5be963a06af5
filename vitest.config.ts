/** One Postgres server for all files (global setup); two files at once, as the machines have two cores. */
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const report = process.env.ASSAY_TEST_REPORT;

/** The files that run whole batches first: one of them begun last would run alone while a core rests. */
class BatchesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const runsBatches = ({ moduleId }: TestSpecification) => moduleId.includes("/test/e2e/");
    return [...sorted.filter(runsBatches), ...sorted.filter((file) => !runsBatches(file))];
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    environment: "node",
    globalSetup: "./test/support/global-setup.ts",
    // Against what hangs, not against what is slow: the machine may be busy with anything.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
    sequence: { sequencer: BatchesFirst },
    reporters: report === undefined ? ["default"] : ["default", "json"],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
  },
});
