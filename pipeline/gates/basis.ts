/**
 * Price bases never mix: each figure rests on one price series of the product, on a basis that its definition accepts.
 * Adjusted levels with distributions on top would count each payout twice.
 */
import type { PriceBasis } from "../schema/batch.ts";
import { figureId } from "../schema/fact.ts";
import { defineGate, examples } from "./gate.ts";

const PRICE_ONLY: readonly PriceBasis[] = ["split_adjusted"];
const LEVELS: readonly PriceBasis[] = ["split_adjusted", "as_traded"];
const TOTAL: readonly PriceBasis[] = ["split_adjusted", "distribution_adjusted"];
const ACCEPTED: Record<string, readonly PriceBasis[]> = {
  price_return: PRICE_ONLY,
  last_close: LEVELS,
  high_52w: LEVELS,
  low_52w: LEVELS,
  position_52w: LEVELS,
  distribution_yield: LEVELS,
  average_daily_value: LEVELS,
  total_return: TOTAL,
  volatility: TOTAL,
  max_drawdown: TOTAL,
};

export const basis = defineGate({
  id: "basis",
  version: 1,
  family: "numbers",
  stage: "data",
  question: "Does each figure rest on one series of a basis that its definition accepts?",
  needs: ["facts", "sources"],
  codes: {
    BASIS_MIXED: {
      severity: "BLOCK",
      meaning: "a figure rests on several price series, or on a basis that its definition does not accept",
      remedy: "declare the true basis of each column in the batch; find out which series the figure was made from",
    },
  },
  check({ facts, sources }, report, examined) {
    const own = sources.filter(({ serves, version }) => serves === "instrument" && version !== null);
    const series = new Map(
      own.filter(({ kind }) => kind === "bars").map((source) => [source.version!.evidence_id, source]),
    );
    const payouts = new Set(
      own.filter(({ kind }) => kind === "distributions").map((source) => source.version!.evidence_id),
    );
    const wrong: string[] = [];
    for (const fact of facts) {
      const accepted = ACCEPTED[fact.fact];
      if (accepted === undefined) continue;
      examined(figureId(fact));
      if (fact.status !== "OK") continue;
      const used = fact.evidence.flatMap((id) => series.get(id) ?? []);
      if (used.length !== 1) {
        wrong.push(`${figureId(fact)} rests on ${used.length} price series of the product`);
        continue;
      }
      const { bases, source_id } = used[0]!;
      const hasPayouts = fact.evidence.some((id) => payouts.has(id));
      const wanted = hasPayouts ? accepted.filter((candidate) => candidate !== "distribution_adjusted") : accepted;
      if (!bases.some((found) => wanted.includes(found))) {
        const why = hasPayouts ? "with distributions counted on top" : "which it does not accept";
        wrong.push(`${figureId(fact)} rests on ${source_id} (${bases.join(", ") || "no basis"}) ${why}`);
      }
    }
    if (wrong.length > 0) report("BASIS_MIXED", "price series", examples(wrong));
  },
});
