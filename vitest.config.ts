/** One Postgres server for all files (global setup); two files at once, as the machines have two cores. */
import { defineConfig } from "vitest/config";

const report = process.env.ASSAY_TEST_REPORT;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    environment: "node",
    globalSetup: "./test/support/global-setup.ts",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    reporters: report === undefined ? ["default"] : ["default", "json"],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
  },
});
