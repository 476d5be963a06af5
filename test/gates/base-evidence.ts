/** Evidence of an invented product with which every gate passes, and the small language in which cases change it. */
import { addDays } from "../../pipeline/domain/date.ts";
import { anchorOf, WINDOWS } from "../../pipeline/domain/window.ts";
import type { DeclaredSource, SuppliedEvidence } from "../../pipeline/gates/evidence.ts";
import { CATALOGUE } from "../../pipeline/schema/catalogue.ts";
import { type Fact, figureId, type Move, type SideSeries } from "../../pipeline/schema/fact.ts";
import type { LayoutBox } from "../../pipeline/schema/layout.ts";
import { sentencesOf } from "../../pipeline/schema/research.ts";
import { basePage, box, boxKey } from "./base-page.ts";
import { approvedEdge, baseResearch } from "./base-research.ts";
import { baseClaims, baseReceipts, baseSentences, sentence } from "./base-sentences.ts";

const CUTOFF = "2026-04-30";
const START = "2021-04-30";

/** Values of the OK facts; whatever is not named is NOT_APPLICABLE. Returns compound: 1.1³ = 1.331, 1.1⁵ = 1.61051. */
const VALUES: Record<string, string> = {
  "total_return_annualised.3y": "0.1",
  "total_return_annualised.5y": "0.1",
  last_close: "110",
  high_52w: "120",
  low_52w: "100",
  high_52w_on: "2026-02-02",
  low_52w_on: "2025-06-02",
  position_52w: "0.5",
  "volatility.1y": "0.15",
  "volatility.3y": "0.16",
  "max_drawdown.1y": "-0.1",
  "max_drawdown_peak_on.1y": "2025-07-01",
  "max_drawdown_trough_on.1y": "2025-09-01",
  "max_drawdown_recovery_on.1y": "2025-12-01",
  "benchmark_return.1y": "0.04",
  "benchmark_return.3y": "0.3",
  "benchmark_difference.1y": "0.01",
  "benchmark_difference.3y": "0.031",
  "beta.1y": "0.9",
  "correlation.1y": "0.95",
  "tracking_error.1y": "0.02",
  "distribution_yield.ttm": "0.03",
  "distribution_count.ttm": "4",
  "average_daily_value.20d": "123456789",
  "peer_rank.total_return.1y": "2",
  "peer_count.total_return.1y": "5",
  total_expense_ratio: "0.0009",
  fund_net_assets: "1420000000000",
  inception_on: "2010-01-04",
  end_session: CUTOFF,
  cutoff_on: CUTOFF,
  known_at: "2026-05-03T23:00:00.000Z",
  metadata_retrieved_on: "2026-05-02",
};
for (const window of WINDOWS) {
  VALUES[`total_return.${window}`] = window === "5y" ? "0.61051" : window === "3y" ? "0.331" : "0.05";
  VALUES[`price_return.${window}`] = "0.04";
  VALUES[`fx_change.${window}`] = "0.02";
  VALUES[`total_return_reporting.${window}`] = window === "5y" ? "0.6427202" : window === "3y" ? "0.35762" : "0.071";
  VALUES[`peer_median.total_return.${window}`] = "0.045";
  VALUES[`start_session.${window}`] = anchorOf(window, CUTOFF) ?? "2026-04-29";
}

