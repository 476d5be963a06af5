/**
 * Chart geometry: levels to coordinates, in user units of one SVG. Pure. Every drawn point is the exact mapping of its
 * level rounded to two decimals, so that a reader of the path can check it against the recalculated level.
 */
import { extent } from "d3-array";
import { type ScaleContinuousNumeric, scaleLinear, scaleLog } from "d3-scale";
import { line as pathOf } from "d3-shape";
import { toDays } from "../domain/date.ts";
import type { ChartView } from "../schema/card.ts";

export const CHART_WIDTH = 968;
const LEFT = 80;
const RIGHT = 848;
const MAIN = { top: 16, bottom: 348 };
const FALL = { top: 432, bottom: 540 };
export const CHART_HEIGHT = 552;
const X_LABEL_Y = 380;
/** Vertical room that a direct label at a line's end needs. */
const LABEL_HEIGHT = 26;

export interface AxisLabel {
  /** Exact value: a level, a ratio or a date. */
  value: string;
  text: string;
  position: number;
}
export interface DrawnLine {
  kind: ChartView["lines"][number]["kind"];
  d: string;
  /** Where the short name stands at the line's end; null when it would touch another. */
  end_label_y: number | null;
}
export interface Panel {
  id: "total_return" | "drawdown";
  y_scale: "log" | "linear";
  y_domain: [string, string];
  y_range: [number, number];
  y_labels: AxisLabel[];
  lines: DrawnLine[];
}
export interface Drawing {
  x_domain: [string, string];
  x_range: [number, number];
  x_labels: AxisLabel[];
  x_label_y: number;
  panels: Panel[];
}

type Lines = ChartView["lines"];

export function drawChart(chart: ChartView): Drawing {
  const x = scaleLinear([toDays(chart.start_session), toDays(chart.end_session)], [LEFT, RIGHT]);
  const xOf = rememberedX(x);
  const panels = [
    levelPanel(
      chart.lines.filter((line) => line.kind !== "drawdown"),
      xOf,
    ),
  ];
  const falls = chart.lines.filter((line) => line.kind === "drawdown");
  if (falls.length > 0) panels.push(fallPanel(falls, xOf));
  return {
    x_domain: [chart.start_session, chart.end_session],
    x_range: [LEFT, RIGHT],
    x_labels: xLabels(chart, x),
    x_label_y: X_LABEL_Y,
    panels,
  };
}

type XScale = ScaleContinuousNumeric<number, number>;
type SessionX = (session: string) => number;

/** Every line has the same sessions: their dates are turned into positions once. */
function rememberedX(x: XScale): SessionX {
  const known = new Map<string, number>();
  return (session) => {
    let at = known.get(session);
    if (at === undefined) {
      at = x(toDays(session));
      known.set(session, at);
    }
    return at;
  };
}

function levelPanel(lines: Lines, xOf: SessionX): Panel {
  const [lowest = 100, highest = 100] = extent(
    lines.flatMap((line) => line.points.map((point) => Number(point.level))),
  );
  const domain: [number, number] = [significant(lowest * 0.97), significant(highest * 1.03)];
  const y = scaleLog(domain, [MAIN.bottom, MAIN.top]);
  return {
    id: "total_return",
    y_scale: "log",
    y_domain: [plain(domain[0]), plain(domain[1])],
    y_range: [MAIN.bottom, MAIN.top],
    y_labels: levelTicks(domain).map((tick) => ({
      value: plain(tick),
      text: grouped(plain(tick)),
      position: rounded(y(tick)),
    })),
    lines: withEndLabels(lines, xOf, y),
  };
}

function fallPanel(lines: Lines, xOf: SessionX): Panel {
  const [deepest = 0] = extent(lines.flatMap((line) => line.points.map((point) => Number(point.level))));
  const floor = fallFloor(deepest);
  const y = scaleLinear([floor, 0], [FALL.bottom, FALL.top]);
  return {
    id: "drawdown",
    y_scale: "linear",
    y_domain: [plain(floor), "0"],
    y_range: [FALL.bottom, FALL.top],
    // Half way down where a fund has lost nearly all: the axis has no room for a wider label.
    y_labels: [0, floor === -1 ? -0.5 : floor].map((tick) => ({
      value: plain(tick),
      text: percentText(tick),
      position: rounded(y(tick)),
    })),
    lines: lines.map((line) => ({ kind: line.kind, d: pathText(line.points, xOf, y), end_label_y: null })),
  };
}

