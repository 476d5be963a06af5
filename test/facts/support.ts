/** Series made by hand for laws, and the real batch read through the real readers (absent data is said, not hidden). */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Papa from "papaparse";
import { parse } from "yaml";
import { collect, withoutPayouts } from "../../pipeline/collect/collect.ts";
import { normalise } from "../../pipeline/collect/normalise.ts";
import { addDays } from "../../pipeline/domain/date.ts";
import { sha256 } from "../../pipeline/domain/digest.ts";
import type { InstrumentFacts } from "../../pipeline/facts/compute.ts";
import type { BatchTerms, InstrumentInputs } from "../../pipeline/facts/select.ts";
import { type Batch, batchSchema, type PriceBasis } from "../../pipeline/schema/batch.ts";
import type { Fact } from "../../pipeline/schema/fact.ts";
import { type Instrument, instrumentSchema } from "../../pipeline/schema/instrument.ts";
import type {
  BarSeries,
  DistributionSeries,
  FxSeries,
  MetadataRecord,
  NavSeries,
  Observations,
} from "../../pipeline/schema/observation.ts";

const SHARED = fileURLToPath(new URL("../../../shared/", import.meta.url));
export const EXAMPLES = `${SHARED}design/facts-examples.csv`;
const REAL = `${SHARED}batches/real-2026-04-30/`;
export const HAS_REAL_DATA = existsSync(EXAMPLES) && existsSync(REAL);
export const WHY_SKIPPED = "real data is not beside the repository (../shared)";

export interface RealBatch {
  batch: Batch;
  inputs: Map<string, InstrumentInputs>;
}

export async function readRealBatch(): Promise<RealBatch> {
  const batch = batchSchema.parse(parse(readFileSync(`${REAL}batch.yaml`, "utf8")));
  const universe = Papa.parse(readFileSync(`${REAL}universe.csv`, "utf8"), { header: true, skipEmptyLines: true });
  const instruments = universe.data.map((row) => instrumentSchema.parse(row));
  const stored = new Map<string, Uint8Array>();
  const objects = {
    async put(bytes: Uint8Array) {
      const digest = sha256(bytes);
      stored.set(digest, bytes);
      return digest;
    },
  };
  const terms = { tenant: "test", folder: REAL, batch, instruments, allowRoots: [SHARED], objects };
  const { evidence, faults } = await collect(terms);
  const read = batch.sources.flatMap((source) =>
    evidence
      .filter(({ version }) => version.source_id === source.id)
      .flatMap(({ evidence_id, version }) =>
        normalise({ source, version, evidence_id, bytes: stored.get(version.payload_sha256)!, instruments }),
      ),
  );
  const inputs = new Map<string, InstrumentInputs>();
  for (const instrument of instruments) {
    const own = read.filter((one) => one.kind === "fx" || one.instrument === instrument.instrument);
    const place = (one: Observations) => batch.sources.findIndex(({ id }) => id === one.source_id);
    const series = [...own, ...withoutPayouts(batch, instrument)].sort((one, other) => place(one) - place(other));
    const mine = faults.filter((fault) => fault.instrument === null || fault.instrument === instrument.instrument);
    inputs.set(instrument.instrument, { instrument, series, faults: mine });
  }
  return { batch, inputs };
}

/** `figure` is `total_return.1y` or `last_close`. */
export function shown({ facts }: Pick<InstrumentFacts, "facts">, figure: string): string | null {
  const fact = factOf(facts, figure);
  return fact.status === "OK" ? fact.value : fact.reason;
}

export function factOf(facts: readonly Fact[], figure: string): Fact {
  const found = facts.find((fact) => figure === (fact.window === "" ? fact.fact : `${fact.fact}.${fact.window}`));
  if (found === undefined) throw new Error(`no row for ${figure}`);
  return found;
}

export const CUTOFF = "2026-04-30";

