/**
 * The 1-year total return on each basis, where a product has split-adjusted closes with distributions and a
 * distribution-adjusted series too. Says both values; how far apart they may be is a gate's business.
 */
import { toText } from "../domain/decimal.ts";
import { isUnavailable } from "../domain/outcome.ts";
import type { Window } from "../domain/window.ts";
import { bothTotalReturns } from "./choose.ts";
import type { Levels } from "./levels.ts";
import { type BatchTerms, type InstrumentInputs, spanOf } from "./select.ts";

const WINDOW: Window = "1y";

export interface CrossCheck {
  /** From split-adjusted closes and distributions, which is the fact. */
  computed: string;
  /** From the adjusted series. */
  adjusted: string;
}

export function crossCheck(terms: BatchTerms, self: InstrumentInputs): CrossCheck | null {
  const both = bothTotalReturns(terms, self);
  if (both === null) return null;
  const cutoff = terms.cutoff[self.instrument.market];
  const computed = returnOf(both.built, cutoff);
  const adjusted = returnOf(both.adjusted, cutoff);
  return computed === null || adjusted === null ? null : { computed, adjusted };
}

function returnOf(levels: Levels, cutoff: string): string | null {
  const span = spanOf(levels, WINDOW, cutoff);
  return isUnavailable(span) ? null : toText(levels.level(span.end).div(levels.level(span.start)).minus(1));
}
