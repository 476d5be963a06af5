/**
 * What one run of the example left, for all files of a test run: objects and output as folders, the database as a template
 * to clone. Made by the first who asks and gone with the test run, so it is always the work of the sources under test.
 */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { freshDatabase, templateOf } from "../support/database.ts";
import { exampleIn, type Place, place, succeeded, textOf } from "./support.ts";

const TEMPLATE = "assay_ran_example";

export interface RanExample {
  /** Holds objects/ and out/. */
  dir: string;
  manifest: string;
  /** How long the run took, on the machine as busy as it was. */
  ms: number;
}

export async function ranExample(): Promise<RanExample> {
  const dir = join(inject("testServerDir"), "ran-example");
  await templateOf(TEMPLATE, async (database) => {
    const here = await place({ database });
    const from = performance.now();
    succeeded(await here.assay("run", exampleIn(here.dir), "--out", join(here.dir, "out")));
    const ms = performance.now() - from;
    mkdirSync(dir, { recursive: true });
    cpSync(join(here.dir, "data/objects"), join(dir, "objects"), { recursive: true });
    cpSync(join(here.dir, "out"), join(dir, "out"), { recursive: true });
    writeFileSync(join(dir, "ms"), String(ms));
  });
  return { dir, manifest: textOf(dir, "out/manifest.json"), ms: Number(textOf(dir, "ms")) };
}

/** A place of one's own where the example was run already, into `out`. */
export async function placeAfterRun(): Promise<Place> {
  const { dir } = await ranExample();
  const here = await place({ database: await freshDatabase(TEMPLATE) });
  cpSync(join(dir, "objects"), join(here.dir, "data/objects"), { recursive: true });
  cpSync(join(dir, "out"), join(here.dir, "out"), { recursive: true });
  return here;
}
