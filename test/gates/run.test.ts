/** Laws of running and folding: what is missing, throws or saw nothing blocks; taking evidence away never helps. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { SuppliedEvidence } from "../../pipeline/gates/evidence.ts";
import { defineGate, type Gate, STAGES } from "../../pipeline/gates/gate.ts";
import { GATES } from "../../pipeline/gates/index.ts";
import { loadPolicy } from "../../pipeline/gates/policy/load.ts";
import { foldVerdict, runGates } from "../../pipeline/gates/run.ts";
import type { Policy } from "../../pipeline/schema/policy.ts";
import { gateDecisionSchema, VERDICTS, type Verdict } from "../../pipeline/schema/verdict.ts";
import { baseEvidence, changed } from "./base-evidence.ts";
import { readCases } from "./case-files.ts";

/** ASSAY_REMOVALS asks for more. */
const REMOVALS = Number(process.env.ASSAY_REMOVALS ?? 100);
const loaded = loadPolicy("internal-review");
const instrument = "US:VRDNT";

function judge(evidence: Partial<SuppliedEvidence>) {
  const decisions = STAGES.flatMap((stage) => runGates({ ...loaded, evidence, instrument, stage }));
  return foldVerdict(loaded, STAGES, decisions);
}

function rank(verdict: Verdict): number {
  return VERDICTS.indexOf(verdict);
}

/** A policy of one gate, to run a gate of the test's own. */
function alone(gate: Gate, policy: Partial<Policy> = {}, version = gate.version) {
  const own = { ...loaded, policy: { ...loaded.policy, gates: [{ gate: gate.id, version }], ...policy } };
  const [decision] = runGates({ ...own, evidence: baseEvidence(), instrument, stage: gate.stage, gates: [gate] });
  return decision!;
}

const probe = {
  id: "probe",
  version: 1,
  family: "data",
  stage: "data",
  question: "Is this a probe?",
  needs: ["facts"],
  codes: { PROBE: { severity: "REVIEW", meaning: "a probe", remedy: "none" } },
} as const;

describe("a run", () => {
  it("passes good evidence with one decision for each gate of the policy, each a stored document", () => {
    const decisions = STAGES.flatMap((stage) => runGates({ ...loaded, evidence: baseEvidence(), instrument, stage }));
    expect(foldVerdict(loaded, STAGES, decisions)).toEqual({ verdict: "PASS", findings: [] });
    expect(decisions.map(({ gate }) => gate).sort()).toEqual(loaded.policy.gates.map(({ gate }) => gate).sort());
    for (const decision of decisions) expect(gateDecisionSchema.parse(decision)).toEqual(decision);
  });

  it("is the same for the same evidence, whatever the order of its fields", () => {
    const run = (evidence: Partial<SuppliedEvidence>) => runGates({ ...loaded, evidence, instrument, stage: "data" });
    const turned = Object.fromEntries(Object.entries(baseEvidence()).reverse()) as unknown as SuppliedEvidence;
    expect(run(turned)).toEqual(run(baseEvidence()));
  });

  it("changes a gate's input digest with the evidence it needs and with no other", () => {
    const digests = (patch: Record<string, unknown>) =>
      Object.fromEntries(
        runGates({ ...loaded, evidence: changed(patch), instrument, stage: "data" }).map((decision) => [
          decision.gate,
          decision.input_digest,
        ]),
      );
    const before = digests({});
    const after = digests({ moves: { "2026-02-06": { price_ratio: "1.002" } } });
    const moved = Object.keys(before).filter((gate) => before[gate] !== after[gate]);
    expect(moved).toEqual(GATES.filter(({ needs }) => needs.includes("moves")).map(({ id }) => id));
  });

  const reading = (check: Gate<"facts", "PROBE">["check"]) => defineGate<"facts", "PROBE">({ ...probe, check });
  test.each<[string, Gate, string]>([
    [
      "throws",
      reading(() => {
        throw new TypeError("no such row");
      }),
      "GATE_FAULT",
    ],
    [
      "throws what is no error",
      reading(() => {
        throw "text";
      }),
      "GATE_FAULT",
    ],
    ["examines nothing", reading(() => {}), "NOTHING_EXAMINED"],
    ["reports a code that it does not declare", reading((_, report) => report("OTHER" as "PROBE", "x")), "GATE_FAULT"],
    ["blocks without saying when", reading((_, report) => report("PROBE", "x", "", { blocks: true })), "GATE_FAULT"],
  ])("a gate that %s blocks", (_, gate, code) => {
    const { verdict, findings } = alone(gate);
    expect(verdict).toBe("BLOCK");
    expect(findings.map((finding) => finding.code)).toContain(code);
  });

  it("keeps what a gate found before it threw", () => {
    const gate = reading((_, report) => {
      report("PROBE", "x");
      throw new Error("late");
    });
    expect(alone(gate).findings.map(({ code }) => code)).toEqual(["PROBE", "GATE_FAULT"]);
  });

  it("raises a severity where the policy says so, and lets no policy lower one", () => {
    const reviewing = reading((_, report, examined) => {
      examined("x");
      report("PROBE", "x");
    });
    expect(alone(reviewing).verdict).toBe("REVIEW");
    expect(alone(reviewing, { severities: { PROBE: "BLOCK" } }).verdict).toBe("BLOCK");
    const blocking = { ...reviewing, codes: { PROBE: { ...probe.codes.PROBE, severity: "BLOCK" as const } } };
    expect(alone(blocking, { severities: { PROBE: "REVIEW" } }).verdict).toBe("BLOCK");
  });

  it("blocks when the policy requires a gate that is not registered, or another version of it", () => {
    const policy = {
      ...loaded.policy,
      gates: [
        { gate: "astrology", version: 1 },
        { gate: "jumps", version: 2 },
      ],
    };
    const decisions = runGates({ ...loaded, policy, evidence: baseEvidence(), instrument, stage: "data" });
    expect(decisions.map(({ gate, verdict }) => [gate, verdict])).toEqual([
      ["jumps", "BLOCK"],
      ["astrology", "BLOCK"],
    ]);
    expect(decisions.flatMap(({ findings }) => findings.map(({ code }) => code))).toEqual(["GATE_FAULT", "GATE_FAULT"]);
    expect(decisions[0]!.findings[0]!.detail).toContain("registered: jumps/1");
  });
});

