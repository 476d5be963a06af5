/**
 * What gates may look at: JSON documents only, decimals as strings, everything of one instrument. A key that is absent
 * is missing evidence and blocks; a null that is allowed below is a statement and says what it states.
 */
import type { DateText } from "../domain/date.ts";
import type { Market } from "../domain/instant.ts";
import type { Locale } from "../domain/locale.ts";
import type { MetadataField, PriceBasis } from "../schema/batch.ts";
import type { CardTerms } from "../schema/card-terms.ts";
import type { CausalEdgeVersion } from "../schema/causal-edge.ts";
import type { ClaimRecord } from "../schema/claim.ts";
import type { Chart, Fact, Move, SideSeries } from "../schema/fact.ts";
import type { Instrument } from "../schema/instrument.ts";
import type { PageLayout } from "../schema/layout.ts";
import type { Lexicon } from "../schema/lexicon.ts";
import type { Defect, SourceFault, StatedField } from "../schema/observation.ts";
import type { Policy } from "../schema/policy.ts";
import type { SearchRecord } from "../schema/query-receipt.ts";
import type { CardComparison } from "../schema/recalculated.ts";
import type { ResearchDefinition } from "../schema/research.ts";
import type { Sentence, Slot } from "../schema/sentence.ts";

type Right = "ALLOW" | "BLOCK" | "INDETERMINATE";

/** One declared file that the instrument's card can rest on: its own, its benchmark's, or rates for conversion. */
export interface DeclaredSource {
  source_id: string;
  /** What its rows are, whatever the adapter (a synthetic source counts as what it produces). */
  kind: "bars" | "distributions" | "fx" | "nav" | "metadata";
  serves: "instrument" | "benchmark" | "conversion";
  /** False where the batch says `missing_file: skip`; `pays_nothing` needs no file either. */
  is_required: boolean;
  rights: { internal: Right; client_delivery: Right };
  /** Declared currency of its amounts; null where the source has none (metadata, rates). */
  currency: string | null;
  /** Price bases of its columns; empty where it holds no prices. */
  bases: PriceBasis[];
  adjusted_through: DateText | null;
  /** Metadata fields that the batch maps; empty for series. */
  declared_fields: MetadataField[];
  /** What was frozen; null when no file could be had. */
  version: {
    evidence_id: string;
    first_usable_at: string;
    quality_state: "USABLE" | "PARTIAL" | "UNUSABLE";
  } | null;
}

/** A product whose series the card rests on, and what blocks those; empty: nothing does. */
export interface Dependency {
  instrument: string;
  role: "benchmark" | "peer";
  blocked_by: { code: string; detail: string }[];
}

export interface SuppliedEvidence {
  /** The batch's terms for this instrument: the instant of knowledge, its market and that market's cutoff. */
  terms: { as_of: string; cutoff: DateText; market: Market; reporting_currency: string };
  instrument: Instrument;
  /** Every declared file that can serve the instrument, present or not, in batch order. */
  sources: DeclaredSource[];
  /** Faults of collection and of the universe that name the instrument, one of its sources, or its row. */
  faults: SourceFault[];
  /** Readers' findings in the files of `sources`. */
  defects: (Defect & { source_id: string })[];
  /** All rows of facts.csv for the instrument, peer facts included. */
  facts: Fact[];
  /** Consecutive day's moves over the longest window with an OK return; empty only when there is no such window. */
  moves: Move[];
  /** Rates, net asset values and payouts beside the closes; empty only when the card rests on none. */
  side_series: SideSeries[];
  /** The benchmark and the peers whose levels or returns stand on the card; empty when it names neither. */
  dependencies: Dependency[];
  /**
   * Sessions within the series on which most other instruments of the market in this batch have a bar and this one has
   * none; those outside the window do not count. Null: too few others to judge by.
   */
  absent_sessions: DateText[] | null;
  /** 1-year total returns from adjusted levels and from closes with distributions; null when only one basis exists. */
  cross_check: { adjusted: string; computed: string } | null;
  /** One entry for each metadata source of `sources` that was frozen; `fields` null when it does not list the product. */
  metadata: { source_id: string; fields: StatedField[] | null }[];
  /** Figure ids of the tiles, as the product type's contract and the facts select them. */
  tiles: string[];
  /** Figure ids of everything printed as a figure or date on the card. */
  figures: string[];
  /** The chart as computed; null when no window of a chart is available. */
  chart: Chart | null;
  /** The page as read back against the second path, for the locale at hand. */
  comparison: CardComparison;
  /** The product's research definition; null: none was declared. */
  research: ResearchDefinition | null;
  /** The causal register as it stood at as_of: one version an id, its history cut there, so that the last entry is its state. */
  causal_edges: CausalEdgeVersion[];
  /** What the card is of, as far as the channel's policy asks, for the locale at hand. */
  card_terms: CardTerms;
  /** The page as drawn, for the locale at hand. */
  layout: PageLayout;
  /** Every sentence at hand, analysed: of the card as drawn, of the research behind it, or of a person who asks. */
  sentences: Sentence[];
  /** The claims among them, with what they rest on. */
  claims: ClaimRecord[];
  /**
   * Each claim as the host prints it and as the page says it, with a place for each figure. `expected` null: the page marks
   * a line as a claim that was not to be drawn.
   */
  drawn_claims: { claim: string; expected: ClaimLine | null; drawn: ClaimLine[] }[];
  /** Receipts of the queries that the claims name. */
  query_receipts: SearchRecord[];
}

/** A sentence with a place `{f1}` where a figure stands. */
export interface ClaimLine {
  text: string;
  slots: Slot[];
}

/** What only the finished page and its sentences give: for the stages `sentences` and `page`. */
export type PageEvidenceKey =
  | "figures"
  | "comparison"
  | "sentences"
  | "claims"
  | "drawn_claims"
  | "query_receipts"
  | "layout"
  | "card_terms";

/** The policy's say in a check: supplied by run.ts from the manifest, never by a caller. */
export interface PolicyRules {
  lexicons: Readonly<Record<Locale, Lexicon>>;
  use: "internal" | "client_delivery";
  jump: string;
  scale_tolerance: string;
  gap_days: number;
  stale_days: number;
  start_gap_days: number;
  cross_check: string;
  expense_ratio_ceiling: string;
  rate_jump: string;
  premium: string;
  payout_share: string;
  turnover: string;
  tiles: number;
  page: PageRules;
}

/** What the page must show and how, as the manifest says it, with the texts of its disclosures. */
export type PageRules = Pick<
  Policy,
  "channel" | "allows" | "legibility" | "performance" | "beside" | "ai_label" | "sentences" | "disclosures"
> & { texts: Readonly<Record<string, Readonly<Record<Locale, string>>>> };

export interface GateEvidence extends SuppliedEvidence {
  rules: PolicyRules;
}
export type EvidenceKey = keyof GateEvidence;
