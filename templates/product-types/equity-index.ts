/** Index funds: what it earned in a year, how far it fell, what it costs. */
import { ALWAYS, FX, PEERS, PREMIUM, PRICE, RISK, SHORT_HISTORY, STRUCTURE, type TypeContract } from "./contract.ts";

export const equityIndex: TypeContract = {
  product_type: "EQUITY_INDEX",
  headlines: ["total_return.1y", "max_drawdown.1y", "total_expense_ratio", "volatility.1y", ...SHORT_HISTORY],
  sections: [RISK, STRUCTURE, FX, PRICE, PREMIUM, PEERS],
  disclosures: [...ALWAYS],
};
