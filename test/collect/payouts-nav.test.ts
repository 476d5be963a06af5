import { expect, test } from "vitest";
import { csvDistributions } from "../../pipeline/collect/csv-distributions.ts";
import { csvNav } from "../../pipeline/collect/csv-nav.ts";
import { isUnreadable } from "../../pipeline/collect/defects.ts";
import type { DistributionSeries, NavSeries } from "../../pipeline/schema/observation.ts";
import { bytesOf, context, distributionsSource, navSource } from "./support.ts";

const payouts = (text: string) =>
  csvDistributions.normalise(bytesOf(text), distributionsSource, context())[0] as DistributionSeries;
const assetValues = (text: string) => csvNav.normalise(bytesOf(text), navSource, context())[0] as NavSeries;

test.each([
  ["two payouts", "2026-01-29,0.309\n2026-02-26,0.287", ["0.309", "0.287"], []],
  ["said twice alike", "2026-01-29,0.30\n2026-01-29,0.3", ["0.30"], []],
  ["said twice differently", "2026-01-29,0.3\n2026-01-29,0.4", [], ["DUPLICATE_SESSION"]],
  [
    "nothing, less than nothing, no amount",
    "2026-01-29,0\n2026-01-30,-1\n2026-01-31,",
    [],
    ["BAR_INVALID", "BAR_INVALID", "BAR_INVALID"],
  ],
  ["an amount and none for one day", "2026-01-29,0.3\n2026-01-29,?", [], ["BAR_INVALID", "DUPLICATE_SESSION"]],
  ["not a date", "soon,1", [], ["BAR_INVALID"]],
])("distributions: %s", (_name, body, amounts, codes) => {
  const series = payouts(`ex_date,amount\n${body}`);
  expect(series.rows.map(({ amount }) => amount)).toEqual(amounts);
  expect(series.defects.map(({ code }) => code)).toEqual(codes);
});

test("a header alone says that nothing was paid; an empty file says nothing", () => {
  expect(isUnreadable(payouts("ex_date,amount\n"))).toBe(false);
  expect(isUnreadable(payouts(""))).toBe(true);
});

test.each([
  ["both", "2026-04-24,57405.84,57400,10", [["57405.84", "57400"]], 0],
  ["no NAV", "2026-04-24,,57400,10", [[null, "57400"]], 0],
  ["35: a dash for missing", "2026-04-24,-,-,-", [], 0],
  ["NAV of zero", "2026-04-24,0,57400,10", [[null, "57400"]], 1],
  ["13: an unchanged repeat", "2026-04-24,1.5,2,3\n2026-04-24,1.50,2,3", [["1.5", "2"]], 0],
  ["14: two readings of one day", "2026-04-24,57405.84,2,3\n2026-04-24,57268.70,2,3", [], 1],
])("NAV: %s", (_name, body, values, defects) => {
  const series = assetValues(`date,nav,close,volume\n${body}`);
  expect(series.rows.map(({ nav, close }) => [nav, close])).toEqual(values);
  expect(series.defects).toHaveLength(defects);
});

test("NAV: a file without its NAV column is unreadable", () => {
  expect(isUnreadable(assetValues("date,close\n2026-04-24,1"))).toBe(true);
});
