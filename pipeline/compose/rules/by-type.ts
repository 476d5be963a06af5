/**
 * Which rules a product type asks first: what its client wants to know leads, what may follow comes after, and the risk that
 * belongs to it. A type without an entry does not compile.
 */
import type { ProductType } from "../../schema/instrument.ts";
import { COMPARISONS } from "./comparison.ts";
import { COUNTERPOINTS } from "./counterpoints.ts";
import { INCOME } from "./income.ts";
import { MULTIPLES } from "./multiple.ts";
import { RETURNS } from "./returns.ts";
import { RISKS } from "./risk.ts";
import type { ClaimRule } from "./rule.ts";
import { STRUCTURE_RULES } from "./structure.ts";

export const CLAIM_RULES: readonly ClaimRule[] = [
  ...RETURNS,
  ...COMPARISONS,
  ...INCOME,
  ...MULTIPLES,
  ...RISKS,
  ...STRUCTURE_RULES,
  ...COUNTERPOINTS,
];

/** Beginnings of rule ids, in order: `return` asks every `return-…`. */
export interface ClaimOrder {
  /** Said where they can be said, in this order, up to the number that leads. */
  lead: readonly string[];
  risks: readonly string[];
}

const RETURN = ["return-up-1y", "return-down-1y"];
const AGAINST = ["ahead-1y", "behind-1y"];
const FALL = ["fall-1y", "fall-3y", "fall-5y", "fluctuation"];
const SWING = ["fluctuation-large-1y", "fall-1y", "fall-3y", "fluctuation"];

export const CLAIM_ORDERS: Record<ProductType, ClaimOrder> = {
  EQUITY_INDEX: { lead: [...RETURN, ...AGAINST, "rank"], risks: FALL },
  EQUITY_THEME: { lead: [...RETURN, ...AGAINST, "median"], risks: SWING },
  DIVIDEND: { lead: [...RETURN, "payout-rate", "payouts-1y"], risks: FALL },
  COVERED_CALL: { lead: ["payouts-1y", "payout-rate", ...AGAINST, ...RETURN], risks: FALL },
  BOND: { lead: [...RETURN, "currency-1y", "fluctuation-small-1y", "median"], risks: FALL },
  MONEY_MARKET: { lead: [...RETURN, "fluctuation-small-1y", "fee", "payout-rate"], risks: FALL },
  COMMODITY: { lead: [...RETURN, "currency-1y", "recovered-1y"], risks: SWING },
  REIT: { lead: [...RETURN, "payout-rate", "payouts-1y"], risks: FALL },
  MULTI_ASSET: { lead: [...RETURN, ...AGAINST, "annualised"], risks: FALL },
  LEVERAGED: { lead: ["multiple-gap", "multiple-compounded", ...RETURN], risks: SWING },
  INVERSE: { lead: ["multiple-gap", "multiple-compounded", ...RETURN], risks: SWING },
  CRYPTO: { lead: [...RETURN, "currency-1y", "recovered-1y"], risks: SWING },
};
