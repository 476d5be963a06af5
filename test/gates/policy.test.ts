/** The manifest is read strictly, and its reference says what every code means. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { LOCALES } from "../../pipeline/domain/locale.ts";
import { AssayError, REASONS } from "../../pipeline/domain/outcome.ts";
import { GATES } from "../../pipeline/gates/index.ts";
import { loadPolicy } from "../../pipeline/gates/policy/load.ts";
import { gateReference } from "../../pipeline/gates/reference.ts";
import { type CardTerms, requiredDisclosures } from "../../pipeline/schema/card-terms.ts";
import { FAULTS } from "../../pipeline/schema/fault-codes.ts";
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
  for (const locale of LOCALES)
    copyFileSync(new URL(`lexicon.${locale}.v1.yaml`, OWN), join(home, `lexicon.${locale}.v1.yaml`));
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

const CHANNELS = ["internal-review", "kr-retail", "us-retail"];

describe.each(CHANNELS)("the manifest of %s", (channel) => {
  const { policy, disclosures } = loadPolicy(channel);
  const terms: Omit<CardTerms, "channel" | "locale"> = {
    is_foreign_currency: true,
    is_compared: true,
    is_demonstration: true,
    composed: { count: 1, model: null, end: "FINISHED" },
  };
  const row = { fx_hedged: false, exposure_multiple: "1", market: "KR", name_ko: "가온 대표200" } as const;

  it("requires every registered gate in its version", () => {
    expect(policy.gates).toEqual(GATES.map(({ id, version }) => ({ gate: id, version })));
  });
  test.each(PRODUCT_TYPES)(
    "demands texts of a card of type %s, each of which exists in both languages",
    (product_type) => {
      const ids = requiredDisclosures(policy.disclosures, { ...row, product_type }, terms);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(
        expect.arrayContaining([
          "principal_loss",
          "currency_unhedged",
          "comparison_etf",
          "demonstration_data",
          "ai_generated",
        ]),
      );
      for (const id of ids) expect(Object.keys(disclosures[id]!).sort()).toEqual(["en-US", "ko-KR"]);
    },
  );
  test.each<[string, Partial<Parameters<typeof requiredDisclosures>[1]>, Partial<typeof terms>, string, string]>([
    ["hedged", { fx_hedged: true }, {}, "currency_hedged", "currency_unhedged"],
    [
      "in the reader's own currency and compared",
      {},
      { is_foreign_currency: false },
      "bond_rate",
      "currency_if_foreign",
    ],
    [
      "of unknown currency",
      {},
      { is_foreign_currency: false, is_compared: false },
      "currency_if_foreign",
      "comparison_etf",
    ],
    ["with a multiple of a plain type", { exposure_multiple: "2" }, {}, "leverage_daily_reset", "inverse"],
    ["of the opposite direction", { exposure_multiple: "-1" }, {}, "inverse", "currency_hedged"],
    ["made of swaps", { name_ko: "가온 미국채(합성)" }, {}, "synthetic_replication", "inverse"],
    ["without composed sentences", {}, { composed: { count: 0, model: null, end: null } }, "bond_rate", "ai_generated"],
  ])("asks of a product %s the text that applies and not its opposite", (_, own, more, present, absent) => {
    const ids = requiredDisclosures(
      policy.disclosures,
      { ...row, product_type: "BOND", ...own },
      { ...terms, ...more },
    );
    expect(ids).toContain(present);
    expect(ids).not.toContain(absent);
  });
});

describe("a client channel", () => {
  const inside = loadPolicy("internal-review").policy;
  test.each(["kr-retail", "us-retail"])("%s is stricter than internal review where it matters", (channel) => {
    const { policy } = loadPolicy(channel);
    expect(policy.use).toBe("client_delivery");
    expect(policy.delivery.recipients).toEqual(["client"]);
    expect([policy.approval.roles, policy.approval.second_person]).toEqual([["COMPLIANCE"], true]);
    expect(policy.validity.months).toBeLessThanOrEqual(6);
    expect(policy.allows.product_types).not.toContain("CRYPTO");
    expect(policy.legibility.disclosure_px).toBeGreaterThanOrEqual(inside.legibility.disclosure_px);
    expect(policy.performance.together.length).toBeGreaterThan(0);
    expect(policy.beside.map(({ figure }) => figure)).toContain("distribution_yield.ttm");
    expect(policy.disclosures.all.ids).toContain("net_of_fees");
  });
});

describe("a policy's digest", () => {
  it("is over the manifest, its texts and its lexicons", () => {
    const { digest } = loadPolicy("internal-review");
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(load(manifest).digest).toBe(digest);
    expect(load(manifest.replace('"0.15"', '"0.16"')).digest).not.toBe(digest);
    expect(load(manifest, texts.replace("Past performance", "Former performance")).digest).not.toBe(digest);
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
    ["with a label that has no text", "id: ai_generated", "id: ai_label", "ai_label"],
    ["with a size of nothing", "disclosure_px: 20", "disclosure_px: 0", "disclosure_px"],
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

/** Every code that a file of collect gives to a fault or a defect, however it hands it on. */
function faultCodesOfCollect(): string[] {
  const folder = new URL("../../pipeline/collect/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const texts = files.map((file) => readFileSync(new URL(file, folder), "utf8"));
  const raised = /(?:new AssayError\(|\bfault\(|faultOf\(|\.add\(|\bcode: |[?:] )\s*"([A-Z]+(?:_[A-Z]+)+)"(?!\s*\])/g;
  const found = texts.flatMap((text) => [...text.matchAll(raised)].map((match) => match[1]!));
  return [...new Set(found)].filter((code) => !(PRODUCT_TYPES as readonly string[]).includes(code)).sort();
}

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
  test.each(faultCodesOfCollect())("says of the fault %s what to do", (code) => {
    expect(Object.keys(FAULTS)).toContain(code);
    expect(reference).toContain(`**${code}** (${FAULTS[code]!.stops}): ${FAULTS[code]!.meaning}`);
  });
  it("has no fault that collection never raises, and every reason in order of precedence", () => {
    expect(Object.keys(FAULTS).filter((code) => !faultCodesOfCollect().includes(code))).toEqual([]);
    const places = REASONS.map((reason) => reference.indexOf(`- **${reason}**: `));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });
  it("shows every case once under its gate and code", () => {
    for (const { code, name } of cases) expect(reference.split(`\`${code}/${name}\``).length - 1).toBe(1);
  });
});
