/** Theme funds: the year, the fall, and how rough the way was; concentration is the risk to name. */
import { ALWAYS, FX, PEERS, PREMIUM, PRICE, RISK, SHORT_HISTORY, STRUCTURE, type TypeContract } from "./contract.ts";

export const equityTheme: TypeContract = {
  product_type: "EQUITY_THEME",
  headlines: ["total_return.1y", "max_drawdown.1y", "volatility.1y", "total_expense_ratio", ...SHORT_HISTORY],
  sections: [RISK, STRUCTURE, FX, PRICE, PREMIUM, PEERS],
  disclosures: [...ALWAYS, "concentration"],
};
