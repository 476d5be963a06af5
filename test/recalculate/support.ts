/** Small batches as text, and a client of a database of one's own, for the tests of the second path. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import pg from "pg";
import { parse } from "yaml";
import { type FrozenPayload, type RecalculationInput, recalculate } from "../../pipeline/recalculate/recalculate.ts";
import { batchSchema, type Source } from "../../pipeline/schema/batch.ts";
import type { SourceVersion } from "../../pipeline/schema/evidence.ts";
import { UNIVERSE_COLUMNS } from "../../pipeline/schema/instrument.ts";
import type { Recalculated } from "../../pipeline/schema/recalculated.ts";
import { freshDatabase } from "../support/database.ts";

export async function connect(): Promise<{ client: pg.PoolClient; close(): Promise<void> }> {
  const fresh = await freshDatabase();
  const pool = new pg.Pool({ connectionString: fresh.appUrl, max: 1 });
  const client = await pool.connect();
  return {
    client,
    async close() {
      client.release();
      await pool.end();
      await fresh.drop();
    },
  };
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function toPayload(
  source: Source,
  instrument: string | null,
  bytes: Uint8Array,
  first_usable_at?: string,
): FrozenPayload {
  const version = {
    source_id: source.id,
    instrument,
    payload_sha256: sha256(bytes),
    first_usable_at: first_usable_at ?? source.retrieved_at,
    retrieved_at: source.retrieved_at,
  } as SourceVersion;
  return { evidence_id: sha256(`${source.id} ${instrument}`), version, reading: source, bytes: async () => bytes };
}

const RIGHTS = { internal: "ALLOW", client_delivery: "ALLOW" };
const COMMON = { vendor: "Vendor", retrieved_at: "2026-05-01T00:00:00Z", rights: RIGHTS };
export const BARS = {
  ...COMMON,
  id: "bars",
  contract: "csv-bars",
  market: "US",
  files: "bars/{ticker}.csv",
  columns: { session: "date", close: "close", adjusted_close: "adj", volume: "volume" },
  basis: { close: "split_adjusted", adjusted_close: "distribution_adjusted" },
  currency: "USD",
};
export const PAYOUTS = {
  ...COMMON,
  id: "payouts",
  contract: "csv-distributions",
  market: "US",
  files: "payouts/{ticker}.csv",
  pays_nothing: ["BBB"],
  columns: { ex_date: "ex_date", amount: "amount" },
  basis: "split_adjusted",
  currency: "USD",
};
export const RATES = {
  ...COMMON,
  id: "rates",
  contract: "csv-fx",
  pair: { base: "USD", quote: "KRW" },
  files: "fx.csv",
  columns: { date: "date", rate: "rate" },
};
export const META = {
  ...COMMON,
  id: "meta",
  contract: "csv-metadata",
  market: "US",
  file: "meta.csv",
  key: "코드",
  fields: {
    underlying_index: { column: "지수" },
    total_expense_ratio: { column: "보수", unit: "percent" },
    net_assets: { column: "순자산", unit: "krw_text" },
    listed_on: { column: "상장일" },
  },
};

export const CUTOFF = "2026-04-30";
const ROW: Record<string, string> = {
  market: "US",
  isin: "",
  name_ko: "",
  name_en: "Name",
  issuer: "Issuer",
  currency: "USD",
  product_type: "EQUITY_INDEX",
  peer_group: "",
  benchmark: "",
  exposure_multiple: "1",
  fx_hedged: "false",
};

export interface SmallBatch {
  sources?: unknown[];
  tickers?: Record<string, Record<string, string>>;
  /** Bytes by `<source> <instrument>`, or `<source>` for a shared file. */
  files: Record<string, string | Uint8Array>;
  scope?: string[];
  tamper?: (payload: FrozenPayload) => FrozenPayload;
  onFault?: RecalculationInput["onFault"];
}

