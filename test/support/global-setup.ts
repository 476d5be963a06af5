/**
 * One Postgres per test run. Nothing starts here: the first file that asks for a database starts the server in the
 * folder named here, so that runs of pure tests stay fast. Teardown stops it and removes the folder.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    testServerDir: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), "assay-test-"));
  project.provide("testServerDir", dir);
  return async () => {
    if (existsSync(join(dir, "postgres"))) {
      const { startTestServer } = await import("./database.ts");
      await (await startTestServer(dir)).leave();
    }
    await rm(dir, { recursive: true, force: true });
  };
}
