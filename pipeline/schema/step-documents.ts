/** What the steps of a run leave behind: documents by digest, each the input of the next. */
import type { Locale } from "../domain/locale.ts";
import type { Fact, Move, SideSeries } from "./fact.ts";
import type { Defect, StatedField } from "./observation.ts";
import type { CardComparison } from "./recalculated.ts";
import type { GateDecision, Verdict } from "./verdict.ts";

/** Step `facts`: everything that follows from an instrument's own evidence and its benchmark's. */
export interface InstrumentFacts {
  schema: "instrument_facts/v1";
  instrument: string;
  facts: Fact[];
  /** Digest of a SeriesNotes document: long, and of no use to peers. */
  notes: string;
  /** Digest of the chart; null where there is none, or where it needs the peers' levels and is made with them. */
  chart: string | null;
  cross_check: { adjusted: string; computed: string } | null;
  defects: (Defect & { source_id: string })[];
  metadata: { source_id: string; fields: StatedField[] | null }[];
}

/** Day by day, what the gates look at. */
export interface SeriesNotes {
  schema: "series_notes/v1";
  instrument: string;
  moves: Move[];
  side_series: SideSeries[];
  /** Dates with a bar in the series that returns rest on, within the longest window; for the market's calendar. */
  sessions: string[];
}

/** Step `peers`: all facts, the chart, and what the gates say before anything is drawn. */
export interface Dossier {
  schema: "dossier/v1";
  instrument: string;
  facts: Fact[];
  /** Digest of the research definition's bytes; absent where the product has none. */
  research?: string;
  /** Digest of the chart (schema/fact), or null. */
  chart: string | null;
  /** False when admission refused: nothing is composed or rendered. */
  is_admitted: boolean;
  decisions: GateDecision[];
  verdict: Verdict;
}

/** Step `render`, per locale. Digests are of objects; null where nothing may be drawn. */
export interface Rendered {
  schema: "rendered/v1";
  instrument: string;
  locale: Locale;
  /** Digest of what was composed (schema/composed). */
  composed: string;
  card: string | null;
  html: string | null;
  png: string | null;
  /** Digest of the page as drawn (schema/layout), measured with its picture. */
  layout: string | null;
  height: number;
  band: "BLOCKED" | null;
  /** Characters that the typeface lacks. */
  missing_glyphs: string[];
}

/** Step `verify`: the page read back, compared with the second path, judged. */
export interface Verified {
  schema: "verified/v1";
  instrument: string;
  dossier: string;
  recalculated: string | null;
  locales: {
    locale: Locale;
    composed: string;
    card: string | null;
    html: string | null;
    png: string | null;
    layout: string | null;
    comparison: CardComparison | null;
    content_digest: string | null;
  }[];
  decisions: GateDecision[];
  verdict: Verdict;
}
