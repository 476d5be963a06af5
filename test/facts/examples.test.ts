/** Seven products of the real batch against values from an independent implementation: every row, to 1e-15. */
import { readFileSync } from "node:fs";
import Papa from "papaparse";
import { beforeAll, describe, expect, test } from "vitest";
import { decimal, isPlainNumeral } from "../../pipeline/domain/decimal.ts";
import { computeFacts } from "../../pipeline/facts/compute.ts";
import { computePeerFacts } from "../../pipeline/facts/peers.ts";
import { CATALOGUE } from "../../pipeline/schema/catalogue.ts";
import type { Fact } from "../../pipeline/schema/fact.ts";
import { EXAMPLES, HAS_REAL_DATA, readRealBatch, WHY_SKIPPED } from "./support.ts";

interface Example {
  instrument: string;
  fact: string;
  window: string;
  status: string;
  value: string;
}

const TOLERANCE = decimal("0.000000000000001");

describe.skipIf(!HAS_REAL_DATA)(
  `worked values of the real batch${HAS_REAL_DATA ? "" : ` — skipped: ${WHY_SKIPPED}`}`,
  () => {
    const facts = new Map<string, Fact[]>();
    beforeAll(async () => {
      const { batch, inputs } = await readRealBatch();
      for (const [id, self] of inputs) {
        const benchmark = inputs.get(self.instrument.benchmark) ?? null;
        facts.set(id, computeFacts(batch, self, benchmark).facts);
      }
      const members = [...inputs.values()].map(({ instrument }) => ({
        instrument,
        facts: facts.get(instrument.instrument)!,
      }));
      for (const { instrument } of members) {
        const { instrument: id } = instrument;
        facts.set(id, computePeerFacts(batch, instrument, facts.get(id)!, members));
      }
    });

    test("every example has the same value to 1e-15, or the same reason", () => {
      const examples = Papa.parse<Example>(readFileSync(EXAMPLES, "utf8"), { header: true, skipEmptyLines: true }).data;
      const differences = examples.filter((example) => {
        const fact = facts
          .get(example.instrument)
          ?.find((one) => one.fact === example.fact && one.window === example.window);
        if (fact === undefined || fact.status !== example.status) return true;
        if (example.status === "UNAVAILABLE") return fact.reason !== example.value;
        if (!isPlainNumeral(example.value)) return fact.value !== example.value;
        return decimal(fact.value!)
          .minus(example.value)
          .abs()
          .gt(TOLERANCE.times(decimal(example.value).abs().clamp(1, "1e30")));
      });
      expect(examples.length).toBeGreaterThanOrEqual(602);
      expect(differences).toEqual([]);
    });

    test("every product has every row of the catalogue, once and in its order", () => {
      const rows = CATALOGUE.flatMap(({ fact, windows }) => windows.map((window) => `${fact} ${window}`));
      for (const [instrument, own] of facts) {
        const named = own
          .filter((fact) => fact.fact !== "total_expense_ratio_stated")
          .map(({ fact, window }) => `${fact} ${window}`);
        expect(named, instrument).toEqual(rows);
      }
    });
  },
);