function pathText(points: Lines[number]["points"], xOf: SessionX, y: XScale): string {
  const path = pathOf<{ session: string; level: string }>()
    .x((point) => xOf(point.session))
    .y((point) => y(Number(point.level)))
    .digits(2);
  return path(points) ?? "";
}

/** The product's own name always fits; another is dropped rather than drawn over it. */
function withEndLabels(lines: Lines, xOf: SessionX, y: XScale): DrawnLine[] {
  const taken: number[] = [];
  return lines.map((line) => {
    const last = line.points.at(-1);
    const at = last === undefined ? null : rounded(y(Number(last.level)));
    const fits = at !== null && taken.every((other) => Math.abs(other - at) >= LABEL_HEIGHT);
    if (fits) taken.push(at);
    return { kind: line.kind, d: pathText(line.points, xOf, y), end_label_y: fits ? at : null };
  });
}

/** Round levels, at most five, the densest set that fits. 100 is among them whenever it is in the domain. */
export function levelTicks([low, high]: [number, number]): number[] {
  const sets = [[1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 7, 8, 9], [1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]];
  const narrow = [1, 2, 5, 10, 20].map((step) => multiplesOf(step, low, high));
  const wide = sets.map((set) => decades(set, low, high));
  const candidates = high / low < 1.6 ? [...narrow, ...wide] : wide;
  return candidates.find((ticks) => ticks.length >= 2 && ticks.length <= 5) ?? everySecondDecade(low, high);
}

function multiplesOf(step: number, low: number, high: number): number[] {
  const ticks: number[] = [];
  const first = Math.ceil(low / step) * step;
  for (let tick = first; tick <= high && ticks.length < 12; tick += step) ticks.push(tick);
  return ticks;
}

function decades(mantissas: number[], low: number, high: number): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const mantissa of mantissas) {
      const tick = Number(`${mantissa}e${power}`);
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  }
  return ticks;
}

function everySecondDecade(low: number, high: number): number[] {
  const powers = decades([1], low, high);
  const step = Math.max(1, Math.ceil(powers.length / 5));
  const anchor = Math.max(0, powers.indexOf(100));
  const ticks = powers.filter((_, index) => (index - anchor) % step === 0);
  return ticks.length > 0 ? ticks : [significant(low), significant(high)];
}

/** The floor of the drawdown panel: the next round percentage below the deepest fall. */
function fallFloor(deepest: number): number {
  const steps = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
  return -(steps.find((step) => step >= -deepest) ?? 1);
}

/** Years for two years and more, else the months that leave at most seven labels; edges are left free. */
function xLabels(chart: ChartView, x: XScale): AxisLabel[] {
  const [from, to] = [chart.start_session, chart.end_session];
  const days = toDays(to) - toDays(from);
  const months = days > 720 ? [1] : days > 300 ? [1, 4, 7, 10] : days > 130 ? [1, 3, 5, 7, 9, 11] : MONTHS;
  const labels: AxisLabel[] = [];
  for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year++) {
    for (const month of months) {
      const date = `${year}-${String(month).padStart(2, "0")}-01`;
      if (date < from || date > to) continue;
      const position = rounded(x(toDays(date)));
      if (position - LEFT < 24 || RIGHT - position < 10) continue;
      labels.push({ value: date, text: days > 720 ? String(year) : date.slice(0, 7), position });
    }
  }
  const step = Math.max(1, Math.ceil(labels.length / 7));
  return labels.filter((_, index) => index % step === 0);
}
const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

function percentText(ratio: number): string {
  const percent = plain(Math.abs(Math.round(ratio * 10_000) / 100));
  return ratio < 0 ? `\u2212${percent}%` : `${percent}%`;
}

function grouped(text: string): string {
  const [whole = "", fraction] = text.split(".");
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

/** Four significant digits: a domain that reads well and is the number that the scale really uses. */
function significant(value: number): number {
  return Number(value.toPrecision(4));
}

/** Plain decimal notation of a number that has few digits. */
function plain(value: number): string {
  return String(value).includes("e") ? value.toFixed(20).replace(/\.?0+$/, "") : String(value);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
