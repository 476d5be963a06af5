/**
 * The catalogue: every fact with its windows, unit and print rule, in the order of facts.csv. Definitions are the
 * design's facts page; ids below the line are ours, so that every date and stated figure on a card has its row.
 */
import type { PrintRule } from "../domain/print.ts";
import { WINDOWS } from "../domain/window.ts";
import type { UNITS } from "./fact.ts";

export interface CatalogueEntry {
  fact: string;
  windows: readonly string[];
  unit: (typeof UNITS)[number];
  print_rule: PrintRule;
  /** Whether the value is in the instrument's currency. */
  in_currency: boolean;
}

const NONE = [""] as const;

function entry(
  fact: string,
  windows: readonly string[],
  unit: CatalogueEntry["unit"],
  print_rule: PrintRule,
  in_currency = false,
): CatalogueEntry {
  return { fact, windows, unit, print_rule, in_currency };
}

export const CATALOGUE: readonly CatalogueEntry[] = [
  entry("price_return", WINDOWS, "ratio", "percent_signed"),
  entry("total_return", WINDOWS, "ratio", "percent_signed"),
  entry("total_return_annualised", ["3y", "5y"], "ratio", "percent_signed"),
  entry("fx_change", WINDOWS, "ratio", "percent_signed"),
  entry("total_return_reporting", WINDOWS, "ratio", "percent_signed"),
  entry("last_close", NONE, "price", "price", true),
  entry("high_52w", NONE, "price", "price", true),
  entry("low_52w", NONE, "price", "price", true),
  entry("high_52w_on", NONE, "date", "date"),
  entry("low_52w_on", NONE, "date", "date"),
  entry("position_52w", NONE, "ratio", "percent_1"),
  entry("volatility", ["1y", "3y"], "ratio", "percent"),
  entry("max_drawdown", ["1y", "3y", "5y"], "ratio", "percent"),
  entry("max_drawdown_peak_on", ["1y", "3y", "5y"], "date", "date"),
  entry("max_drawdown_trough_on", ["1y", "3y", "5y"], "date", "date"),
  entry("max_drawdown_recovery_on", ["1y", "3y", "5y"], "date", "date"),
  entry("benchmark_return", ["1y", "3y"], "ratio", "percent_signed"),
  entry("benchmark_difference", ["1y", "3y"], "ratio", "points_signed"),
  entry("beta", ["1y"], "number", "number_2"),
  entry("correlation", ["1y"], "number", "number_2"),
  entry("tracking_error", ["1y"], "ratio", "percent"),
  entry("multiple_compounded", ["1y"], "ratio", "percent_signed"),
  entry("multiple_residual", ["1y"], "ratio", "points_signed"),
  entry("multiple_gap", ["1y"], "ratio", "points_signed"),
  entry("distribution_yield", ["ttm"], "ratio", "percent"),
  entry("distribution_count", ["ttm"], "count", "count"),
  entry("average_daily_value", ["20d"], "money", "money", true),
  entry("premium", ["last"], "ratio", "percent_signed"),
  entry("premium_on", NONE, "date", "date"),
  entry("premium_average", ["20d"], "ratio", "percent_signed"),
  entry("peer_rank.total_return", ["1y"], "rank", "rank"),
  entry("peer_count.total_return", ["1y"], "count", "count"),
  entry("peer_median.total_return", WINDOWS, "ratio", "percent_signed"),
  entry("total_expense_ratio", NONE, "ratio", "percent_stated"),
  entry("net_assets", NONE, "money", "money_large", true),
  entry("fund_net_assets", NONE, "money", "money_large", true),
  entry("listed_on", NONE, "date", "date"),
  entry("inception_on", NONE, "date", "date"),
  entry("tax_type", NONE, "text", "text"),
  entry("risk_grade", NONE, "text", "text"),
  entry("underlying_index", NONE, "text", "text"),
  // ---- ours ----
  /** First session of total_return.W; its reason when that is unavailable. */
  entry("start_session", WINDOWS, "date", "date"),
  /** Last session of the series that total_return rests on. */
  entry("end_session", NONE, "date", "date"),
  /** The batch's cutoff for the instrument's market, and its as_of. */
  entry("cutoff_on", NONE, "date", "date"),
  entry("known_at", NONE, "instant", "instant"),
  /** UTC date of the most recent retrieval among the metadata sources that state anything of the instrument. */
  entry("metadata_retrieved_on", NONE, "date", "date"),
  /** UTC dates on which the sources of these REPORTED figures were retrieved. */
  entry("total_expense_ratio_on", NONE, "date", "date"),
  entry("net_assets_on", NONE, "date", "date"),
  entry("fund_net_assets_on", NONE, "date", "date"),
  /** PROVISIONAL when the NAV was retrieved on its own session's date in the market's zone, else FINAL. */
  entry("premium_state", NONE, "text", "text"),
];

/** What each source states as total expense ratio: one row per such source, the window is the source id. */
export const STATED_EXPENSE_RATIO = entry("total_expense_ratio_stated", NONE, "ratio", "percent_stated");

/**
 * Chart definition. Window: the first of CHART_WINDOWS whose total_return is OK; none: no chart. Sessions: those of the
 * total-return series in [start, end]. Lines: `total_return` TRI(t)/TRI(start)×100; `benchmark` where the universe names
 * one: its level at t by the benchmark rule / that at start × 100 (no line when there is none at start; a session where
 * it is stale or lacks FX is left out of the line); `peer_median` only where no benchmark is named: median over the
 * *other* members of the peer group in the same market with total_return.<window> OK of TRI(last session ≤ t)/TRI(their
 * start session)×100, at least 3 of them, else no line; `drawdown` TRI(t)/max(TRI from start to t)−1.
 * Thinning `every-nth/v1`: n = ceil(sessions/360); kept: index mod n = 0 (from 0), the last, and for each line the
 * earliest session of its highest and of its lowest level. The kept sessions are the same for every line.
 */
export const THINNING = "every-nth/v1";
export const THINNING_TARGET = 360;
/** Members other than the instrument that a peer median line needs; and values that a peer fact needs. */
export const PEER_MINIMUM = 3;
