/** Leverage: what the year made, what the comparison made, and how far that is from the simple multiple. */
import {
  ALWAYS,
  FX,
  MULTIPLE,
  PEERS,
  PREMIUM,
  PRICE,
  RISK_OF_A_MULTIPLE,
  SHORT_HISTORY,
  STRUCTURE,
  type TypeContract,
} from "./contract.ts";

export const leveraged: TypeContract = {
  product_type: "LEVERAGED",
  headlines: [
    "total_return.1y",
    "benchmark_return.1y",
    "multiple_gap.1y",
    "max_drawdown.1y",
    "multiple_compounded.1y",
    "volatility.1y",
    "total_expense_ratio",
    ...SHORT_HISTORY,
  ],
  sections: [MULTIPLE, RISK_OF_A_MULTIPLE, STRUCTURE, FX, PRICE, PREMIUM, PEERS],
  disclosures: [...ALWAYS, "leverage_daily_reset"],
};
