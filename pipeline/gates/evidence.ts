/**
 * What gates may look at: JSON documents only, decimals as strings, everything of one instrument. A key that is absent
 * is missing evidence and blocks; a null that is allowed below is a statement and says what it states.
 */
import type { DateText } from "../domain/date.ts";
import type { Market } from "../domain/instant.ts";
import type { MetadataField, PriceBasis } from "../schema/batch.ts";
import type { Chart, Fact, Move } from "../schema/fact.ts";
import type { Instrument } from "../schema/instrument.ts";
import type { Defect, SourceFault, StatedField } from "../schema/observation.ts";
import type { CardComparison } from "../schema/recalculated.ts";

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
}

/** The policy's say in a check: supplied by run.ts from the manifest, never by a caller. */
export interface PolicyRules {
  use: "internal" | "client_delivery";
  jump: string;
  scale_tolerance: string;
  gap_days: number;
  stale_days: number;
  start_gap_days: number;
  cross_check: string;
  expense_ratio_ceiling: string;
  tiles: number;
}

export interface GateEvidence extends SuppliedEvidence {
  rules: PolicyRules;
}
export type EvidenceKey = keyof GateEvidence;
