/** Every case file through the real gate under the real policy, and the law that no code lacks its two kinds of case. */
import { describe, expect, it, test } from "vitest";
import { ALWAYS_CODES } from "../../pipeline/gates/gate.ts";
import { GATES } from "../../pipeline/gates/index.ts";
import { type LoadedPolicy, loadPolicy } from "../../pipeline/gates/policy/load.ts";
import { runGates } from "../../pipeline/gates/run.ts";
import { changed } from "./base-evidence.ts";
import { readCases } from "./case-files.ts";

const CHANNELS = ["internal-review", "kr-retail", "us-retail"] as const;
const POLICIES = new Map<string, LoadedPolicy>(CHANNELS.map((channel) => [channel, loadPolicy(channel)]));
const cases = readCases();

describe.each(GATES.map((gate) => gate.id))("%s", (id) => {
  const gate = GATES.find((candidate) => candidate.id === id)!;
  const decide = (patch: Record<string, unknown>, channel = "internal-review") =>
    runGates({ ...POLICIES.get(channel)!, evidence: changed(patch), instrument: "US:VRDNT", stage: gate.stage }).find(
      (decision) => decision.gate === id,
    )!;

  it("passes the good evidence, having looked at something", () => {
    const decision = decide({});
    expect(decision.findings).toEqual([]);
    expect(decision.subjects_examined).toBeGreaterThan(0);
  });

  for (const { code, name, law, channel, evidence, expected, gate: of } of cases.filter((found) => found.gate === id)) {
    test(`${code}/${name}: ${law}`, () => {
      expect(of).toBe(id);
      const { findings } = decide(evidence, channel);
      expect(findings.map(({ code: found, severity }) => ({ code: found, severity }))).toEqual(
        expected.map(({ code: wanted, severity }) => ({ code: wanted, severity })),
      );
      for (const [index, { subject, says }] of expected.entries()) {
        if (subject !== undefined) expect(findings[index]!.subject).toBe(subject);
        if (says !== undefined) expect(findings[index]!.detail).toContain(says);
        expect(findings[index]!.remedy).not.toBe("");
      }
    });
  }
});

describe("no code without a case", () => {
  const codes = GATES.flatMap((gate) => Object.keys(gate.codes).map((code) => [gate.id, code] as const));
  test.each(codes)("%s %s fires in one case and spares an innocent neighbour in another", (gate, code) => {
    const own = cases.filter((found) => found.gate === gate && found.code === code);
    expect(own.filter(({ expected }) => expected.some((finding) => finding.code === code))).not.toEqual([]);
    expect(own.filter(({ expected }) => expected.every((finding) => finding.code !== code))).not.toEqual([]);
  });
  test.each(Object.keys(ALWAYS_CODES))("%s fires in one case and spares another", (code) => {
    const own = cases.filter((found) => found.code === code);
    expect(own.some(({ expected }) => expected.some((finding) => finding.code === code))).toBe(true);
    expect(own.some(({ expected }) => expected.length === 0)).toBe(true);
  });
  it("names only gates that are registered", () => {
    const ids = GATES.map(({ id }) => id);
    expect(cases.filter(({ gate }) => !ids.includes(gate))).toEqual([]);
  });
});