describe("a fold", () => {
  const decisions = STAGES.flatMap((stage) => runGates({ ...loaded, evidence: baseEvidence(), instrument, stage }));
  test.each(loaded.policy.gates.map(({ gate }) => gate))("blocks when the decision of %s is left out", (gate) => {
    const { verdict, findings } = foldVerdict(
      loaded,
      STAGES,
      decisions.filter((decision) => decision.gate !== gate),
    );
    expect(verdict).toBe("BLOCK");
    expect(findings.map(({ code, subject }) => [code, subject])).toEqual([["EVIDENCE_MISSING", gate]]);
  });
  test.each<[string, typeof decisions]>([
    ["a gate decided twice", [...decisions, decisions[0]!]],
    ["a decision was made under another policy", [{ ...decisions[0]!, policy_digest: "0" }, ...decisions.slice(1)]],
    ["a decision is of another version", [{ ...decisions[0]!, version: 2 }, ...decisions.slice(1)]],
    [
      "a decision's verdict does not follow from its findings",
      [{ ...decisions[0]!, verdict: "REVIEW" }, ...decisions.slice(1)],
    ],
    ["there is no decision", []],
  ])("blocks when %s", (_, altered) => {
    expect(foldVerdict(loaded, STAGES, altered).verdict).toBe("BLOCK");
  });
  it("blocks when no stage was asked for", () => {
    expect(foldVerdict(loaded, [], []).verdict).toBe("BLOCK");
  });
  it("has one finding for a refused right, when admission is all that ran", () => {
    const evidence = changed({ sources: { "us-bars:instrument": { rights: { internal: "BLOCK" } } } });
    const admission = runGates({ ...loaded, evidence, instrument, stage: "admission" });
    expect(foldVerdict(loaded, ["admission"], admission).findings.map(({ code }) => code)).toEqual(["RIGHTS_BLOCK"]);
  });
});

describe("taking evidence away never improves a verdict", () => {
  const cases = readCases();
  const firing = [...new Set(cases.map(({ code }) => code))].map(
    (code) => cases.find((found) => found.code === code && found.expected.length > 0)!,
  );
  const starts: [string, Record<string, unknown>][] = [
    ["good evidence", {}],
    ...firing.map(({ code, name, evidence }): [string, Record<string, unknown>] => [`${code}/${name}`, evidence]),
  ];
  test.each(starts)("from %s", (_, patch) => {
    const whole = changed(patch);
    const before = judge(whole);
    for (const [what, reduced] of reductions(whole)) {
      const after = judge(reduced);
      expect(rank(after.verdict), `without ${what}`).toBeGreaterThanOrEqual(rank(before.verdict));
    }
  });

  it("and each piece of good evidence is needed: without it the card is blocked", () => {
    for (const [what, reduced] of reductions(changed({})))
      expect([what, judge(reduced).verdict]).toEqual([what, "BLOCK"]);
  });
});

