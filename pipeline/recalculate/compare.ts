/**
 * What a reader sees on a page against what the second path found. Every bound figure must print the same text and carry
 * the same exact value under the label of its window; every other numeral must equal the document field that its element
 * names. Nothing is assumed: what has no second value, or is in no class, counts against the card.
 */
import type { Locale } from "../domain/locale.ts";
import type { Readback, ReadFigure, ReadNumeral } from "../schema/readback.ts";
import type {
  CardComparison,
  CoverageCounts,
  Recalculated,
  RecalculatedFigure,
  RecalculationRow,
} from "../schema/recalculated.ts";
import { agrees } from "./agree.ts";
import { compareChart } from "./compare-chart.ts";

/** Fields that classed numerals must equal, by the name their element gives in `of`. */
export interface PageDocument {
  identifiers: Record<string, string>;
  entities: Record<string, string>;
  /** Window label of a figure id in the page's locale; null where the figure has no window. */
  labels: (figure: string) => string | null;
  /** Policy text by id in the page's locale. */
  legal: Record<string, string>;
}

export interface ComparisonInput {
  readback: Readback;
  recalculated: Recalculated;
  locale: Locale;
  document: PageDocument;
}

export function compareCard({ readback, recalculated, locale, document }: ComparisonInput): CardComparison {
  const second = new Map(recalculated.figures.map((figure) => [figure.figure, figure]));
  const figures = readback.figures.map((figure) => ({
    figure,
    row: compareFigure(figure, second, locale, recalculated, document),
  }));
  const chart = compareChart(readback, recalculated);
  const other: CoverageCounts["numerals_other"] = {
    label: 0,
    entity: 0,
    identifier: 0,
    ordinal: 0,
    legal: 0,
    unclassified: 0,
  };
  const unclassified: CardComparison["unclassified"] = [];
  for (const numeral of readback.numerals) {
    const why = faultOf(numeral, document);
    if (why === null) other[numeral.claimed as keyof typeof other] += 1;
    else {
      other.unclassified += 1;
      unclassified.push({ text: numeral.text, where: numeral.where, why });
    }
  }
  // Dates in the small type of a tile are numerals like others; the tile is its figure.
  const tiles = figures.filter(({ figure }) => figure.is_tile && figure.kind === "fact");
  const hasSecond = ({ row }: { row: RecalculationRow }) => row.formula !== "";
  const isMatch = ({ row }: { row: RecalculationRow }) => row.match;
  const shown = figures.length + readback.axis_labels.length;
  return {
    rows: [...figures.map(({ row }) => row), ...chart.rows],
    counts: {
      tiles: {
        shown: tiles.length,
        recalculated: tiles.filter(hasSecond).length,
        matched: tiles.filter(isMatch).length,
      },
      numerals: {
        shown,
        bound: figures.filter(({ figure }) => figure.figure !== "").length + readback.axis_labels.length,
        recalculated: figures.filter(hasSecond).length + chart.labels.recalculated,
        matched: figures.filter(isMatch).length + chart.labels.matched,
      },
      numerals_other: other,
      chart_points: chart.points,
    },
    unclassified,
  };
}

function compareFigure(
  read: ReadFigure,
  second: ReadonlyMap<string, RecalculatedFigure>,
  locale: Locale,
  { instrument }: Recalculated,
  document: PageDocument,
): RecalculationRow {
  const { figure, where, printed, value } = read;
  const found = second.get(figure);
  if (found === undefined || found.printed === null || found.value === null) {
    const recalculated = found?.reason ?? "";
    return { instrument, figure, where, printed, recalculated, match: false, formula: "" };
  }
  const text = collapse(found.printed[locale]);
  const isSameValue = value === found.value || agrees(value, found.value);
  const window = windowFault(read, document);
  const doubts = [...(text === printed && !isSameValue ? [found.value] : []), ...(window === null ? [] : [window])];
  return {
    instrument,
    figure,
    where,
    printed,
    recalculated: doubts.length === 0 ? text : `${text} (${doubts.join("; ")})`,
    match: text === printed && isSameValue && window === null,
    formula: found.formula,
  };
}

/**
 * A figure that has a window stands under its label and no other. A date without one may stand in the row of any window
 * (the end session under a return); another figure without one may not.
 */
function windowFault({ figure, kind, window_labels }: ReadFigure, { labels }: PageDocument): string | null {
  const expected = labels(figure);
  const wrong = window_labels.filter((label) => label !== expected);
  if (expected === null) return kind === "date" || wrong.length === 0 ? null : `not of ${wrong[0]}`;
  if (window_labels.length === 0) return `${expected}, which no label says`;
  return wrong.length === 0 ? null : `${expected}, not ${wrong[0]}`;
}

/** Why a numeral outside bound figures is not what its element claims; null when it is. */
function faultOf({ claimed, of, element_text }: ReadNumeral, document: PageDocument): string | null {
  const equals = (field: string | null | undefined) => {
    if (field === null || field === undefined || field === "") return `no field ${JSON.stringify(of)} to equal`;
    return collapse(field) === element_text ? null : `differs from ${JSON.stringify(of)}: ${JSON.stringify(field)}`;
  };
  switch (claimed) {
    case "label":
      return equals(document.labels(of));
    case "entity":
      return equals(own(document.entities, of));
    case "identifier":
      return equals(own(document.identifiers, of));
    case "legal":
      return equals(own(document.legal, of));
    case "ordinal":
      return /^[1-9]\d?$/.test(of) && element_text === of ? null : `is not the ordinal ${JSON.stringify(of)}`;
    default:
      return claimed === "unclassified" ? "is in no class" : `claims ${claimed} but is not bound`;
  }
}

function own(fields: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** White space as a page shows it, and as readback takes it: other blanks are characters like any. */
function collapse(text: string): string {
  return text.replace(/[ \t\n\r\f]+/g, " ").replace(/^ | $/g, "");
}
