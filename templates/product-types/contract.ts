/**
 * The shape of a product type's contract, and the parts that types share: which headline figures answer the client's
 * question, which sections follow, which disclosures are required. Holds no words and no values.
 */
import type { ProductType } from "../../pipeline/schema/instrument.ts";

export const SECTION_IDS = [
  "multiple",
  "risk",
  "distributions",
  "structure",
  "fx",
  "price",
  "premium",
  "peers",
] as const;
export type SectionId = (typeof SECTION_IDS)[number];

/** A figure id, or alternatives of which the first that is OK is shown (none: the first, with its reason). */
export type SectionFigure = string | readonly [string, ...string[]];

export interface SectionContract {
  id: SectionId;
  figures: readonly SectionFigure[];
}

export interface TypeContract {
  product_type: ProductType;
  /** Figure ids in order: the first three that are OK are the tiles, the first of them dominant. */
  headlines: readonly string[];
  sections: readonly SectionContract[];
  /** Disclosure ids that this type always carries; what depends on the instrument is added by the card view. */
  disclosures: readonly string[];
}

export const RISK: SectionContract = {
  id: "risk",
  figures: [
    "volatility.1y",
    "volatility.3y",
    "max_drawdown.1y",
    ["max_drawdown.5y", "max_drawdown.3y"],
    "beta.1y",
    "correlation.1y",
    "tracking_error.1y",
  ],
};

/** Beta and correlation of a multiple say little that the multiple does not. */
export const RISK_OF_A_MULTIPLE: SectionContract = {
  id: "risk",
  figures: ["volatility.1y", "volatility.3y", "max_drawdown.1y", ["max_drawdown.5y", "max_drawdown.3y"]],
};

export const MULTIPLE: SectionContract = {
  id: "multiple",
  figures: [
    "total_return.1y",
    "benchmark_return.1y",
    "multiple_gap.1y",
    "multiple_compounded.1y",
    "multiple_residual.1y",
    "tracking_error.1y",
  ],
};

export const STRUCTURE: SectionContract = {
  id: "structure",
  figures: [
    "underlying_index",
    "total_expense_ratio",
    ["net_assets", "fund_net_assets"],
    ["listed_on", "inception_on"],
    "tax_type",
    "risk_grade",
  ],
};

/** A rate alone misleads: what it did to total return and to the price stands beneath it. */
export const DISTRIBUTIONS: SectionContract = {
  id: "distributions",
  figures: [
    "distribution_yield.ttm",
    "distribution_count.ttm",
    "total_return.1y",
    "price_return.1y",
    "price_return.3y",
  ],
};

export const FX: SectionContract = {
  id: "fx",
  figures: ["fx_change.1y", "total_return.1y", "total_return_reporting.1y"],
};

export const PRICE: SectionContract = {
  id: "price",
  figures: ["last_close", "high_52w", "low_52w", "position_52w", "average_daily_value.20d"],
};

export const PREMIUM: SectionContract = { id: "premium", figures: ["premium.last", "premium_average.20d"] };

export const PEERS: SectionContract = {
  id: "peers",
  figures: ["peer_rank.total_return.1y", "peer_count.total_return.1y", "peer_median.total_return.1y"],
};

/** What fills the tiles of a product too young, or too thinly sourced, for its own questions. */
export const SHORT_HISTORY = ["total_return.ytd", "total_return.6m", "total_return.3m", "total_return.1m"] as const;

export const ALWAYS = ["past_performance", "principal_loss", "not_deposit", "fees", "total_return_basis"] as const;
