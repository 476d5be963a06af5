/** Listed property: total return with what it pays out, and the fall. */
import {
  ALWAYS,
  DISTRIBUTIONS,
  FX,
  PEERS,
  PREMIUM,
  PRICE,
  RISK,
  SHORT_HISTORY,
  STRUCTURE,
  type TypeContract,
} from "./contract.ts";

export const reit: TypeContract = {
  product_type: "REIT",
  headlines: [
    "total_return.1y",
    "distribution_yield.ttm",
    "max_drawdown.1y",
    "volatility.1y",
    "total_expense_ratio",
    ...SHORT_HISTORY,
  ],
  sections: [RISK, DISTRIBUTIONS, STRUCTURE, FX, PRICE, PREMIUM, PEERS],
  disclosures: [...ALWAYS, "concentration", "distribution_not_assured"],
};
