/** Research through a run's first steps: what is frozen is what the gates see, and a batch without it bears no trace of it. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { type Sha256, sha256 } from "../../pipeline/domain/digest.ts";
import { GATES } from "../../pipeline/gates/index.ts";
import { loadPolicy } from "../../pipeline/gates/policy/load.ts";
import { runGates } from "../../pipeline/gates/run.ts";
import { faultsOf, openContext, type RunContext } from "../../pipeline/jobs/context.ts";
import { freeze } from "../../pipeline/jobs/freeze.ts";
import { PRODUCT_TYPES } from "../../pipeline/schema/instrument.ts";
import { type ResearchDefinition, sentencesOf } from "../../pipeline/schema/research.ts";
import type { Sentence } from "../../pipeline/schema/sentence.ts";
import type { ObjectStore } from "../../pipeline/store/objects.ts";

const BATCHES = new URL("../../batches/", import.meta.url).pathname;
const loaded = loadPolicy("internal-review");
const scratch = mkdtempSync(join(tmpdir(), "assay-research-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function open(folder: string): Promise<RunContext> {
  const stored = new Map<Sha256, Buffer>();
  const objects = {
    put: async (bytes: Uint8Array) => {
      const digest = sha256(bytes);
      stored.set(digest, Buffer.from(bytes));
      return digest;
    },
    get: async (digest: Sha256) => stored.get(digest)!,
  } as unknown as ObjectStore;
  const { digest } = await freeze({
    tenant: "t",
    folder,
    allowRoots: [],
    locale: null,
    channel: null,
    now: "2026-12-01T00:00:00.000Z",
    objects,
    onProgress: () => {},
  });
  const code = { facts: "", peers: "", compose: "", render: "", recalculate: "", verify: "" };
  return openContext({ tenant: "t", frozenDigest: digest, objects, code, loadPolicy: () => loaded });
}

let demo: RunContext;
beforeAll(async () => {
  demo = await open(`${BATCHES}demo-2026-08-28`);
});

describe("the demonstration's research", () => {
  it("defines twenty products of every type in both markets, each in sentences of its own", () => {
    const products = [...demo.research.keys()].map((id) => demo.instruments.get(id)!);
    expect(products).toHaveLength(20);
    expect(new Set(products.map(({ product_type }) => product_type))).toEqual(new Set(PRODUCT_TYPES));
    expect(products.filter(({ market }) => market === "KR").length).toBeGreaterThan(5);
    expect(products.filter(({ market }) => market === "US").length).toBeGreaterThan(5);
    const texts = [...demo.research.values()].flatMap(({ definition }) =>
      sentencesOf(definition).flatMap(({ sentence }) => Object.values(sentence.text)),
    );
    expect(new Set(texts).size).toBe(texts.length);
    expect(demo.frozen.faults.filter(({ source_id }) => /^(research|causal)$/.test(source_id))).toEqual([]);
  });

  it("raises what was planted and nothing else", () => {
    const own = ["research", "causal-edge"];
    const gates = GATES.filter(({ id }) => own.includes(id));
    const policy = { ...loaded.policy, gates: own.map((gate) => ({ gate, version: 1 })) };
    const found = demo.frozen.instruments.flatMap((instrument) => {
      const evidence = {
        terms: {
          as_of: demo.terms.as_of,
          cutoff: demo.terms.cutoff[instrument.market],
          market: instrument.market,
          reporting_currency: "KRW",
        },
        instrument,
        research: demo.research.get(instrument.instrument)?.definition ?? null,
        sentences: sentencesFor(demo.research.get(instrument.instrument)?.definition ?? null),
        causal_edges: demo.causalEdges,
        metadata: [],
      };
      const run = { ...loaded, policy, instrument: instrument.instrument, evidence, gates };
      const decisions = [...runGates({ ...run, stage: "data" }), ...runGates({ ...run, stage: "page" })];
      return decisions.flatMap(({ findings }) =>
        findings.map(({ code, severity, subject }) => [instrument.instrument, code, severity, subject].join(" ")),
      );
    });
    expect(found).toEqual([
      "US:ZLVEC CAUSAL_REVIEW REVIEW real-yield-to-growth-value",
      "US:ZLBTC RESEARCH_REVIEW REVIEW expires_on",
    ]);
  });

  it("rests on a register that shows each kind of edge as it stood at as_of", () => {
    expect(demo.causalEdges.map(({ id, version, history }) => [id, version, history.at(-1)?.state])).toEqual([
      ["battery-metal-to-margin", 1, "WITHDRAWN"],
      ["crude-curve-to-roll-yield", 1, "DRAFT"],
      ["daily-reset-path", 2, "APPROVED"],
      ["dollar-to-won-value", 1, "APPROVED"],
      ["rate-to-bond-price", 1, "APPROVED"],
      ["real-yield-to-growth-value", 1, "MECHANISM_REVIEW"],
    ]);
  });
});

/** A product without research has the sentence of its card that names no edge. */
function sentencesFor(research: ResearchDefinition | null): Sentence[] {
  const bare = { kind: "research" as const, locale: "ko-KR" as const, tokens: [], slots: [], absence_receipt: null };
  if (research === null) return [{ ...bare, id: "fixed", kind: "fixed", text: "", type: null, causal_edge: null }];
  return sentencesOf(research).map(({ sentence: { id, text, type, causal_edge = null } }) => {
    return { ...bare, id, text: text["ko-KR"], type, causal_edge };
  });
}

describe("a file that cannot be used", () => {
  /** A copy of the demonstration with one file changed; the products to which the change is a fault, by its code. */
  async function spoiled(file: string, content: string): Promise<Record<string, string[]>> {
    const folder = mkdtempSync(join(scratch, "batch-"));
    cpSync(`${BATCHES}demo-2026-08-28`, folder, { recursive: true });
    writeFileSync(join(folder, file), content);
    const context = await open(folder);
    const concerned: Record<string, string[]> = {};
    for (const instrument of context.frozen.instruments) {
      for (const { code } of faultsOf(context, instrument)) {
        if (/^(RESEARCH|CAUSAL)_/.test(code)) concerned[code] = [...(concerned[code] ?? []), instrument.instrument];
      }
    }
    return concerned;
  }
  test.each<[string, string, string, Record<string, string[]>]>([
    ["concerns the product it names", "research/KR-90A010.yaml", "title: [", { RESEARCH_INVALID: ["KR:90A010"] }],
    ["and names nobody concerns nobody", "research/notes.yaml", "title: x", {}],
    [
      "of the register concerns who says why",
      "causal/new.yaml",
      "id: x",
      {
        CAUSAL_INVALID: ["KR:90E010", "KR:90H030", "KR:90M010", "US:ZLVEC", "US:ZSDNV"],
      },
    ],
  ])("%s", async (_, file, content, concerned) => {
    expect(await spoiled(file, content)).toEqual(concerned);
  });
});

it("a batch that declares neither has no key of them in its frozen document", async () => {
  const { frozen, research, causalEdges } = await open(`${BATCHES}example-csv`);
  expect(Object.keys(frozen).filter((key) => ["research", "causal"].includes(key))).toEqual([]);
  expect([research.size, causalEdges]).toEqual([0, []]);
});
