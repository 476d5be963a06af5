/**
 * Chart points and axis labels as read from the page against the second path's levels, through the scale that the page
 * itself declares. A scale may be chosen freely, but it rises, spans the chart's sessions and is one for a whole chart.
 */
import { isDate, toDays } from "../domain/date.ts";
import { THINNING } from "../schema/catalogue.ts";
import type { ReadAxisLabel, Readback, ReadPath } from "../schema/readback.ts";
import type { Recalculated, RecalculatedLine, RecalculationRow } from "../schema/recalculated.ts";
import { toAxisLevel, toAxisPercent } from "./agree.ts";

const TOLERANCE_PX = 0.01;
/** Coordinates are read from text of two or three decimals; this takes up binary noise alone. */
const NOISE_PX = 1e-9;

export interface ChartComparison {
  rows: RecalculationRow[];
  labels: { recalculated: number; matched: number };
  points: { drawn: number; recalculated: number; matched: number };
}

export function compareChart(readback: Readback, recalculated: Recalculated): ChartComparison {
  const rows: RecalculationRow[] = [];
  const labels = { recalculated: 0, matched: 0 };
  const points = { drawn: 0, recalculated: 0, matched: 0 };
  const row = (figure: string, where: string, printed: string, second: string, match: boolean) =>
    rows.push({
      instrument: recalculated.instrument,
      figure,
      where,
      printed,
      recalculated: second,
      match,
      formula: "chart",
    });

  for (const path of readback.paths) {
    points.drawn += path.points.length;
    const line = recalculated.chart?.lines.find(({ series }) => series === path.series);
    const fault = line === undefined ? "no such line" : scaleFault(path, readback.paths, recalculated);
    const found = line === undefined ? 0 : Math.min(line.points.length, path.points.length);
    const matched = line === undefined || fault !== null ? 0 : matchingPoints(path, line);
    points.recalculated += found;
    points.matched += matched;
    const isWhole = line !== undefined && line.points.length === path.points.length && matched === path.points.length;
    const second = fault ?? (isWhole ? `${matched} points` : `${matched} of ${line!.points.length} points`);
    row(`chart.${path.series}`, path.where, `${path.points.length} points`, second, isWhole && fault === null);
  }
  for (const line of recalculated.chart?.lines ?? []) {
    if (!readback.paths.some(({ series }) => series === line.series)) {
      row(`chart.${line.series}`, "", "", `${line.points.length} points`, false);
    }
  }
  for (const label of readback.axis_labels) {
    const scale = readback.paths.find(({ chart }) => chart === label.chart);
    const [text, position] = scale === undefined ? [null, null] : expectedLabel(label, scale);
    const second = text === null || position === null ? "" : text;
    const isPlaced = position !== null && Math.abs(position - label.position) <= TOLERANCE_PX + NOISE_PX;
    const match = text === label.text && isPlaced;
    if (second !== "") labels.recalculated += 1;
    if (match) labels.matched += 1;
    row(
      `axis.${label.chart}.${label.axis}`,
      label.where,
      label.text,
      isPlaced ? second : `${second} at ${position}`,
      match,
    );
  }
  return { rows, labels, points };
}

function scaleFault(path: ReadPath, all: readonly ReadPath[], { chart }: Recalculated): string | null {
  if (path.thinning !== THINNING) return `thinning is not ${THINNING}`;
  if (path.x_domain[0] !== chart!.start_session || path.x_domain[1] !== chart!.end_session) {
    return `sessions ${chart!.start_session} to ${chart!.end_session}`;
  }
  const [low, high] = path.y_domain.map(Number) as [number, number];
  const rises = low < high && path.y_range[0] > path.y_range[1] && path.x_range[0] < path.x_range[1];
  if (!rises || (path.y_scale === "log" && low <= 0)) return "the scale does not rise";
  const one = all.find((other) => other.chart === path.chart)!;
  if (scaleKey(one) !== scaleKey(path)) return "lines of one chart have different scales";
  return null;
}

function scaleKey({ x_range, y_domain, y_range, y_scale }: ReadPath): string {
  return JSON.stringify([x_range, y_domain, y_range, y_scale]);
}

function matchingPoints(path: ReadPath, line: RecalculatedLine): number {
  let matched = 0;
  line.points.forEach(({ session, level }, index) => {
    const drawn = path.points[index];
    if (drawn === undefined) return;
    const isAt = (expected: number, at: number) => Math.abs(expected - at) <= TOLERANCE_PX + NOISE_PX;
    if (isAt(toX(path, session), drawn[0]) && isAt(toY(path, Number(level)), drawn[1])) matched += 1;
  });
  return matched;
}

function toX({ x_domain: [from, to], x_range: [left, right] }: ReadPath, session: string): number {
  return left + ((toDays(session) - toDays(from)) / (toDays(to) - toDays(from))) * (right - left);
}

function toY({ y_domain, y_range: [bottom, top], y_scale }: ReadPath, level: number): number {
  const scaled = y_scale === "log" ? Math.log : (value: number) => value;
  const [low, high, at] = [Number(y_domain[0]), Number(y_domain[1]), level].map(scaled) as [number, number, number];
  return bottom + ((at - low) / (high - low)) * (top - bottom);
}

/** Text and place of a label, from its exact value alone: years or months along x, levels or percent along y. */
function expectedLabel(label: ReadAxisLabel, path: ReadPath): [text: string | null, position: number | null] {
  if (label.axis === "x") {
    if (!isDate(label.value) || !label.value.endsWith("-01")) return [null, null];
    const isYear = label.value.endsWith("-01-01") && label.text.length === 4;
    return [isYear ? label.value.slice(0, 4) : label.value.slice(0, 7), toX(path, label.value)];
  }
  const text = path.series === "drawdown" ? toAxisPercent(label.value) : toAxisLevel(label.value);
  return [text, text === null ? null : toY(path, Number(label.value))];
}
