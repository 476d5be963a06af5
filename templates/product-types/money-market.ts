/** Money market: no drama is the point, so what it earned, what it costs and what it pays. */
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

export const moneyMarket: TypeContract = {
  product_type: "MONEY_MARKET",
  headlines: [
    "total_return.1y",
    "total_expense_ratio",
    "distribution_yield.ttm",
    "volatility.1y",
    "max_drawdown.1y",
    ...SHORT_HISTORY,
  ],
  sections: [RISK, DISTRIBUTIONS, STRUCTURE, FX, PRICE, PREMIUM, PEERS],
  disclosures: [...ALWAYS, "money_market"],
};