export function baseEvidence(): SuppliedEvidence {
  const facts = CATALOGUE.flatMap((entry) => entry.windows.map((window) => baseFact(entry, window)));
  const printed = facts.filter(({ status }) => status === "OK").map(figureId);
  return {
    terms: { as_of: "2026-05-03T23:00:00.000Z", cutoff: CUTOFF, market: "US", reporting_currency: "KRW" },
    instrument: {
      instrument: "US:VRDNT",
      market: "US",
      ticker: "VRDNT",
      isin: "US0000000018",
      name_ko: "버던트 라지캡 ETF",
      name_en: "Verdant Large Cap ETF",
      issuer: "Verdant Funds",
      currency: "USD",
      product_type: "EQUITY_INDEX",
      peer_group: "US_LARGE_CAP",
      benchmark: "US:OLDOK",
      exposure_multiple: "1",
      fx_hedged: false,
    },
    sources: [
      source("us-bars", "bars", "instrument"),
      source("us-distributions", "distributions", "instrument"),
      source("us-profile", "metadata", "instrument"),
      source("us-bars", "bars", "benchmark"),
      source("us-distributions", "distributions", "benchmark"),
      source("usdkrw", "fx", "conversion"),
    ],
    faults: [],
    defects: [],
    facts,
    moves: weeklyMoves(),
    side_series: [
      side("rate_move", "usdkrw", 1300, "1.021"),
      side("nav_move", "us-nav", 20, "0.991"),
      side("premium", "us-nav", 20, "1.004"),
      side("payout", "us-distributions", 40, "0.0061"),
    ],
    dependencies: [
      { instrument: "US:OLDOK", role: "benchmark", blocked_by: [] },
      { instrument: "US:PEERA", role: "peer", blocked_by: [] },
    ],
    absent_sessions: [],
    cross_check: { adjusted: "0.0512", computed: "0.05" },
    metadata: [
      {
        source_id: "us-profile",
        fields: [stated("isin", "US0000000018"), stated("name_en", "Verdant Large Cap  ETF")],
      },
    ],
    tiles: ["total_return.1y", "max_drawdown.1y", "total_expense_ratio"],
    figures: printed,
    chart: {
      window: "5y",
      start_session: START,
      end_session: CUTOFF,
      thinning: "every-nth/v1",
      lines: [
        {
          kind: "total_return",
          points: [
            { session: START, level: "100" },
            { session: CUTOFF, level: "161.051" },
          ],
        },
      ],
    },
    research: baseResearch(),
    causal_edges: [approvedEdge()],
    sentences: baseSentences(),
    claims: baseClaims(),
    drawn_claims: [],
    query_receipts: baseReceipts(),
    ...basePage("en-US"),
    comparison: {
      rows: printed.map((figure, index) => ({
        instrument: "US:VRDNT",
        figure,
        where: index < 3 ? `tiles/${index + 1}` : `facts/${index}`,
        printed: VALUES[figure]!,
        recalculated: VALUES[figure]!,
        match: true,
        formula: figure,
      })),
      counts: {
        tiles: { shown: 3, recalculated: 3, matched: 3 },
        numerals: {
          shown: printed.length,
          bound: printed.length,
          recalculated: printed.length,
          matched: printed.length,
        },
        numerals_other: { label: 12, entity: 3, identifier: 4, ordinal: 0, legal: 9, unclassified: 0 },
        chart_points: { drawn: 2, recalculated: 2, matched: 2 },
      },
      unclassified: [],
    },
  };
}

function baseFact(entry: (typeof CATALOGUE)[number], window: string): Fact {
  const value = VALUES[figureId({ fact: entry.fact, window })] ?? null;
  const isWindowed = (WINDOWS as readonly string[]).includes(window);
  const session = WINDOWS.find((candidate) => candidate === window);
  const onBars = /^(price_return|total_return|volatility|max_drawdown|last_close|high_52w|low_52w|position_52w)/;
  return {
    schema: "fact/v1",
    instrument: "US:VRDNT",
    fact: entry.fact,
    window,
    status: value === null ? "UNAVAILABLE" : "OK",
    reason: value === null ? "NOT_APPLICABLE" : null,
    value,
    unit: entry.unit,
    currency: entry.in_currency ? "USD" : null,
    print_rule: entry.print_rule,
    start_session: value !== null && isWindowed ? (anchorOf(session!, CUTOFF) ?? "2026-04-29") : null,
    end_session: value !== null && isWindowed ? CUTOFF : null,
    formula: `${entry.fact}/1`,
    epistemic_type: "DERIVED",
    evidence: value === null ? [] : evidenceOf(entry.fact, onBars),
    source_id: null,
    stated_on: null,
  };
}

function evidenceOf(fact: string, onBars: RegExp): string[] {
  if (fact === "distribution_yield") return ["us-bars:instrument", "us-distributions:instrument"];
  if (fact === "average_daily_value") return ["us-bars:instrument"];
  if (!onBars.test(fact)) return [];
  return /^(price|last|high|low|position)/.test(fact)
    ? ["us-bars:instrument"]
    : ["us-bars:instrument", "us-distributions:instrument"];
}

function source(source_id: string, kind: DeclaredSource["kind"], serves: DeclaredSource["serves"]): DeclaredSource {
  return {
    source_id,
    kind,
    serves,
    is_required: true,
    rights: { internal: "ALLOW", client_delivery: "INDETERMINATE" },
    currency: kind === "bars" || kind === "distributions" ? "USD" : null,
    bases: kind === "bars" ? ["split_adjusted", "distribution_adjusted"] : [],
    adjusted_through: null,
    declared_fields: kind === "metadata" ? ["isin", "name_en"] : [],
    version: {
      evidence_id: `${source_id}:${serves}`,
      first_usable_at: "2026-05-03T22:18:07.000Z",
      quality_state: "USABLE",
    },
  };
}

