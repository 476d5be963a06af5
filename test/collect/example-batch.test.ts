/** The example that users copy: small, readable without a defect, and long enough for one-year figures. */
import { readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { addMonths } from "../../pipeline/domain/date.ts";
import { ofKind, readInvented } from "./invented.ts";

const FOLDER = resolve(import.meta.dirname, "../../batches/example-csv");

test("is read without a fault or a defect", async () => {
  const { request, frozen, observations } = await readInvented("example-csv");
  expect([request.instruments.length, request.universeFaults, frozen.faults]).toEqual([4, [], []]);
  expect(observations.flatMap(({ defects }) => defects)).toEqual([]);
  expect(new Set(observations.map(({ kind }) => kind))).toEqual(
    new Set(["bars", "distributions", "fx", "nav", "metadata"]),
  );
});

test("has fourteen months and more of bars to the cutoff for each product", async () => {
  const { request, observations } = await readInvented("example-csv");
  for (const { rows, instrument } of ofKind(observations, "bars")) {
    const cutoff = request.batch.cutoff[instrument.startsWith("KR") ? "KR" : "US"];
    expect(rows.at(-1)!.session).toBe(cutoff);
    expect(rows[0]!.session <= addMonths(cutoff, -14)).toBe(true);
  }
});

test("states the same ISIN, fee and dates in its metadata as a person would read there", async () => {
  const { request, observations } = await readInvented("example-csv");
  const stated = new Map(
    ofKind(observations, "metadata").flatMap(({ instrument, fields }) =>
      fields.map(({ field, value }) => [`${instrument} ${field}`, value] as const),
    ),
  );
  for (const { instrument, isin } of request.instruments) expect(stated.get(`${instrument} isin`) ?? "").toBe(isin);
  expect(stated.get("KR:91A010 total_expense_ratio")).toBe("0.0015");
  expect(stated.get("KR:91A020 net_assets")).toBe("323300000000");
  expect(stated.get("US:YAMPL total_expense_ratio")).toBe("0.00115");
  expect(stated.get("US:YBULN inception_on")).toBe("2017-08-04");
});

test("no file is larger than 25 kB", () => {
  const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) expect(statSync(resolve(file.parentPath, file.name)).size).toBeLessThan(25_000);
});
