/**
 * What a reader of the rendered page can see, taken from the HTML alone. Made by render/readback, compared by
 * recalculate/compare: the renderer's inputs play no part.
 */

export const NUMERAL_CLASSES = [
  "fact",
  "date",
  "axis",
  "label",
  "entity",
  "identifier",
  "ordinal",
  "legal",
  "unclassified",
] as const;
export type NumeralClass = (typeof NUMERAL_CLASSES)[number];

/** A bound figure, number, date or stated text: `<data>` or `<time>` with data-fact. */
export interface ReadFigure {
  figure: string;
  /** Section and ordinal on the page, such as `tiles/1`. */
  where: string;
  kind: "fact" | "date";
  /** Text as a reader sees it, white space collapsed. */
  printed: string;
  /** The machine-readable attribute (`value` or `datetime`). */
  value: string;
  is_tile: boolean;
  /** Texts of the window labels that stand for it: in its row, or in its table cell and the head of that column. */
  window_labels: string[];
}

/** A digit run or number word outside bound figures, with the class its element claims. */
export interface ReadNumeral {
  text: string;
  /** The whole text of the element that claims the class; compared by equality with the document field it names. */
  element_text: string;
  claimed: NumeralClass;
  /** What the element says it equals: a figure id (label), field name (entity, identifier), ordinal, text id (legal). */
  of: string;
  where: string;
}

export interface ReadAxisLabel {
  axis: "x" | "y";
  chart: string;
  text: string;
  /** Exact value or date it stands for. */
  value: string;
  /** Position along its axis in user units of the SVG. */
  position: number;
  where: string;
}

export interface ReadPath {
  chart: string;
  series: string;
  points: [x: number, y: number][];
  x_domain: [string, string];
  x_range: [number, number];
  y_domain: [string, string];
  y_range: [number, number];
  y_scale: "log" | "linear";
  thinning: string;
  where: string;
}

/** A line of words: what stands between two breaks, with a place `{f1}` where a bound figure stands. */
export interface ReadLine {
  where: string;
  text: string;
  slots: { name: string; figure: string }[];
  /** The text id that the whole line claims to be, or null; whether it is, a caller compares. */
  legal: string | null;
  /** Id of the claim that the whole line is, or null. */
  claim: string | null;
}

export interface Readback {
  lines: ReadLine[];
  figures: ReadFigure[];
  numerals: ReadNumeral[];
  axis_labels: ReadAxisLabel[];
  paths: ReadPath[];
}