export function terms(change: Partial<BatchTerms> = {}): BatchTerms {
  return {
    as_of: "2026-05-03T23:00:00.000Z",
    cutoff: { KR: CUTOFF, US: CUTOFF },
    reporting_currency: "KRW",
    sources: [
      { id: "bars", contract: "csv-bars", market: "US" },
      { id: "payouts", contract: "csv-distributions", market: "US" },
      { id: "fx", contract: "csv-fx" },
      { id: "nav", contract: "csv-nav", market: "US" },
      { id: "profile", contract: "json-metadata", market: "US" },
      { id: "register", contract: "csv-metadata", market: "US" },
    ],
    ...change,
  };
}

export function instrument(change: Partial<Instrument> = {}): Instrument {
  return {
    instrument: "US:AAA",
    market: "US",
    ticker: "AAA",
    isin: "",
    name_ko: "",
    name_en: "",
    issuer: "Nobody",
    currency: "USD",
    product_type: "EQUITY_INDEX",
    peer_group: "GROUP",
    benchmark: "",
    exposure_multiple: "1",
    fx_hedged: false,
    ...change,
  };
}

function observed(source_id: string) {
  return { source_id, evidence_id: `evidence of ${source_id}`, payload_sha256: "", defects: [] };
}

export type Level = [session: string, close: string | null, volume?: string | null, adjusted?: string | null];

export function bars(
  levels: readonly Level[],
  basis: PriceBasis = "split_adjusted",
  change: Partial<BarSeries> = {},
): BarSeries {
  return {
    kind: "bars",
    ...observed("bars"),
    instrument: "US:AAA",
    currency: "USD",
    basis: {
      close: basis,
      adjusted_close: levels.some((level) => level[3] !== undefined) ? "distribution_adjusted" : null,
    },
    adjusted_through: null,
    rows: levels.map(([session, close, volume = null, adjusted_close = null], index) => ({
      row: index + 1,
      session,
      open: null,
      high: null,
      low: null,
      close,
      adjusted_close,
      volume,
    })),
    ...change,
  };
}

export function payouts(
  rows: readonly [ex_date: string, amount: string][],
  change: Partial<DistributionSeries> = {},
): DistributionSeries {
  return {
    kind: "distributions",
    ...observed("payouts"),
    instrument: "US:AAA",
    currency: "USD",
    pays_nothing: false,
    basis: "split_adjusted",
    rows: rows.map(([ex_date, amount], index) => ({ row: index + 1, ex_date, amount })),
    ...change,
  };
}

export const NO_PAYOUTS = payouts([], { pays_nothing: true, evidence_id: "" });

export function rates(rows: readonly [date: string, rate: string][], base = "USD", quote = "KRW"): FxSeries {
  return {
    kind: "fx",
    ...observed("fx"),
    base,
    quote,
    rows: rows.map(([date, rate], index) => ({ row: index + 1, date, rate })),
  };
}

export function navs(
  rows: readonly [session: string, nav: string | null, close: string | null][],
  retrieved_at = "2026-05-03T22:00:00.000Z",
): NavSeries {
  return {
    kind: "nav",
    ...observed("nav"),
    instrument: "US:AAA",
    currency: "USD",
    basis: { close: "as_traded" },
    retrieved_at,
    rows: rows.map(([session, nav, close], index) => ({ row: index + 1, session, nav, close, volume: null })),
  };
}

export function metadata(
  source_id: string,
  fields: Partial<Record<MetadataRecord["fields"][number]["field"], string>>,
): MetadataRecord {
  return {
    kind: "metadata",
    ...observed(source_id),
    instrument: "US:AAA",
    vendor: source_id,
    retrieved_at: source_id === "profile" ? "2026-05-03T22:00:00.000Z" : "2025-12-31T10:00:00.000Z",
    fields: Object.entries(fields).map(([field, value], index) => ({
      field: field as MetadataRecord["fields"][number]["field"],
      value,
      stated: value,
      currency: null,
      row: index + 1,
    })),
  };
}

export function inputs(series: readonly Observations[], change: Partial<Instrument> = {}): InstrumentInputs {
  return { instrument: instrument(change), series, faults: [] };
}

/** Weekdays from `from` to `to`, both included. */
export function weekdays(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    if (weekday !== 0 && weekday !== 6) days.push(day);
  }
  return days;
}
