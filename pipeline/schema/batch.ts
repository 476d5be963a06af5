/** The request of a batch (`batch.yaml`, schema `batch/v1`): dates, locales, channel and source contracts. */
import { z } from "zod";
import { isDate } from "../domain/date.ts";
import { MARKETS, toInstant } from "../domain/instant.ts";
import { LOCALES } from "../domain/locale.ts";

const date = z.string().refine(isDate, "must be a calendar date YYYY-MM-DD");
const instant = z.string().transform((text, context) => {
  try {
    return toInstant(text);
  } catch {
    context.addIssue({
      code: "custom",
      message: "must be an instant with an offset, such as 2026-05-04T08:00:00+09:00",
    });
    return z.NEVER;
  }
});
const identifier = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "lower-case letters, digits and hyphens");

export const RIGHTS = ["ALLOW", "BLOCK", "INDETERMINATE"] as const;
export const PRICE_BASES = ["as_traded", "split_adjusted", "distribution_adjusted"] as const;
export type PriceBasis = (typeof PRICE_BASES)[number];

const common = {
  id: identifier,
  vendor: z.string().min(1).max(100),
  retrieved_at: instant,
  /** When the vendor published it; unknown for most recorded files. */
  published_at: instant.optional(),
  rights: z.strictObject({ internal: z.enum(RIGHTS), client_delivery: z.enum(RIGHTS) }),
};
const market = z.enum(MARKETS);
const currency = z.enum(["KRW", "USD"]);
const path = z.string().min(1).max(500);
const column = z.string().min(1).max(100);
const missing_file = z.enum(["skip", "error"]).default("error");
const encoding = z.enum(["utf-8", "cp949", "euc-kr"]).optional();

export const csvBarsSchema = z.strictObject({
  ...common,
  contract: z.literal("csv-bars"),
  market,
  files: path,
  missing_file,
  encoding,
  columns: z.strictObject({
    session: column,
    open: column.optional(),
    high: column.optional(),
    low: column.optional(),
    close: column.optional(),
    adjusted_close: column.optional(),
    volume: column.optional(),
  }),
  basis: z.strictObject({
    close: z.enum(PRICE_BASES).optional(),
    adjusted_close: z.literal("distribution_adjusted").optional(),
  }),
  adjusted_through: date.optional(),
  currency,
});
export const csvDistributionsSchema = z.strictObject({
  ...common,
  contract: z.literal("csv-distributions"),
  market,
  files: path,
  missing_file,
  encoding,
  pays_nothing: z.array(z.string()).default([]),
  columns: z.strictObject({ ex_date: column, amount: column }),
  basis: z.enum(["split_adjusted", "as_traded"]),
  currency,
});
export const csvFxSchema = z.strictObject({
  ...common,
  contract: z.literal("csv-fx"),
  pair: z.strictObject({ base: currency, quote: currency }),
  files: path,
  encoding,
  columns: z.strictObject({ date: column, rate: column }),
  label_shift: z.strictObject({ zone: z.string(), days_in_summer_time: z.number().int().min(-1).max(1) }).optional(),
});
export const csvNavSchema = z.strictObject({
  ...common,
  contract: z.literal("csv-nav"),
  market,
  files: path,
  missing_file,
  encoding,
  columns: z.strictObject({
    session: column,
    nav: column,
    close: column,
    volume: column.optional(),
    value: column.optional(),
    index_level: column.optional(),
  }),
  basis: z.strictObject({ close: z.enum(PRICE_BASES) }),
  currency,
});

export const METADATA_FIELDS = [
  "isin",
  "name_ko",
  "name_en",
  "issuer",
  "listed_on",
  "inception_on",
  "underlying_index",
  "total_expense_ratio",
  "net_assets",
  "fund_net_assets",
  "tax_type",
  "risk_grade",
  "description_ko",
  "description_en",
] as const;
export type MetadataField = (typeof METADATA_FIELDS)[number];
/** percent: 0.7 is 0.7 %. fraction: 0.007 is 0.7 %. krw_text: 16조 5,475억. A currency: whole units of it. */
export const METADATA_UNITS = ["percent", "fraction", "krw_text", "KRW", "USD", "epoch_seconds", "date"] as const;
const unit = z.enum(METADATA_UNITS).optional();

export const csvMetadataSchema = z.strictObject({
  ...common,
  contract: z.literal("csv-metadata"),
  market,
  file: path,
  encoding,
  key: column,
  fields: z.partialRecord(z.enum(METADATA_FIELDS), z.strictObject({ column, unit })),
});
export const jsonMetadataSchema = z.strictObject({
  ...common,
  contract: z.literal("json-metadata"),
  market,
  file: path,
  key: column,
  fields: z.partialRecord(z.enum(METADATA_FIELDS), z.strictObject({ path: column, unit })),
});

/** Seeded invented data, always marked as demonstration data. The bytes it makes are frozen and read as CSV. */
export const syntheticSchema = z.strictObject({
  ...common,
  contract: z.literal("synthetic"),
  produces: z.enum(["bars", "distributions", "fx", "nav", "metadata"]),
  market: market.optional(),
  currency: currency.optional(),
  pair: z.strictObject({ base: currency, quote: currency }).optional(),
  seed: z.number().int().min(0).max(2_147_483_647),
  from: date,
  to: date,
  /** Planted defects, so that a demonstration shows quarantine: kind by ticker. */
  defects: z
    .array(
      z.strictObject({
        ticker: z.string(),
        kind: z.enum([
          "scale_break",
          "unexplained_jump",
          "duplicate_session",
          "half_filled_bar",
          "stale",
          "gap",
          "missing_file",
          "blank_close",
          "fee_conflict",
          "wrong_isin",
        ]),
        on: date.optional(),
      }),
    )
    .default([]),
});

export const sourceSchema = z.discriminatedUnion("contract", [
  csvBarsSchema,
  csvDistributionsSchema,
  csvFxSchema,
  csvNavSchema,
  csvMetadataSchema,
  jsonMetadataSchema,
  syntheticSchema,
]);
export type Source = z.infer<typeof sourceSchema>;
export type CsvBarsSource = z.infer<typeof csvBarsSchema>;
export type CsvDistributionsSource = z.infer<typeof csvDistributionsSchema>;
export type CsvFxSource = z.infer<typeof csvFxSchema>;
export type CsvNavSource = z.infer<typeof csvNavSchema>;
export type CsvMetadataSource = z.infer<typeof csvMetadataSchema>;
export type JsonMetadataSource = z.infer<typeof jsonMetadataSchema>;
export type SyntheticSource = z.infer<typeof syntheticSchema>;

export const batchSchema = z.strictObject({
  schema: z.literal("batch/v1"),
  id: identifier,
  title: z.string().min(1).max(200),
  as_of: instant,
  cutoff: z.strictObject({ KR: date, US: date }),
  reporting_currency: currency,
  locales: z.array(z.enum(LOCALES)).min(1).max(2),
  channel: identifier,
  universe: path,
  /** Folder of research definitions, one YAML file per product that has one. */
  research: path.optional(),
  /** Folder of the causal register, one YAML file per edge and version. */
  causal: path.optional(),
  sources: z.array(sourceSchema).min(1).max(100),
});
export type Batch = z.infer<typeof batchSchema>;
