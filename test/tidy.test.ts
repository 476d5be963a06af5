/**
 * The import rules of the design, each with its reason as message, and the house rules a machine can check. A failure
 * names the file, what it imports, and why that is not allowed.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = new URL("..", import.meta.url).pathname;
const sources = ["pipeline", "templates"].flatMap((folder) => filesBelow(folder));

interface Rule {
  name: string;
  applies: (file: string) => boolean;
  allows: (target: string, file: string) => boolean;
  reason: string;
}

const isNode = (target: string) => target.startsWith("node:");
const below =
  (...folders: string[]) =>
  (target: string) =>
    folders.some((folder) => target.startsWith(folder));
const RULES: Rule[] = [
  {
    name: "domain imports Node, and decimal.js in decimal.ts only",
    applies: below("pipeline/domain/"),
    allows: (target, file) =>
      isNode(target) ||
      below("pipeline/domain/")(target) ||
      (target === "decimal.js" && file === "pipeline/domain/decimal.ts"),
    reason: "domain is what everything rests on: it may rest on nothing that changes for other reasons",
  },
  {
    name: "schema imports domain and zod",
    applies: below("pipeline/schema/"),
    allows: (target) => target === "zod" || below("pipeline/domain/", "pipeline/schema/")(target),
    reason: "a stored document's shape must be readable without the code that made it",
  },
  {
    name: "a formula imports domain, schema and facts/{fact,select}, never another formula",
    applies: (file) =>
      /^pipeline\/facts\/[^/]+\.ts$/.test(file) && readFileSync(join(ROOT, file), "utf8").includes("defineFact("),
    allows: (target, file) =>
      below("pipeline/domain/", "pipeline/schema/", "pipeline/facts/select/")(target) ||
      ["pipeline/facts/fact.ts", "pipeline/facts/select.ts"].includes(target) ||
      file === "pipeline/facts/fact.ts",
    reason: "a formula that calls another hides a dependency: it names it in `needs`",
  },
  {
    name: "facts are pure",
    applies: below("pipeline/facts/"),
    allows: below("pipeline/domain/", "pipeline/schema/", "pipeline/facts/"),
    reason: "a figure depends on observations alone: no file, clock, network or database",
  },
  {
    name: "recalculate shares nothing with the first path",
    applies: below("pipeline/recalculate/"),
    allows: (target) =>
      target !== "decimal.js" &&
      !below("pipeline/facts/", "pipeline/collect/", "pipeline/domain/decimal.ts", "pipeline/domain/print.ts")(target),
    reason: "a second opinion must not share the first one's code",
  },
  {
    name: "a gate imports domain, schema and gates/gate.ts",
    applies: (file) =>
      /^pipeline\/gates\/.+\.ts$/.test(file) && readFileSync(join(ROOT, file), "utf8").includes("= defineGate("),
    allows: (target) =>
      below("pipeline/domain/", "pipeline/schema/")(target) ||
      ["pipeline/gates/gate.ts", "pipeline/gates/evidence.ts"].includes(target),
    reason: "a verdict follows from the evidence handed in: no clock, no other gate, nothing asynchronous",
  },
  {
    name: "the state machine imports domain and schema",
    applies: below("pipeline/lifecycle/card-", "pipeline/lifecycle/causal-edge"),
    allows: (target, file) =>
      below("pipeline/domain/", "pipeline/schema/")(target) ||
      (file.startsWith("pipeline/lifecycle/card-") && target.startsWith("pipeline/lifecycle/card-")),
    reason: "what is decided about a version follows from its events alone, and can be decided anywhere",
  },
  {
    name: "agents and compose cannot reach a write or a verdict",
    applies: below("pipeline/agents/", "pipeline/compose/"),
    allows: (target) =>
      !below(
        "pipeline/gates/",
        "pipeline/ledger/",
        "pipeline/lifecycle/",
        "pipeline/delivery/",
        "pipeline/facts/",
      )(target),
    reason: "a model has no path to a write, a verdict or a formula",
  },
];

const VENDORS: Record<string, string[]> = {
  "decimal.js": ["pipeline/domain/decimal.ts"],
  "puppeteer-core": ["pipeline/render/browser.ts"],
  "@sparticuz/chromium": ["pipeline/render/chromium.ts", "pipeline/render/browser.ts"],
  sharp: ["pipeline/render/png.ts"],
  bullmq: ["pipeline/jobs/queue.ts", "pipeline/store/migrate.ts", "pipeline/store/queue-schema.ts"],
  "subset-font": ["pipeline/render/fonts.ts"],
  parse5: ["pipeline/render/parse-page.ts", "pipeline/render/readback.ts"],
  "iconv-lite": ["pipeline/collect/decode.ts"],
  "garu-ko": ["pipeline/compose/language/ko.ts"],
  "wink-nlp": ["pipeline/compose/language/en.ts"],
  "wink-eng-lite-web-model": ["pipeline/compose/language/en.ts"],
  "@ai-sdk/anthropic": ["pipeline/agents/gateways/anthropic.ts", "pipeline/agents/gateways/wire-format.ts"],
  "@ai-sdk/openai": ["pipeline/agents/gateways/openai.ts"],
  "@ai-sdk/openai-compatible": ["pipeline/agents/gateways/openai-compatible.ts"],
  ...Object.fromEntries(
    ["api", "exporter-trace-otlp-http", "resources", "sdk-trace-base"].map((part) => [
      `@opentelemetry/${part}`,
      ["pipeline/app/otlp.ts"],
    ]),
  ),
  ...Object.fromEntries(
    ["client/index", "client/stdio", "client/streamableHttp", "shared/transport", "types"].map((part) => [
      `@modelcontextprotocol/sdk/${part}.js`,
      ["pipeline/agents/mcp/connection.ts"],
    ]),
  ),
  commander: ["pipeline/app/main.ts", "pipeline/app/program.ts"],
  "cli-progress": ["pipeline/app/progress.ts"],
};

describe("imports go down", () => {
  for (const rule of RULES) {
    it(rule.name, () => {
      const broken = sources
        .filter((file) => rule.applies(file))
        .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
        .filter(({ file, target }) => !rule.allows(target, file))
        .map(({ file, target }) => `${file} imports ${target}: ${rule.reason}`);
      expect(broken).toEqual([]);
    });
  }

  it("one vendor, one file", () => {
    const broken = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => VENDORS[target] !== undefined && !VENDORS[target].includes(file))
        .map(
          (target) =>
            `${file} imports ${target}: only ${VENDORS[target]!.join(", ")} may, so that it can be replaced there`,
        ),
    );
    expect(broken).toEqual([]);
  });

  it("relative imports bear their .ts or .tsx ending", () => {
    const broken = sources.flatMap((file) =>
      rawImportsOf(file)
        .filter((target) => target.startsWith(".") && !/\.(tsx?|json)$/.test(target))
        .map((target) => `${file} imports ${target}: one spelling resolves in tsc, tsx, vitest and Next alike`),
    );
    expect(broken).toEqual([]);
  });
});

describe("what the world tells us comes in by one door", () => {
  it.each([
    [
      "process.env",
      /process\.env\b/,
      ["pipeline/app/config.ts"],
      "the environment is read in app/config.ts and passed down",
    ],
    [
      "the clock",
      /\bDate\.now\(\)|new Date\(\)/,
      ["pipeline/app/wiring.ts"],
      "the clock is an argument, so that a run can be replayed",
    ],
    [
      "randomness",
      /Math\.random\(|randomUUID\(|randomBytes\(/,
      ["pipeline/app/wiring.ts"],
      "random ids never enter a digest: they come from app/wiring.ts",
    ],
  ] as const)("%s", (_name, pattern, allowed: readonly string[], reason) => {
    const broken = sources
      .filter((file) => !allowed.includes(file) && !EXCEPTIONS.has(file))
      .filter((file) => pattern.test(withoutComments(readFileSync(join(ROOT, file), "utf8"))))
      .map((file) => `${file}: ${reason}`);
    expect(broken).toEqual([]);
  });

  it("every module opens by saying what it promises", () => {
    const broken = sources
      .filter((file) => !/^(#!.*\n)?(\/\*\*|\/\/)/.test(readFileSync(join(ROOT, file), "utf8")))
      .map((file) => `${file} must open with a comment of one to six lines`);
    expect(broken).toEqual([]);
  });
});

/** Technical random names (temporary files, passwords) that reach no document. */
const EXCEPTIONS = new Set(["pipeline/store/embedded.ts", "pipeline/store/objects.ts", "pipeline/render/browser.ts"]);

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (name === "prisma-client" || name === "node_modules") return [];
    if (statSync(join(ROOT, path)).isDirectory()) return filesBelow(path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}

function rawImportsOf(file: string): string[] {
  const text = withoutComments(readFileSync(join(ROOT, file), "utf8"));
  return [...text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)["']([^"']+)["']/g)].map((match) => match[1]!);
}

/** Imports as repository paths, or package names. */
function importsOf(file: string): string[] {
  return rawImportsOf(file).map((target) => (target.startsWith(".") ? normalize(join(dirname(file), target)) : target));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
