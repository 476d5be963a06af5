/** The CSV contract under which the bytes of a synthetic source are read: fixed column names, bases and paths. */
import { AssayError } from "../../domain/outcome.ts";
import type {
  CsvBarsSource,
  CsvDistributionsSource,
  CsvFxSource,
  CsvMetadataSource,
  CsvNavSource,
  SyntheticSource,
} from "../../schema/batch.ts";

export type ReadSource = CsvBarsSource | CsvDistributionsSource | CsvFxSource | CsvNavSource | CsvMetadataSource;

export const BAR_COLUMNS = ["date", "open", "high", "low", "close", "adjusted_close", "volume"] as const;
export const DISTRIBUTION_COLUMNS = ["ex_date", "amount"] as const;
export const FX_COLUMNS = ["date", "rate"] as const;
export const NAV_COLUMNS = ["date", "nav", "close", "volume", "value"] as const;
/** `ticker` and the fields that both markets have; then Korea's own. */
export const METADATA_COLUMNS = [
  "ticker",
  "isin",
  "name_ko",
  "name_en",
  "issuer",
  "listed_on",
  "inception_on",
  "underlying_index",
  "total_expense_ratio",
  "net_assets",
] as const;
export const KOREAN_METADATA_COLUMNS = ["tax_type", "risk_grade"] as const;

export function readAs(source: SyntheticSource): ReadSource {
  const { id, vendor, retrieved_at, rights } = source;
  const published = source.published_at === undefined ? {} : { published_at: source.published_at };
  const common = { id, vendor, retrieved_at, rights, ...published, encoding: "utf-8" as const };
  const perInstrument = `synthetic/${id}/{ticker}.csv`;
  const shared = `synthetic/${id}.csv`;
  const pays = { missing_file: "error" as const };
  if (source.produces === "fx") {
    return {
      ...common,
      contract: "csv-fx",
      pair: pairOf(source),
      files: shared,
      columns: { date: "date", rate: "rate" },
    };
  }
  const market = marketOf(source);
  const currency = currencyOf(source);
  switch (source.produces) {
    case "bars": {
      const columns = { session: "date", open: "open", high: "high", low: "low", close: "close", volume: "volume" };
      return {
        ...common,
        ...pays,
        contract: "csv-bars",
        market,
        currency,
        files: perInstrument,
        columns: { ...columns, adjusted_close: "adjusted_close" },
        basis: { close: "split_adjusted", adjusted_close: "distribution_adjusted" },
      };
    }
    case "distributions":
      return {
        ...common,
        ...pays,
        contract: "csv-distributions",
        market,
        currency,
        files: perInstrument,
        pays_nothing: [],
        columns: { ex_date: "ex_date", amount: "amount" },
        basis: "split_adjusted",
      };
    case "nav":
      return {
        ...common,
        ...pays,
        contract: "csv-nav",
        market,
        currency,
        files: perInstrument,
        columns: { session: "date", nav: "nav", close: "close", volume: "volume", value: "value" },
        basis: { close: "as_traded" },
      };
    case "metadata":
      return {
        ...common,
        contract: "csv-metadata",
        market,
        file: shared,
        key: "ticker",
        fields: metadataFields(source),
      };
  }
}

function metadataFields(source: SyntheticSource): CsvMetadataSource["fields"] {
  const korean = marketOf(source) === "KR";
  return {
    isin: { column: "isin" },
    name_ko: { column: "name_ko" },
    name_en: { column: "name_en" },
    issuer: { column: "issuer" },
    listed_on: { column: "listed_on", unit: "date" },
    inception_on: { column: "inception_on", unit: "date" },
    underlying_index: { column: "underlying_index" },
    total_expense_ratio: { column: "total_expense_ratio", unit: "percent" },
    net_assets: { column: "net_assets", unit: currencyOf(source) },
    ...(korean ? { tax_type: { column: "tax_type" }, risk_grade: { column: "risk_grade" } } : {}),
  };
}

export function marketOf(source: SyntheticSource) {
  if (source.market !== undefined) return source.market;
  throw new AssayError("SYNTHETIC_MARKET_MISSING", `source ${source.id} produces ${source.produces} for no market`, {
    hint: "add market: KR or market: US to the source",
  });
}

export function currencyOf(source: SyntheticSource): "KRW" | "USD" {
  return source.currency ?? (marketOf(source) === "KR" ? "KRW" : "USD");
}

export function pairOf(source: SyntheticSource): { base: "KRW" | "USD"; quote: "KRW" | "USD" } {
  const pair = source.pair ?? { base: "USD", quote: "KRW" };
  if (pair.base !== pair.quote) return pair;
  throw new AssayError("SYNTHETIC_PAIR", `source ${source.id} asks for ${pair.base} in ${pair.quote}`, {
    hint: "name two different currencies under pair",
  });
}
