/** What the second path found for one instrument, printed by its own rules. Values are text from Postgres NUMERIC. */
import type { Locale } from "../domain/locale.ts";

export interface RecalculatedFigure {
  figure: string;
  status: "OK" | "UNAVAILABLE";
  reason: string | null;
  value: string | null;
  printed: Record<Locale, string> | null;
  /** File of the formula under recalculate/formulas, without extension. */
  formula: string;
}

export interface RecalculatedLine {
  series: string;
  points: { session: string; level: string }[];
}

export interface Recalculated {
  schema: "recalculated/v1";
  instrument: string;
  figures: RecalculatedFigure[];
  chart: { window: string; start_session: string; end_session: string; lines: RecalculatedLine[] } | null;
}

/** One line of recalculation.csv. `match` compares text with text. */
export interface RecalculationRow {
  instrument: string;
  figure: string;
  where: string;
  printed: string;
  recalculated: string;
  match: boolean;
  formula: string;
}

export interface CoverageCounts {
  tiles: { shown: number; recalculated: number; matched: number };
  numerals: { shown: number; bound: number; recalculated: number; matched: number };
  numerals_other: {
    label: number;
    entity: number;
    identifier: number;
    ordinal: number;
    legal: number;
    unclassified: number;
  };
  chart_points: { drawn: number; recalculated: number; matched: number };
}

export interface CardComparison {
  rows: RecalculationRow[];
  counts: CoverageCounts;
  /** Numerals that are in no class or whose equality failed, with where they stand. */
  unclassified: { text: string; where: string; why: string }[];
}
