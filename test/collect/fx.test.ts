import { describe, expect, test } from "vitest";
import { csvFx, labelShift } from "../../pipeline/collect/csv-fx.ts";
import type { FxSeries } from "../../pipeline/schema/observation.ts";
import { bytesOf, context, fxSource } from "./support.ts";

function read(lines: string[]): FxSeries {
  return csvFx.normalise(bytesOf(["date,rate", ...lines].join("\n")), fxSource, context())[0] as FxSeries;
}

describe("a label in summer time belongs to the next day", () => {
  const london = labelShift(fxSource.label_shift);
  test.each([
    ["2026-03-27", "2026-03-27", "Friday before summer time"],
    ["2026-03-29", "2026-03-30", "the Sunday it begins is Monday's bar"],
    ["2026-03-30", "2026-03-31", "Monday is Tuesday's"],
    ["2025-10-23", "2025-10-24", "last Thursday of summer time is Friday's"],
    ["2025-10-26", "2025-10-26", "the Sunday it ends, at noon already winter"],
    ["2025-10-27", "2025-10-27", "Monday in winter"],
    ["2025-12-31", "2025-12-31", "winter"],
  ])("%s → %s: %s", (label, day) => expect(london(label)).toBe(day));

  test("in a zone south of the equator summer is the other half of the year", () => {
    const sydney = labelShift({ zone: "Australia/Sydney", days_in_summer_time: -1 });
    expect([sydney("2026-01-15"), sydney("2026-07-15")]).toEqual(["2026-01-14", "2026-07-15"]);
  });

  test("a zone without summer time moves nothing, and neither does no shift", () => {
    const seoul = labelShift({ zone: "Asia/Seoul", days_in_summer_time: 1 });
    expect([seoul("2026-07-15"), labelShift(undefined)("2026-07-15")]).toEqual(["2026-07-15", "2026-07-15"]);
  });
});

test("blank rates are skipped without a finding", () => {
  const series = read(["2026-01-05,1440.5", "2026-01-06,", "2026-01-07,N/A"]);
  expect(series.rows).toEqual([{ row: 1, date: "2026-01-05", rate: "1440.5" }]);
  expect(series.defects).toEqual([]);
});

test("a rate of zero, below zero or of no number is a defect", () => {
  const series = read(["2026-01-05,0", "2026-01-06,-1", "2026-01-07,abc"]);
  expect(series.rows).toEqual([]);
  expect(series.defects.map(({ code }) => code)).toEqual(["BAR_INVALID", "BAR_INVALID", "BAR_INVALID"]);
});

test("dates that meet after the shift with differing rates are not used", () => {
  const series = read(["2025-10-24,1430", "2025-10-25,1431"]);
  expect(series.rows.map(({ date }) => date)).toEqual(["2025-10-25", "2025-10-26"]);
  const met = read(["2025-10-25,1430", "2025-10-26,1431"]);
  expect(met.rows).toEqual([]);
  expect(met.defects).toMatchObject([{ code: "DUPLICATE_SESSION", session: "2025-10-26" }]);
  expect(read(["2025-10-25,1430", "2025-10-26,1430.0"]).rows).toHaveLength(1);
});

test("25: rows newest first come out ascending", () => {
  expect(read(["2026-01-06,2", "2026-01-05,1"]).rows.map(({ row }) => row)).toEqual([2, 1]);
});
