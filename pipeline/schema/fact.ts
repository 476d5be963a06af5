/** One figure of one instrument: exact value, printed value, window with both sessions, formula, evidence. */
import { z } from "zod";
import { REASONS } from "../domain/outcome.ts";
import { PRINT_RULES } from "../domain/print.ts";

export const UNITS = ["ratio", "price", "money", "count", "rank", "number", "date", "instant", "text"] as const;

export const factSchema = z.strictObject({
  schema: z.literal("fact/v1"),
  instrument: z.string(),
  /** Catalogue id before its last dot, and the window after it (empty for `last_close` and the like). */
  fact: z.string(),
  window: z.string(),
  status: z.enum(["OK", "UNAVAILABLE"]),
  reason: z.enum(REASONS).nullable(),
  /** Exact decimal, date or text; null when UNAVAILABLE. */
  value: z.string().nullable(),
  unit: z.enum(UNITS),
  currency: z.string().nullable(),
  print_rule: z.enum(PRINT_RULES),
  start_session: z.string().nullable(),
  end_session: z.string().nullable(),
  /** Formula id and version, such as `total_return/1`. */
  formula: z.string(),
  epistemic_type: z.enum(["OBSERVED", "REPORTED", "DERIVED"]),
  /** Evidence ids (digests of SOURCE_VERSIONs) that the value rests on, in source order. */
  evidence: z.array(z.string()),
  /** For REPORTED facts: source id and retrieval date. */
  source_id: z.string().nullable(),
  stated_on: z.string().nullable(),
});
export type Fact = z.infer<typeof factSchema>;

/** Figure id: `total_return.1y`, or `last_close` where there is no window. */
export function figureId(fact: { fact: string; window: string }): string {
  return fact.window === "" ? fact.fact : `${fact.fact}.${fact.window}`;
}

/** One line of a chart before thinning is drawn: levels at sessions, exact decimals. */
export interface ChartLine {
  kind: "total_return" | "benchmark" | "peer_median" | "drawdown";
  points: { session: string; level: string }[];
}
/** Levels rebased to 100 at the first session; drawdown as a ratio ≤ 0. Thinned by the named rule. */
export interface Chart {
  window: string;
  start_session: string;
  end_session: string;
  thinning: string;
  lines: ChartLine[];
}

/**
 * A series beside the closes, for the jump gates: how many of its entries the card can rest on, and the ten farthest from
 * what is usual, farthest first. `ratio`: of a rate or net asset value to the one before, of a close to its net asset
 * value, of a payout to the close before it. `pays_nothing` is a statement of the batch and has no entries.
 */
export interface SideSeries {
  kind: "rate_move" | "nav_move" | "premium" | "payout" | "pays_nothing";
  source_id: string;
  count: number;
  extremes: { on: string; ratio: string }[];
}

/** A day's move, for the jump gates: exact ratios P(t)/P(t−1) and TRI(t)/TRI(t−1); null where that basis is absent. */
export interface Move {
  session: string;
  previous_session: string;
  price_ratio: string | null;
  total_ratio: string | null;
}
