/** The manifest is read strictly, and its reference says what every code means. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { AssayError } from "../../pipeline/domain/outcome.ts";
import { GATES } from "../../pipeline/gates/index.ts";
import { loadPolicy, requiredDisclosures } from "../../pipeline/gates/policy/load.ts";
import { gateReference } from "../../pipeline/gates/reference.ts";
import { PRODUCT_TYPES } from "../../pipeline/schema/instrument.ts";
import { readCases } from "./case-files.ts";

const OWN = new URL("../../pipeline/gates/policy/", import.meta.url);
const manifest = readFileSync(new URL("internal-review.v1.yaml", OWN), "utf8");
const texts = readFileSync(new URL("disclosures.v1.yaml", OWN), "utf8");

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "policy-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function load(changedManifest: string, changedTexts = texts, file = "internal-review.v1.yaml") {
  const home = mkdtempSync(join(folder, "case-"));
  writeFileSync(join(home, file), changedManifest);
  writeFileSync(join(home, "disclosures.v1.yaml"), changedTexts);
  return loadPolicy("internal-review", pathToFileURL(`${home}/`));
}

function refusal(work: () => unknown): AssayError {
  try {
    work();
  } catch (fault) {
    if (fault instanceof AssayError) return fault;
    throw fault;
  }
  throw new Error("nothing was refused");
}

describe("the manifest of internal-review", () => {
  const { policy, digest, disclosures } = loadPolicy("internal-review");

  it("requires every registered gate in its version", () => {
    expect(policy.gates).toEqual(GATES.map(({ id, version }) => ({ gate: id, version })));
  });
  it("is under one digest with the disclosure texts", () => {
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(load(manifest).digest).toBe(digest);
    expect(load(manifest.replace('"0.15"', '"0.16"')).digest).not.toBe(digest);
    expect(load(manifest, texts.replace("Past performance", "Former performance")).digest).not.toBe(digest);
  });
  test.each(PRODUCT_TYPES)(
    "demands texts of a card of type %s, each of which exists in both languages",
    (product_type) => {
      const ids = requiredDisclosures(policy, {
        product_type,
        is_foreign_currency: true,
        fx_hedged: false,
        compared: true,
        is_demonstration: true,
      });
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(
        expect.arrayContaining(["past_performance", "currency_unhedged", "comparison_etf", "demonstration_data"]),
      );
      for (const id of ids) expect(Object.keys(disclosures[id]!).sort()).toEqual(["en-US", "ko-KR"]);
    },
  );
  it("asks a hedged product for the text on hedging instead of that on currency", () => {
    const ids = requiredDisclosures(policy, {
      product_type: "BOND",
      is_foreign_currency: true,
      fx_hedged: true,
      compared: false,
      is_demonstration: false,
    });
    expect(ids).toContain("currency_hedged");
    expect(ids).not.toContain("currency_unhedged");
    expect(ids).toContain("bond_rate");
  });
});

describe("a manifest is refused", () => {
  test.each<[string, string, string, string]>([
    ["that lowers a severity", "severities: {}", "severities: { SCALE_BREAK: REVIEW }", "lowers SCALE_BREAK"],
    [
      "that raises a code which no gate reports",
      "severities: {}",
      "severities: { NO_SUCH_CODE: BLOCK }",
      "NO_SUCH_CODE",
    ],
    [
      "that names a gate twice",
      "  - { gate: rights, version: 1 }",
      "  - { gate: rights, version: 1 }\n  - { gate: rights, version: 1 }",
      "more than once",
    ],
    ["with an unknown key", "use: internal", "use: internal\nwaive: [SCALE_BREAK]", "waive"],
    ["with a rule of no source", ', source: "design: batch, tiles"', "", "tiles"],
    [
      "with a rule that nobody checked",
      '"design: batch, tiles", checked_on: 2026-11-30',
      '"design: batch, tiles"',
      "checked_on",
    ],
    ["with a threshold that is a float", 'value: "0.15"', "value: 0.15", "jump"],
    ["that demands a text which does not exist", "ids: [bond_rate]", "ids: [bond_rates]", "bond_rates"],
    ["of another channel than its file name", "channel: internal-review", "channel: kr-retail", "kr-retail"],
    ["with an alias in the YAML", "title: Internal review", "title: &t Internal review\nuse2: *t", "cannot be read"],
  ])("%s", (_, from, to, says) => {
    expect(manifest).toContain(from);
    const fault = refusal(() => load(manifest.replace(from, to)));
    expect(fault.code).toBe("POLICY_INVALID");
    expect(fault.message).toContain(says);
  });

  it("that does not exist, naming the channels that do", () => {
    const fault = refusal(() => loadPolicy("kr-wholesale"));
    expect(fault.code).toBe("POLICY_UNKNOWN");
    expect(fault.hint).toContain("internal-review");
  });
  test.each(["../../../etc/passwd", "disclosures", "", "internal-review.v1"])(
    "that a channel named %j cannot reach",
    (channel) => {
      expect(refusal(() => loadPolicy(channel)).code).toBe("POLICY_UNKNOWN");
    },
  );
  it("unless it raises a severity, which it may", () => {
    expect(load(manifest.replace("severities: {}", "severities: { GAP: BLOCK }")).policy.severities).toEqual({
      GAP: "BLOCK",
    });
  });
});

describe("the reference", () => {
  const cases = readCases().map(({ gate, code, name, law, expected }) => ({
    gate,
    code,
    name,
    law,
    fires: expected.some((finding) => finding.code === code),
  }));
  const reference = gateReference(cases);
  test.each(GATES.map((gate) => [gate.id, gate] as const))(
    "says of %s what it asks, and of each code what to do",
    (_, gate) => {
      expect(reference).toContain(`### ${gate.id}/${gate.version}`);
      expect(reference).toContain(gate.question);
      for (const [code, { meaning, remedy }] of Object.entries(gate.codes)) {
        expect(reference).toContain(`**${code}**`);
        expect(reference).toContain(meaning);
        expect(reference).toContain(remedy);
      }
    },
  );
  it("shows every case once under its gate and code", () => {
    for (const { code, name } of cases) expect(reference.split(`\`${code}/${name}\``).length - 1).toBe(1);
  });
});
