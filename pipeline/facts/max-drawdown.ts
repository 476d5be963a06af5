/**
 * max_drawdown.{1y,3y,5y} = min over sessions of TRI(t) / highest TRI so far − 1, and the sessions of its peak (the
 * earliest at that level), its trough (the earliest if tied) and its recovery (first at or above the peak afterwards).
 */
import { type Decimal, ZERO } from "../domain/decimal.ts";
import { isUnavailable, unavailable } from "../domain/outcome.ts";
import type { Window } from "../domain/window.ts";
import { defineFact, type FactDefinition } from "./fact.ts";
import type { SeriesContext } from "./select.ts";

interface Drawdown {
  start: string;
  end: string;
  evidence: readonly string[];
  /** Null where the level never fell below an earlier one. */
  worst: { depth: Decimal; peak: string; trough: string; recovery: string | null } | null;
}

function drawdown(series: SeriesContext, window: string) {
  return series.once(`drawdown ${window}`, () => {
    const levels = series.totalReturn();
    if (isUnavailable(levels)) return levels;
    const span = series.span(levels, window as Window);
    if (isUnavailable(span)) return span;
    let peak = span.start;
    let depth = ZERO;
    let worst: { peak: number; trough: number } | null = null;
    let lowest = span.start;
    for (let index = span.start + 1; index <= span.end; index++) {
      const level = levels.level(index);
      if (level.gt(levels.level(peak))) {
        peak = index;
        lowest = index;
      } else if (level.lt(levels.level(lowest))) {
        // Only a new low under this peak can be a deeper fall; the division is spared for all other sessions.
        lowest = index;
        const fall = level.div(levels.level(peak)).minus(1);
        if (rounded(fall).lt(rounded(depth))) {
          depth = fall;
          worst = { peak, trough: index };
        }
      }
    }
    const at = (index: number) => levels.sessions[index]!;
    const common = { start: at(span.start), end: at(span.end), evidence: levels.evidence };
    if (worst === null) return { ...common, worst: null } satisfies Drawdown;
    const top = levels.level(worst.peak);
    let recovery = worst.trough + 1;
    while (recovery <= span.end && levels.level(recovery).lt(top)) recovery++;
    return {
      ...common,
      worst: {
        depth,
        peak: at(worst.peak),
        trough: at(worst.trough),
        recovery: recovery <= span.end ? at(recovery) : null,
      },
    } satisfies Drawdown;
  });
}

/** Equal falls from different peaks must be equal here, whatever the last digit of their divisions. */
function rounded(fall: Decimal): Decimal {
  return fall.toDP(30);
}

export const maxDrawdown = defineFact({
  id: "max_drawdown",
  version: 1,
  needs: [],
  compute(series, window) {
    const found = drawdown(series, window);
    if (isUnavailable(found)) return found;
    const { worst, ...common } = found;
    return { ...common, value: worst?.depth ?? ZERO };
  },
});

function defineSession(id: string, wanted: "peak" | "trough" | "recovery"): FactDefinition {
  return defineFact({
    id,
    version: 1,
    needs: [],
    compute(series, window) {
      const found = drawdown(series, window);
      if (isUnavailable(found)) return found;
      const { worst, ...common } = found;
      if (worst === null) return unavailable("NOT_APPLICABLE");
      const session = worst[wanted];
      return session === null ? unavailable("NOT_RECOVERED") : { ...common, value: session };
    },
  });
}

export const maxDrawdownPeakOn = defineSession("max_drawdown_peak_on", "peak");
export const maxDrawdownTroughOn = defineSession("max_drawdown_trough_on", "trough");
export const maxDrawdownRecoveryOn = defineSession("max_drawdown_recovery_on", "recovery");
