/** Income funds: the rate stands beside total return and price, never alone; a rate by itself is what misleads. */
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

export const dividend: TypeContract = {
  product_type: "DIVIDEND",
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
  disclosures: [...ALWAYS, "distribution_not_assured"],
};
