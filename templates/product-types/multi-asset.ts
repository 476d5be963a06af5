/** Multi-asset: did the mix earn its keep, and did it soften the fall. */
import { ALWAYS, FX, PEERS, PREMIUM, PRICE, RISK, SHORT_HISTORY, STRUCTURE, type TypeContract } from "./contract.ts";

export const multiAsset: TypeContract = {
  product_type: "MULTI_ASSET",
  headlines: ["total_return.1y", "max_drawdown.1y", "volatility.1y", "total_expense_ratio", ...SHORT_HISTORY],
  sections: [RISK, STRUCTURE, FX, PRICE, PREMIUM, PEERS],
  disclosures: [...ALWAYS],
};
