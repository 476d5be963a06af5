/** Bonds: return, how much it moved, and the currency. */
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

export const bond: TypeContract = {
  product_type: "BOND",
  headlines: [
    "total_return.1y",
    "volatility.1y",
    "fx_change.1y",
    "max_drawdown.1y",
    "total_expense_ratio",
    ...SHORT_HISTORY,
  ],
  sections: [RISK, DISTRIBUTIONS, STRUCTURE, FX, PRICE, PREMIUM, PEERS],
  disclosures: [...ALWAYS, "bond_rate"],
};