export async function recalculateSmall(client: pg.PoolClient, small: SmallBatch): Promise<Map<string, Recalculated>> {
  const batch = batchSchema.parse({
    schema: "batch/v1",
    id: "small",
    title: "Small",
    as_of: "2026-05-04T08:00:00+09:00",
    cutoff: { KR: CUTOFF, US: CUTOFF },
    reporting_currency: "KRW",
    locales: ["ko-KR"],
    channel: "internal-review",
    universe: "universe.csv",
    sources: small.sources ?? [BARS, PAYOUTS, RATES],
  });
  const rows = Object.entries(small.tickers ?? { AAA: {} }).map(([ticker, changed]) => {
    const stated: Record<string, string> = { ...ROW, ticker, ...changed };
    const row: Record<string, string> = { ...stated, instrument: `${stated.market}:${ticker}` };
    return UNIVERSE_COLUMNS.map((column) => row[column] ?? "").join(",");
  });
  const universe = Buffer.from(`${UNIVERSE_COLUMNS.join(",")}\n${rows.join("\n")}\n`);
  const payloads = Object.entries(small.files).map(([name, content]) => {
    const [id, instrument = null] = name.split(" ");
    const payload = toPayload(
      batch.sources.find((source) => source.id === id)!,
      instrument,
      Buffer.from(content as string),
    );
    return small.tamper === undefined ? payload : small.tamper(payload);
  });
  return recalculate(client, {
    batch,
    universe: { sha256: sha256(universe), bytes: universe },
    payloads,
    scope: small.scope ?? Object.keys(small.tickers ?? { AAA: {} }).map((ticker) => `US:${ticker}`),
    onFault: small.onFault,
  });
}

/** `status or reason` of a figure, or its value. */
export function answerOf(
  answers: Map<string, Recalculated>,
  figure: string,
  instrument = "US:AAA",
): string | null | undefined {
  const found = answers.get(instrument)?.figures.find((one) => one.figure === figure);
  return found === undefined ? undefined : (found.reason ?? found.value);
}

/** Weekday closes up to the cutoff: 100, 101, … in cents of a slow wave, so that no two windows agree by chance. */
export function bars(
  days: number,
  change: (row: { date: string; close: string }, fromEnd: number) => string | null = () => null,
): string {
  const lines = ["date,close,adj,volume"];
  for (let back = days; back >= 0; back--) {
    const at = new Date(Date.UTC(2026, 3, 30) - back * 86_400_000);
    if (at.getUTCDay() % 6 === 0) continue;
    const cents = 10_000 + (days - back) * 3 + (((days - back) * 7919) % 101) * 5;
    const row = {
      date: at.toISOString().slice(0, 10),
      close: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`,
    };
    lines.push(change(row, back) ?? `${row.date},${row.close},${row.close},1000`);
  }
  return `${lines.join("\n")}\n`;
}

export function readRealBatch(folder: string): Omit<RecalculationInput, "scope"> & { instruments: string[] } {
  const batch = batchSchema.parse(parse(readFileSync(`${folder}/batch.yaml`, "utf8")));
  const universe = readFileSync(`${folder}/universe.csv`);
  const rows = universe
    .toString("utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));
  const payloads: FrozenPayload[] = [];
  const add = (source: Source, instrument: string | null, file: string) => {
    if (existsSync(`${folder}/${file}`))
      payloads.push(toPayload(source, instrument, readFileSync(`${folder}/${file}`)));
  };
  for (const source of batch.sources) {
    if ("file" in source) add(source, null, source.file);
    else if ("pair" in source && source.contract === "csv-fx") add(source, null, source.files);
    else if ("files" in source && "market" in source) {
      for (const [instrument, market, ticker] of rows) {
        if (market === source.market) add(source, instrument!, source.files.replace("{ticker}", ticker!));
      }
    }
  }
  return {
    batch,
    universe: { sha256: sha256(universe), bytes: universe },
    payloads,
    instruments: rows.map(([id]) => id!),
  };
}
