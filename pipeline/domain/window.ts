/** The windows of the catalogue and their anchors, counted back from the cutoff date. */
import { addDays, addMonths, type DateText } from "./date.ts";

export const WINDOWS = ["1d", "1w", "1m", "3m", "6m", "ytd", "1y", "3y", "5y"] as const;
export type Window = (typeof WINDOWS)[number];

/** Windows from the longest to the shortest that a chart may span. */
export const CHART_WINDOWS = ["5y", "3y", "1y", "6m", "3m", "1m"] as const satisfies readonly Window[];

const MONTHS: Partial<Record<Window, number>> = { "1m": 1, "3m": 3, "6m": 6, "1y": 12, "3y": 36, "5y": 60 };

/** The anchor date of a window; undefined for `1d`, whose start is the session before the end session. */
export function anchorOf(window: Window, cutoff: DateText): DateText | undefined {
  if (window === "1d") return undefined;
  if (window === "1w") return addDays(cutoff, -7);
  if (window === "ytd") return `${Number(cutoff.slice(0, 4)) - 1}-12-31`;
  return addMonths(cutoff, -MONTHS[window]!);
}
