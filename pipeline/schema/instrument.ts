/** One row of a batch's universe: what a product is called and how it is to be compared. */
import { z } from "zod";
import { MARKETS } from "../domain/instant.ts";

export const PRODUCT_TYPES = [
  "EQUITY_INDEX",
  "EQUITY_THEME",
  "DIVIDEND",
  "COVERED_CALL",
  "BOND",
  "MONEY_MARKET",
  "COMMODITY",
  "REIT",
  "MULTI_ASSET",
  "LEVERAGED",
  "INVERSE",
  "CRYPTO",
] as const;
export type ProductType = (typeof PRODUCT_TYPES)[number];

export const EXPOSURE_MULTIPLES = ["1", "2", "3", "-1", "-2", "-3"] as const;

export const instrumentSchema = z.strictObject({
  /** `KR:069500`, `US:SPY`: market and ticker. */
  instrument: z.string().regex(/^(KR|US):[A-Z0-9][A-Z0-9.-]{0,11}$/, "must be MARKET:TICKER, such as KR:069500"),
  market: z.enum(MARKETS),
  ticker: z.string().regex(/^[A-Z0-9][A-Z0-9.-]{0,11}$/, "capital letters and digits, leading zeros kept"),
  isin: z.union([z.literal(""), z.string().regex(/^[A-Z]{2}[A-Z0-9]{9}\d$/, "must be an ISIN or empty")]),
  name_ko: z.string().max(200),
  name_en: z.string().max(200),
  issuer: z.string().min(1, "must not be empty").max(200),
  currency: z.enum(["KRW", "USD"]),
  product_type: z.enum(PRODUCT_TYPES),
  peer_group: z.string().max(60),
  /** Instrument id of the comparison ETF, or empty. */
  benchmark: z.string().max(20),
  exposure_multiple: z.enum(EXPOSURE_MULTIPLES),
  fx_hedged: z.enum(["true", "false"]).transform((text) => text === "true"),
});
export type Instrument = z.infer<typeof instrumentSchema>;

export const UNIVERSE_COLUMNS = Object.keys(instrumentSchema.shape);

/** Folder name of an instrument: `KR:069500` → `KR-069500`. */
export function toFolderName(instrument: string): string {
  return instrument.replaceAll(":", "-");
}