describe(`${REMOVALS} random removals, up to four in a row, from any case`, () => {
  const patches = [{}, ...readCases().map(({ evidence }) => evidence)];
  it("never improve a verdict", () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), (start, picks) => {
        let whole = changed(patches[start % patches.length]!);
        let verdict = judge(whole).verdict;
        for (const pick of picks) {
          const pieces = reductions(whole);
          if (pieces.length === 0) return;
          const [what, reduced] = pieces[pick % pieces.length]!;
          const after = judge(reduced).verdict;
          expect(rank(after), `without ${what}`).toBeGreaterThanOrEqual(rank(verdict));
          [whole, verdict] = [reduced, after];
        }
      }),
      { numRuns: REMOVALS },
    );
  });
});

describe("the set of gates is closed", () => {
  const decisions = STAGES.flatMap((stage) => runGates({ ...loaded, evidence: baseEvidence(), instrument, stage }));
  test.each(GATES.map(({ id }) => id))("without %s in the code, the decisions or the policy nothing passes", (id) => {
    const isOther = (gate: { id: string }) => gate.id !== id;
    const code = GATES.filter(isOther);
    const inCode = STAGES.flatMap((stage) =>
      runGates({ ...loaded, evidence: baseEvidence(), instrument, stage, gates: code }),
    );
    expect(foldVerdict(loaded, STAGES, inCode, code).verdict).toBe("BLOCK");
    expect(
      foldVerdict(
        loaded,
        STAGES,
        decisions.filter(({ gate }) => gate !== id),
      ).verdict,
    ).toBe("BLOCK");
    const policy = { ...loaded.policy, gates: loaded.policy.gates.filter(({ gate }) => gate !== id) };
    const inPolicy = STAGES.flatMap((stage) =>
      runGates({ ...loaded, policy, evidence: baseEvidence(), instrument, stage }),
    );
    expect(foldVerdict({ ...loaded, policy }, STAGES, inPolicy).verdict).toBe("BLOCK");
  });
});

/** Evidence with one piece less: a key, a file with all that came from it. */
function wholePieces(whole: Partial<SuppliedEvidence>): [string, Partial<SuppliedEvidence>][] {
  const { sources = [], metadata = [], defects = [] } = whole;
  const keys = Object.keys(whole).map((key): [string, Partial<SuppliedEvidence>] => {
    const { [key as keyof SuppliedEvidence]: _, ...rest } = whole;
    return [key, rest];
  });
  const files = sources
    .filter(({ is_required, version }) => is_required && version !== null)
    .map((source): [string, Partial<SuppliedEvidence>] => [
      `the file of ${source.source_id} for the ${source.serves}`,
      {
        ...whole,
        sources: sources.map((other) => (other === source ? { ...other, version: null } : other)),
        defects: defects.filter(({ source_id }) => source_id !== source.source_id),
        metadata: metadata.filter(({ source_id }) => source_id !== source.source_id),
      },
    ]);
  return [...keys, ...files];
}

/** The same, and evidence with one row less. */
function reductions(whole: Partial<SuppliedEvidence>): [string, Partial<SuppliedEvidence>][] {
  const { facts = [], moves = [], metadata = [], tiles = [], comparison, layout } = whole;
  const without = <T>(items: readonly T[], index: number) => items.filter((_, other) => other !== index);
  const rows: [string, Partial<SuppliedEvidence>][] = [
    ...[3, 14, facts.length - 1].map((index): [string, Partial<SuppliedEvidence>] => [
      `fact row ${index}`,
      { ...whole, facts: without(facts, index) },
    ]),
    ...[0, 5, moves.length - 1].map((index): [string, Partial<SuppliedEvidence>] => [
      `day ${index}`,
      { ...whole, moves: without(moves, index) },
    ]),
    ...metadata.map((record): [string, Partial<SuppliedEvidence>] => [
      `the statements of ${record.source_id}`,
      { ...whole, metadata: metadata.filter((other) => other !== record) },
    ]),
    ...tiles.map((tile): [string, Partial<SuppliedEvidence>] => [
      `tile ${tile}`,
      { ...whole, tiles: tiles.filter((other) => other !== tile) },
    ]),
    ["the chart", { ...whole, chart: null }],
  ];
  if (layout !== undefined) {
    const boxes = layout.boxes.filter(({ disclosure }) => disclosure !== "principal_loss");
    rows.push(["the drawn text on loss", { ...whole, layout: { ...layout, boxes } }]);
  }
  if (comparison !== undefined) {
    rows.push([
      "a line of the comparison",
      { ...whole, comparison: { ...comparison, rows: comparison.rows.slice(1) } },
    ]);
  }
  return [...wholePieces(whole), ...rows];
}