function side(kind: SideSeries["kind"], source_id: string, count: number, ratio: string): SideSeries {
  return { kind, source_id, count, extremes: [{ on: "2026-02-06", ratio }] };
}

function stated(field: "isin" | "name_en", value: string) {
  return { field, value, stated: value, currency: null, row: 1 };
}

/** One session a week keeps the cases small; the holes of seven days are none. */
function weeklyMoves(): Move[] {
  const moves: Move[] = [];
  for (let previous = START; previous < CUTOFF; ) {
    const next = addDays(previous, 7);
    const session = next > CUTOFF ? CUTOFF : next;
    moves.push({ session, previous_session: previous, price_ratio: "1.001", total_ratio: "1.0012" });
    previous = session;
  }
  return moves;
}

/**
 * A case's `evidence`: objects merge, `"$absent"` removes the key. Lists named below are addressed by their key: a value
 * merges into that item, `"$absent"` removes it, an unknown key adds one. `layout` addresses its boxes so. Other lists
 * replace.
 */
const ITEM_KEYS: Record<string, (item: never) => string> = {
  facts: (item: Fact) => figureId(item),
  moves: (item: Move) => item.session,
  sources: (item: DeclaredSource) => `${item.source_id}:${item.serves}`,
  metadata: (item: { source_id: string }) => item.source_id,
  side_series: (item: SideSeries) => item.kind,
  dependencies: (item: { instrument: string }) => item.instrument,
  causal_edges: (item: { id: string }) => item.id,
  sentences: (item: { id: string }) => item.id,
  claims: (item: { id: string }) => item.id,
  query_receipts: (item: { receipt_id: string }) => item.receipt_id,
};
const ABSENT = "$absent";

export function changed(patch: Record<string, unknown>): Partial<SuppliedEvidence> {
  const evidence = structuredClone(baseEvidence()) as unknown as Record<string, unknown>;
  for (const [key, change] of Object.entries(patch)) {
    if (change === ABSENT) delete evidence[key];
    else if (key in ITEM_KEYS && isObject(change)) {
      evidence[key] = mergeItems(evidence[key] as object[], change, ITEM_KEYS[key] as (item: object) => string, key);
    } else if (key === "layout" && isObject(change)) {
      const layout = evidence.layout as SuppliedEvidence["layout"];
      evidence.layout = { ...layout, boxes: mergeBoxes(layout.boxes, change) };
    } else evidence[key] = merged(evidence[key], change);
  }
  const given = evidence as Partial<SuppliedEvidence>;
  if (given.sentences === undefined) return given;
  // As the run supplies them: the sentences of the research are among those of the card.
  const research = given.research ? sentencesOf(given.research).map(({ sentence: said }) => said) : [];
  const ofResearch = research.map(({ id, text, type, causal_edge = null }) => {
    return sentence({
      id: `research/${id}`,
      kind: "research",
      locale: "en-US",
      text: text["en-US"],
      type,
      causal_edge,
    });
  });
  return { ...given, sentences: [...given.sentences.map(sentence), ...ofResearch] };
}

/** Boxes are addressed by disclosure, figure or text; one that is added is whole but for what it says. */
function mergeBoxes(boxes: LayoutBox[], changes: Record<string, unknown>): LayoutBox[] {
  const known = new Set(boxes.map(boxKey));
  const whole = Object.entries(changes).map(([key, change]): [string, unknown] => [
    key,
    known.has(key) || !isObject(change) ? change : box(change),
  ]);
  return mergeItems(boxes, Object.fromEntries(whole), boxKey as (item: object) => string, "boxes") as LayoutBox[];
}

function mergeItems(
  items: object[],
  changes: Record<string, unknown>,
  keyOf: (item: object) => string,
  list: string,
): object[] {
  const keys = items.map(keyOf);
  const kept = items.flatMap((item, index) => {
    const change = changes[keys[index]!];
    return change === ABSENT ? [] : [merged(item, change) as object];
  });
  const added = Object.entries(changes).filter(([key]) => !keys.includes(key));
  if (added.some(([, change]) => change === ABSENT)) throw new Error(`${list} has no ${added.map(([key]) => key)}`);
  return [...kept, ...added.map(([, item]) => item as object)];
}

function merged(base: unknown, change: unknown): unknown {
  if (change === undefined) return base;
  if (!isObject(base) || !isObject(change)) return change;
  const keys = [...new Set([...Object.keys(base), ...Object.keys(change)])];
  return Object.fromEntries(keys.map((key) => [key, merged(base[key], change[key])]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
