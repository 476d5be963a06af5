/** Registry: the contract of every product type. A type without a contract does not compile. */
import type { ProductType } from "../../pipeline/schema/instrument.ts";
import { bond } from "./bond.ts";
import { commodity } from "./commodity.ts";
import type { TypeContract } from "./contract.ts";
import { coveredCall } from "./covered-call.ts";
import { crypto } from "./crypto.ts";
import { dividend } from "./dividend.ts";
import { equityIndex } from "./equity-index.ts";
import { equityTheme } from "./equity-theme.ts";
import { inverse } from "./inverse.ts";
import { leveraged } from "./leveraged.ts";
import { moneyMarket } from "./money-market.ts";
import { multiAsset } from "./multi-asset.ts";
import { reit } from "./reit.ts";

export const TYPE_CONTRACTS: Record<ProductType, TypeContract> = {
  EQUITY_INDEX: equityIndex,
  EQUITY_THEME: equityTheme,
  DIVIDEND: dividend,
  COVERED_CALL: coveredCall,
  BOND: bond,
  MONEY_MARKET: moneyMarket,
  COMMODITY: commodity,
  REIT: reit,
  MULTI_ASSET: multiAsset,
  LEVERAGED: leveraged,
  INVERSE: inverse,
  CRYPTO: crypto,
};
