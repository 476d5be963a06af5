/** Crypto: the year, the fall and the swings, in that order and at full size. */
import { ALWAYS, FX, PEERS, PREMIUM, PRICE, RISK, SHORT_HISTORY, STRUCTURE, type TypeContract } from "./contract.ts";

export const crypto: TypeContract = {
  product_type: "CRYPTO",
  headlines: [
    "total_return.1y",
    "max_drawdown.1y",
    "volatility.1y",
    "fx_change.1y",
    "total_expense_ratio",
    ...SHORT_HISTORY,
  ],
  sections: [RISK, STRUCTURE, FX, PRICE, PREMIUM, PEERS],
  disclosures: [...ALWAYS, "crypto", "concentration"],
};
