/** Covered calls: total return first, the rate and the price without payouts beside it, since the rate is paid for with upside. */
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

export const coveredCall: TypeContract = {
  product_type: "COVERED_CALL",
  headlines: [
    "total_return.1y",
    "distribution_yield.ttm",
    "price_return.1y",
    "max_drawdown.1y",
    "volatility.1y",
    "total_expense_ratio",
    ...SHORT_HISTORY,
  ],
  sections: [RISK, DISTRIBUTIONS, STRUCTURE, FX, PRICE, PREMIUM, PEERS],
  disclosures: [...ALWAYS, "covered_call", "distribution_not_assured"],
};
