/**
 * premium.last, premium_on, premium_average.20d and premium_state: close / NAV − 1 of sessions on which one NAV source
 * has both. A NAV retrieved on its own session's day is provisional, and premium_state says so.
 */
import { daysBetween, isDate } from "../domain/date.ts";
import { type Decimal, decimal, mean } from "../domain/decimal.ts";
import { MARKET_HOURS, toLocalMinute } from "../domain/instant.ts";
import { firstReason, isUnavailable, type Reason, unavailable } from "../domain/outcome.ts";
import type { NavSeries } from "../schema/observation.ts";
import { defineFact, isPositive } from "./fact.ts";
import type { SeriesContext } from "./select.ts";

const STALE_DAYS = 10;
export const AVERAGE_SESSIONS = 20;

/** Sessions with both, ascending, of the first NAV source in batch order that is not stale. */
export function navPairs(series: SeriesContext) {
  return series.once("nav pairs", () => {
    const { cutoff, instrument } = series;
    const sources = series.series.filter(
      (one): one is NavSeries => one.kind === "nav" && one.currency === instrument.currency,
    );
    if (sources.length === 0) return unavailable("SOURCE_MISSING");
    const reasons: Reason[] = [];
    for (const source of sources) {
      const both = source.rows
        .filter(
          ({ session, nav, close }) => session <= cutoff && isDate(session) && isPositive(nav) && isPositive(close),
        )
        .sort((one, other) => (one.session < other.session ? -1 : 1));
      const last = both.at(-1);
      if (last === undefined) reasons.push("NO_DATA");
      else if (daysBetween(last.session, cutoff) > STALE_DAYS) reasons.push("STALE");
      else return { source, both };
    }
    return unavailable(firstReason(reasons));
  });
}

function premiumOf(row: { close: string | null; nav: string | null }): Decimal {
  return decimal(row.close!).div(decimal(row.nav!)).minus(1);
}

export const premium = defineFact({
  id: "premium",
  version: 1,
  needs: [],
  compute(series) {
    const found = navPairs(series);
    if (isUnavailable(found)) return found;
    const last = found.both.at(-1)!;
    return { value: premiumOf(last), start: null, end: last.session, evidence: [found.source.evidence_id] };
  },
});

export const premiumOn = defineFact({
  id: "premium_on",
  version: 1,
  needs: [],
  epistemic_type: "OBSERVED",
  compute(series) {
    const found = navPairs(series);
    if (isUnavailable(found)) return found;
    const { session } = found.both.at(-1)!;
    return { value: session, start: null, end: session, evidence: [found.source.evidence_id] };
  },
});

export const premiumAverage = defineFact({
  id: "premium_average",
  version: 1,
  needs: [],
  compute(series) {
    const found = navPairs(series);
    if (isUnavailable(found)) return found;
    const rows = found.both.slice(-AVERAGE_SESSIONS);
    if (rows.length < AVERAGE_SESSIONS) return unavailable("INSUFFICIENT_HISTORY");
    return {
      value: mean(rows.map(premiumOf)),
      start: rows[0]!.session,
      end: rows.at(-1)!.session,
      evidence: [found.source.evidence_id],
    };
  },
});

export const premiumState = defineFact({
  id: "premium_state",
  version: 1,
  needs: [],
  compute(series) {
    const found = navPairs(series);
    if (isUnavailable(found)) return found;
    const { session } = found.both.at(-1)!;
    const zone = MARKET_HOURS[series.instrument.market].zone;
    const retrievedOn = toLocalMinute(found.source.retrieved_at, zone).slice(0, 10);
    return {
      value: retrievedOn === session ? "PROVISIONAL" : "FINAL",
      start: null,
      end: session,
      evidence: [found.source.evidence_id],
    };
  },
});
