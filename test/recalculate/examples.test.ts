/** The worked values of the facts page, all of them, from the real bytes. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { agrees } from "../../pipeline/recalculate/agree.ts";
import { recalculate } from "../../pipeline/recalculate/recalculate.ts";
import { describeShared, REAL_BATCH, SHARED } from "../support/shared.ts";
import { connect, readRealBatch } from "./support.ts";

describeShared("the worked values of the design", () => {
  test("all 602 come out of Postgres to 1e-15, with the same reasons", async () => {
    const rows = readFileSync(`${SHARED}/design/facts-examples.csv`, "utf8").trim().split("\n").slice(1);
    const expected = rows.map((row) => row.split(",") as [string, string, string, string, string]);
    const scope = [...new Set(expected.map(([instrument]) => instrument))];
    const { client, close } = await connect();
    try {
      const answers = await recalculate(client, { ...readRealBatch(REAL_BATCH), scope });
      const wrong = expected.filter(([instrument, fact, window, status, value]) => {
        const figure = window === "" ? fact : `${fact}.${window}`;
        const found = answers.get(instrument)?.figures.find((one) => one.figure === figure);
        if (status === "UNAVAILABLE") return found?.reason !== value;
        return found?.value == null || !(found.value === value || agrees(found.value, value));
      });
      expect(wrong).toEqual([]);
      expect(expected).toHaveLength(602);
    } finally {
      await close();
    }
  });
});
