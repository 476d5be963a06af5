/** Sources, contexts and batch folders for the tests of collect. Small and invented; real data is read from ../shared. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { ReadingContext } from "../../pipeline/collect/adapter.ts";
import { sha256 } from "../../pipeline/domain/digest.ts";
import type {
  CsvBarsSource,
  CsvDistributionsSource,
  CsvFxSource,
  CsvMetadataSource,
  CsvNavSource,
  JsonMetadataSource,
} from "../../pipeline/schema/batch.ts";
import { type Instrument, instrumentSchema, UNIVERSE_COLUMNS } from "../../pipeline/schema/instrument.ts";

const common = {
  vendor: "Test vendor",
  retrieved_at: "2026-05-01T00:00:00.000Z",
  rights: { internal: "ALLOW", client_delivery: "ALLOW" },
} as const;

export const barsSource: CsvBarsSource = {
  ...common,
  id: "bars",
  contract: "csv-bars",
  market: "KR",
  files: "{ticker}.csv",
  missing_file: "error",
  columns: {
    session: "date",
    open: "open",
    high: "high",
    low: "low",
    close: "close",
    adjusted_close: "adj",
    volume: "volume",
  },
  basis: { close: "split_adjusted", adjusted_close: "distribution_adjusted" },
  currency: "KRW",
};
export const distributionsSource: CsvDistributionsSource = {
  ...common,
  id: "distributions",
  contract: "csv-distributions",
  market: "KR",
  files: "d/{ticker}.csv",
  missing_file: "error",
  pays_nothing: [],
  columns: { ex_date: "ex_date", amount: "amount" },
  basis: "split_adjusted",
  currency: "KRW",
};
export const fxSource: CsvFxSource = {
  ...common,
  id: "fx",
  contract: "csv-fx",
  pair: { base: "USD", quote: "KRW" },
  files: "fx.csv",
  columns: { date: "date", rate: "rate" },
  label_shift: { zone: "Europe/London", days_in_summer_time: 1 },
};
export const navSource: CsvNavSource = {
  ...common,
  id: "nav",
  contract: "csv-nav",
  market: "KR",
  files: "nav/{ticker}.csv",
  missing_file: "skip",
  columns: { session: "date", nav: "nav", close: "close", volume: "volume" },
  basis: { close: "as_traded" },
  currency: "KRW",
};
export const csvMetadataSource: CsvMetadataSource = {
  ...common,
  id: "listing",
  contract: "csv-metadata",
  market: "KR",
  file: "listing.csv",
  key: "code",
  fields: {
    name_ko: { column: "name" },
    listed_on: { column: "listed" },
    total_expense_ratio: { column: "fee", unit: "percent" },
  },
};
export const jsonMetadataSource: JsonMetadataSource = {
  ...common,
  id: "profile",
  contract: "json-metadata",
  market: "KR",
  file: "profile.json",
  key: "ticker",
  fields: {
    name_ko: { path: "name" },
    total_expense_ratio: { path: "cost.fee", unit: "percent" },
    net_assets: { path: "assets", unit: "krw_text" },
    fund_net_assets: { path: "fund", unit: "USD" },
    inception_on: { path: "since", unit: "epoch_seconds" },
  },
};

export function instrument(id: string, over: Partial<Record<keyof Instrument, string>> = {}): Instrument {
  return instrumentSchema.parse({ ...universeRow(id), ...over });
}

export function context(over: Partial<ReadingContext> = {}): ReadingContext {
  return {
    evidence_id: "e".repeat(64),
    payload_sha256: "f".repeat(64),
    encoding: "utf-8",
    instrument: "KR:0000J0",
    instruments: [instrument("KR:0000J0"), instrument("KR:069500"), instrument("US:SPY")],
    ...over,
  };
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const BATCH_YAML = `schema: batch/v1
id: small
title: A small batch
as_of: 2026-05-04T08:00:00+09:00
cutoff: { KR: 2026-04-30, US: 2026-04-30 }
reporting_currency: KRW
locales: [ko-KR]
channel: internal-review
universe: universe.csv
sources:
  - id: kr-bars
    contract: csv-bars
    vendor: Test vendor
    market: KR
    files: prices/{ticker}.csv
    columns: { session: date, close: close }
    basis: { close: split_adjusted }
    currency: KRW
    retrieved_at: 2026-05-03T22:18:07Z
    rights: { internal: ALLOW, client_delivery: INDETERMINATE }
  - id: kr-distributions
    contract: csv-distributions
    vendor: Test vendor
    market: KR
    files: distributions/{ticker}.csv
    pays_nothing: ["0000J0"]
    columns: { ex_date: ex_date, amount: amount }
    basis: split_adjusted
    currency: KRW
    published_at: 2026-05-03T23:00:00Z
    retrieved_at: 2026-05-03T22:18:07Z
    rights: { internal: ALLOW, client_delivery: INDETERMINATE }
  - id: usdkrw
    contract: csv-fx
    vendor: Test vendor
    pair: { base: USD, quote: KRW }
    files: fx.csv
    columns: { date: date, rate: rate }
    label_shift: { zone: Europe/London, days_in_summer_time: 1 }
    retrieved_at: 2026-05-03T22:25:00Z
    rights: { internal: ALLOW, client_delivery: INDETERMINATE }
`;

function universeRow(id: string): Record<string, string> {
  const [market = "", ticker = ""] = id.split(":");
  return {
    instrument: id,
    market,
    ticker,
    isin: "",
    name_ko: "시험",
    name_en: "Test",
    issuer: "Issuer",
    currency: market === "KR" ? "KRW" : "USD",
    product_type: "EQUITY_INDEX",
    peer_group: "G",
    benchmark: "",
    exposure_multiple: "1",
    fx_hedged: "false",
  };
}

export function universeCsv(rows: (Record<string, string> | string)[]): string {
  const lines = rows.map((row) => {
    if (typeof row === "string") return row;
    const full = { ...universeRow(row.instrument!), ...row };
    return UNIVERSE_COLUMNS.map((column) => full[column as keyof typeof full]).join(",");
  });
  return [UNIVERSE_COLUMNS.join(","), ...lines, ""].join("\n");
}

/** A temporary folder with these files, gone when the test is. */
export async function folderOf(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "assay-collect-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

export function memoryObjects() {
  const stored = new Map<string, Uint8Array>();
  return {
    stored,
    async put(bytes: Uint8Array) {
      const digest = sha256(bytes);
      stored.set(digest, bytes);
      return digest;
    },
  };
}
