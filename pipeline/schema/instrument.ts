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

/** Text that cards print: without control or invisible characters, so that what a person reads is what is there. */
const printed = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, "must be without control or invisible characters");

const row = z.strictObject({
  /** `KR:069500`, `US:SPY`: market and ticker. */
  instrument: z.string().regex(/^(KR|US):[A-Z0-9][A-Z0-9.-]{0,11}$/, "must be MARKET:TICKER, such as KR:069500"),
  market: z.enum(MARKETS),
  ticker: z.string().regex(/^[A-Z0-9][A-Z0-9.-]{0,11}$/, "capital letters and digits, leading zeros kept"),
  isin: z.union([z.literal(""), z.string().regex(/^[A-Z]{2}[A-Z0-9]{9}\d$/, "must be an ISIN or empty")]),
  name_ko: printed(200),
  name_en: printed(200),
  issuer: printed(200).min(1, "must not be empty"),
  currency: z.enum(["KRW", "USD"]),
  product_type: z.enum(PRODUCT_TYPES),
  peer_group: printed(60),
  /** Instrument id of the comparison ETF, or empty. */
  benchmark: z.string().max(20),
  exposure_multiple: z.enum(EXPOSURE_MULTIPLES),
  fx_hedged: z.enum(["true", "false"]).transform((text) => text === "true"),
});
export const instrumentSchema = row.refine(({ name_ko, name_en }) => `${name_ko}${name_en}`.trim() !== "", {
  path: ["name_ko"],
  message: "a product has a name in Korean or English",
});
export type Instrument = z.infer<typeof instrumentSchema>;

export const UNIVERSE_COLUMNS = Object.keys(instrumentSchema.shape);

/** Folder name of an instrument: `KR:069500` → `KR-069500`. */
export function toFolderName(instrument: string): string {
  return instrument.replaceAll(":", "-");
}
