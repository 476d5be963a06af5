/** Commodities: the year, the worst fall, and the currency; futures cost more than the spot chart shows. */
import { ALWAYS, FX, PEERS, PREMIUM, PRICE, RISK, SHORT_HISTORY, STRUCTURE, type TypeContract } from "./contract.ts";

export const commodity: TypeContract = {
  product_type: "COMMODITY",
  headlines: [
    "total_return.1y",
    "max_drawdown.1y",
    "fx_change.1y",
    "volatility.1y",
    "total_expense_ratio",
    ...SHORT_HISTORY,
  ],
  sections: [RISK, STRUCTURE, FX, PRICE, PREMIUM, PEERS],
  disclosures: [...ALWAYS, "commodity_futures"],
};
