/** A change of a step's code is a change of its input. Tried on a copy of the sources beside the module itself. */
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeDigests, codeDigests } from "../../pipeline/jobs/code-digest.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PACKAGES = { "decimal.js": "10.6.0", sharp: "0.35.5", parse5: "8.1.1" };
let dir: string;
let digests: (packages?: Record<string, string>) => CodeDigests;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "assay-code-"));
  cpSync(join(ROOT, "pipeline"), join(dir, "pipeline"), {
    recursive: true,
    filter: (path) => !path.includes("prisma-client"),
  });
  cpSync(join(ROOT, "templates"), join(dir, "templates"), { recursive: true });
  const copy = (await import(pathToFileURL(join(dir, "pipeline/jobs/code-digest.ts")).href)) as {
    codeDigests: typeof codeDigests;
  };
  digests = (packages = PACKAGES) => copy.codeDigests(packages);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function changedBy(edit: () => void, packages?: Record<string, string>): string[] {
  const before = digests();
  edit();
  const after = digests(packages);
  return (Object.keys(before) as (keyof CodeDigests)[]).filter((step) => before[step] !== after[step]);
}

describe("the digest of a step's code", () => {
  it("is the same for the same files", () => {
    expect(changedBy(() => undefined)).toEqual([]);
  });

  it.each<[file: string, steps: string[]]>([
    ["pipeline/facts/total-return.ts", ["facts", "peers"]],
    ["pipeline/recalculate/formulas/total_return.sql", ["recalculate", "verify"]],
    ["pipeline/gates/jumps.ts", ["peers", "compose", "verify"]],
    ["pipeline/compose/rules/returns.ts", ["compose", "verify"]],
    ["pipeline/render/readback.ts", ["compose", "render", "verify"]],
    ["templates/card/v1/css.ts", ["render"]],
    ["pipeline/domain/print.ts", ["facts", "peers", "compose", "render", "recalculate", "verify"]],
    ["pipeline/jobs/queue.ts", []],
    ["pipeline/app/main.ts", []],
  ])("%s changes those of %j", (file, steps) => {
    expect(changedBy(() => appendFileSync(join(dir, file), "\n"))).toEqual(steps);
  });

  it("changes with a new file and with a package's version", () => {
    expect(changedBy(() => writeFileSync(join(dir, "pipeline/facts/another.ts"), ""))).toEqual(["facts", "peers"]);
    expect(changedBy(() => undefined, { ...PACKAGES, sharp: "0.36.0" })).toEqual(["render"]);
  });
});
