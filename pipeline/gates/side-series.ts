/**
 * What stands beside the closes and moves the figures as they do: exchange rates, net asset values, payouts. The jump and
 * scale rules apply to each in its own measure, over the entries that the card can rest on.
 */
import { type Decimal, decimal, ONE, toFixed } from "../domain/decimal.ts";
import { wholeMultiple } from "../domain/whole-multiple.ts";
import type { Fact, SideSeries } from "../schema/fact.ts";
import type { DeclaredSource } from "./evidence.ts";
import { defineGate, examples } from "./gate.ts";

type Measured = Exclude<SideSeries["kind"], "pays_nothing">;
const WORDS: Record<Measured, string> = {
  rate_move: "rate to the one before",
  nav_move: "net asset value to the one before",
  premium: "close to net asset value",
  payout: "payout to the close before",
};
/** What must be there of a source that an OK figure rests on. */
const OF_KIND: Partial<Record<DeclaredSource["kind"], readonly Measured[]>> = {
  fx: ["rate_move"],
  nav: ["nav_move", "premium"],
  distributions: ["payout"],
};

export const sideSeries = defineGate({
  id: "side-series",
  version: 1,
  family: "data",
  stage: "data",
  question: "Do the rates, net asset values and payouts beside the closes move as such series do?",
  needs: ["side_series", "sources", "facts", "instrument", "rules"],
  codes: {
    UNEXPLAINED_JUMP: {
      severity: "REVIEW",
      meaning: "a day's move of a rate or net asset value, or a payout, is larger than the policy's limit for it",
      remedy: "find the day's news or a second source; acknowledge the move with the explanation",
    },
    SCALE_BREAK: {
      severity: "BLOCK",
      meaning: "a rate, a net asset value or a payout is a whole multiple of what it should be near: an error of unit",
      remedy: "check the unit, the currency and the decimals of that row, and supply the series corrected",
    },
    UNIT_CONFLICT: {
      severity: "REVIEW",
      meaning: "close and net asset value are too far apart to be amounts of one unit",
      remedy: "check that both are per unit, in one currency, and before or after the same split",
    },
  },
  check({ side_series, sources, facts, instrument, rules }, report, examined) {
    const exposure = decimal(instrument.exposure_multiple).abs();
    const limits: Record<Measured, Decimal> = {
      rate_move: decimal(rules.rate_jump),
      nav_move: decimal(rules.jump).times(exposure),
      premium: decimal(rules.premium),
      payout: decimal(rules.payout_share),
    };
    examined("series beside the closes");
    for (const absent of unmeasured(sources, facts, side_series)) report("EVIDENCE_MISSING", absent, "is used, unseen");
    for (const { kind, source_id, count, extremes } of side_series) {
      if (kind === "pays_nothing") continue;
      const broken: string[] = [];
      const wide: string[] = [];
      for (const { on, ratio } of extremes) {
        examined(`${source_id} ${on}`);
        const value = decimal(ratio);
        const multiple = kind === "payout" ? null : wholeMultiple(value, decimal(rules.scale_tolerance));
        if (multiple !== null) broken.push(`${on} ratio ${toFixed(value, 4)}, near ${multiple}`);
        else if (kind === "payout" && value.gte(ONE))
          broken.push(`${on} ratio ${toFixed(value, 4)}, more than it cost`);
        else if ((kind === "payout" ? value : value.minus(ONE).abs()).gt(limits[kind])) {
          wide.push(`${on} ratio ${toFixed(value, 4)}`);
        }
      }
      const said = (found: string[]) => `${WORDS[kind]}, of ${count}: ${examples(found)}`;
      if (broken.length > 0) report("SCALE_BREAK", source_id, said(broken));
      const code = kind === "premium" ? "UNIT_CONFLICT" : "UNEXPLAINED_JUMP";
      if (wide.length > 0) report(code, source_id, said(wide));
    }
  },
});

/** Sources of which an OK figure uses a file and nothing was measured. */
function unmeasured(
  sources: readonly DeclaredSource[],
  facts: readonly Fact[],
  side: readonly SideSeries[],
): Set<string> {
  const used = new Set(facts.filter(({ status }) => status === "OK").flatMap(({ evidence }) => evidence));
  const absent = sources.filter(({ kind, serves, source_id, version }) => {
    const wanted = serves === "benchmark" ? [] : (OF_KIND[kind] ?? []);
    const has = (measured: Measured) => side.some((one) => one.kind === measured && one.source_id === source_id);
    return version !== null && used.has(version.evidence_id) && !wanted.every(has);
  });
  return new Set(absent.map(({ source_id }) => source_id));
}
