/** The real, dirty batch. Counts were taken from the files by other means (see SOURCES.md there) before this was written. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { readBatchFolder } from "../../pipeline/collect/batch-folder.ts";
import { collect } from "../../pipeline/collect/collect.ts";
import { normalise } from "../../pipeline/collect/normalise.ts";
import { toDays } from "../../pipeline/domain/date.ts";
import type { FxSeries, MetadataRecord, Observations } from "../../pipeline/schema/observation.ts";
import { memoryObjects } from "./support.ts";

const SHARED = resolve(import.meta.dirname, "../../../shared");
const FOLDER = `${SHARED}/batches/real-2026-04-30`;
const isAbsent = !existsSync(FOLDER);
if (isAbsent) console.warn("skipped: ../shared/batches/real-2026-04-30 is not there");

async function readAll() {
  const request = await readBatchFolder(FOLDER, { allowRoots: [SHARED], now: Date.now() });
  const objects = memoryObjects();
  const frozen = await collect({ tenant: "main", folder: FOLDER, ...request, allowRoots: [SHARED], objects });
  const observations: Observations[] = frozen.evidence.flatMap(({ evidence_id, version }) => {
    const source = request.batch.sources.find(({ id }) => id === version.source_id)!;
    const bytes = objects.stored.get(version.payload_sha256)!;
    return normalise({ source, version, evidence_id, bytes, instruments: request.instruments });
  });
  return { request, frozen, observations };
}

describe.skipIf(isAbsent)("the real batch", () => {
  const all = isAbsent ? undefined : readAll();
  const of = async <Kind extends Observations["kind"]>(kind: Kind) =>
    (await all!).observations.filter((one): one is Extract<Observations, { kind: Kind }> => one.kind === kind);

  test("all hundred instruments are read from 159 files without a fault", async () => {
    const { request, frozen } = await all!;
    expect([request.instruments.length, request.universeFaults]).toEqual([100, []]);
    expect([frozen.evidence.length, frozen.faults]).toEqual([159, []]);
    expect(frozen.evidence.every(({ version }) => version.quality_state === "USABLE")).toBe(true);
    expect(new Set((await of("bars")).map(({ instrument }) => instrument)).size).toBe(100);
  });

  test("the only defects are the eight half-filled bars of 30 April", async () => {
    const { observations } = await all!;
    const found = observations.flatMap((one) =>
      one.defects.map(({ code, session }) => `${"instrument" in one ? one.instrument : one.kind} ${code} ${session}`),
    );
    const half = ["069500", "091160", "091180", "102110", "232080", "423160", "453850", "489250"];
    expect(found.sort()).toEqual(half.map((ticker) => `KR:${ticker} BAR_INVALID 2026-04-30`));
  });

  test("22: after the shift no rate since 2016 stands on a weekend but the live one that was read on a Sunday", async () => {
    const [fx] = (await of("fx")) as [FxSeries];
    const weekdays = fx.rows.map(({ date }) => ({ date, day: (toDays(date) + 4) % 7 }));
    const weekend = weekdays.filter(({ day }) => day === 0 || day === 6).map(({ date }) => date);
    expect(weekend).toEqual(["2026-05-03"]);
    // 540 Fridays, one of them blank in the file.
    expect(weekdays.filter(({ date, day }) => day === 5 && date >= "2016-01-01")).toHaveLength(539);
    expect(fx.rows).toHaveLength(5851 - 36);
    expect(fx.defects).toEqual([]);
  });

  test("metadata is read in its units", async () => {
    const records = await of("metadata");
    const value = (source: string, instrument: string, field: string) =>
      records
        .find((record: MetadataRecord) => record.source_id === source && record.instrument === instrument)!
        .fields.find((stated) => stated.field === field)!.value;
    expect(value("krx-basic-info", "KR:133690", "total_expense_ratio")).toBe("0.007");
    expect(value("naver-profile", "KR:133690", "total_expense_ratio")).toBe("0.000068");
    expect(value("naver-profile", "KR:133690", "net_assets")).toBe("9171400000000");
    expect(value("yahoo-profile", "US:VOO", "fund_net_assets")).toBe("1421127057408");
    expect(value("yahoo-profile", "US:VOO", "inception_on")).toBe("2010-09-07");
  });
});
