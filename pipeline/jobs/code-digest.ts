/**
 * Digests of the code that a step runs: its own source files, as they lie beside this module (sources or build), and the
 * versions of the packages it rests on. A change of code is a change of input; no version number can be forgotten.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Sha256, sha256 } from "../domain/digest.ts";

export interface CodeDigests {
  facts: Sha256;
  peers: Sha256;
  compose: Sha256;
  render: Sha256;
  recalculate: Sha256;
  verify: Sha256;
}

const TOP = fileURLToPath(new URL("../../", import.meta.url));
const SHARED = ["pipeline/domain", "pipeline/schema"];

export function codeDigests(packageVersions: Record<string, string>): CodeDigests {
  const files = new Map<string, string>();
  const of = (folders: string[], packages: string[]) =>
    sha256(
      [
        ...folders.flatMap((folder) => digestsBelow(folder, files)),
        ...packages.map((name) => `${name}@${packageVersions[name] ?? "?"}`),
      ].join("\n"),
    );
  const inputs = [...SHARED, "pipeline/collect", "pipeline/facts", "pipeline/jobs/steps"];
  return {
    facts: of(inputs, ["decimal.js", "papaparse", "iconv-lite"]),
    peers: of([...inputs, "pipeline/gates"], ["decimal.js"]),
    compose: of(
      [
        ...SHARED,
        "pipeline/agents",
        "pipeline/compose",
        "pipeline/gates",
        "pipeline/render",
        "templates/locales",
        "templates/product-types",
        "pipeline/jobs/steps",
      ],
      ["decimal.js", "es-hangul", "garu-ko", "wink-nlp", "wink-eng-lite-web-model"],
    ),
    render: of(
      [...SHARED, "pipeline/render", "templates", "pipeline/jobs/steps"],
      [
        "react",
        "react-dom",
        "d3-scale",
        "d3-shape",
        "d3-array",
        "pretendard",
        "subset-font",
        "@sparticuz/chromium",
        "sharp",
      ],
    ),
    recalculate: of([...SHARED, "pipeline/recalculate", "pipeline/jobs/steps"], []),
    verify: of(
      [
        ...SHARED,
        "pipeline/compose",
        "pipeline/gates",
        "pipeline/recalculate",
        "pipeline/render",
        "pipeline/jobs/steps",
      ],
      ["parse5", "es-hangul", "garu-ko", "wink-nlp", "wink-eng-lite-web-model"],
    ),
  };
}

function digestsBelow(folder: string, known: Map<string, string>): string[] {
  return readdirSync(join(TOP, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return digestsBelow(path, known);
      let digest = known.get(path);
      if (digest === undefined) {
        digest = sha256(readFileSync(join(TOP, path)));
        known.set(path, digest);
      }
      return [`${path} ${digest}`];
    });
}
