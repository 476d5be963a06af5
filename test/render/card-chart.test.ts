/** Laws of chart geometry: what is drawn is the exact mapping of what was given. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toDays } from "../../pipeline/domain/date.ts";
import { toCardView } from "../../pipeline/render/card-view.ts";
import { drawChart, levelTicks } from "../../pipeline/render/chart.ts";
import { pointsOf } from "../../pipeline/render/path-points.ts";
import type { ChartView } from "../../pipeline/schema/card.ts";
import { cardInput, chartOf, instrument } from "./fixtures.ts";

function viewOf(chart = chartOf(["total_return", "benchmark", "drawdown"])): ChartView {
  return toCardView(cardInput({ instrument: instrument(), chart })).chart!;
}

/** Written out by hand, not by d3: the contract between the page and the second path. */
function mapped(value: number, [d0, d1]: number[], [r0, r1]: number[], scale: "log" | "linear"): number {
  const at = scale === "log" ? Math.log : (x: number) => x;
  return r0! + ((at(value) - at(d0!)) / (at(d1!) - at(d0!))) * (r1! - r0!);
}

describe("every point", () => {
  it.each([0.97, -5, 2.5, 0])("stands within 0.01 px of its level, whatever the growth (%s)", (growth) => {
    const chart = viewOf(chartOf(["total_return", "benchmark", "drawdown"], "2021-08-27", "2026-08-28", growth));
    const drawing = drawChart(chart);
    for (const panel of drawing.panels) {
      for (const line of panel.lines) {
        const source = chart.lines.find((one) => one.kind === line.kind)!.points;
        const points = pointsOf(line.d)!;
        expect(points.length).toBe(source.length);
        points.forEach(([x, y], index) => {
          const { session, level } = source[index]!;
          const days = drawing.x_domain.map(toDays);
          expect(Math.abs(x - mapped(toDays(session), days, drawing.x_range, "linear"))).toBeLessThan(0.01);
          const domain = panel.y_domain.map(Number);
          expect(Math.abs(y - mapped(Number(level), domain, panel.y_range, panel.y_scale))).toBeLessThan(0.01);
          expect(y).toBeGreaterThanOrEqual(Math.min(...panel.y_range) - 0.01);
          expect(y).toBeLessThanOrEqual(Math.max(...panel.y_range) + 0.01);
        });
      }
    }
  });
});

describe("gridlines", () => {
  it("are two to five within the domain, for any range of levels", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -2, max: 5, noNaN: true }),
        fc.double({ min: 0.01, max: 5, noNaN: true }),
        (low, span) => {
          const domain: [number, number] = [10 ** low, 10 ** (low + span)];
          const ticks = levelTicks(domain);
          expect(ticks.length).toBeGreaterThanOrEqual(1);
          expect(ticks.length).toBeLessThanOrEqual(5);
          for (const tick of ticks) {
            expect(tick).toBeGreaterThanOrEqual(domain[0] * 0.999);
            expect(tick).toBeLessThanOrEqual(domain[1] * 1.001);
          }
        },
      ),
    );
  });

  it.each([
    [[71.2, 300], [75, 100, 150, 200, 300].filter((tick) => tick !== 75)],
    [
      [97, 1374],
      [100, 200, 500, 1000],
    ],
    [
      [0.13, 103],
      [1, 10, 100],
    ],
    [[98.9, 104.2], [99, 100, 101, 102, 103, 104].filter((tick) => tick % 2 === 0)],
  ] as [[number, number], number[]][])("over %j are %j", (domain, ticks) => {
    expect(levelTicks(domain)).toEqual(ticks);
  });

  it("stand exactly where their value maps, in every panel", () => {
    for (const panel of drawChart(viewOf()).panels) {
      for (const label of panel.y_labels) {
        const at = mapped(Number(label.value), panel.y_domain.map(Number), panel.y_range, panel.y_scale);
        expect(Math.abs(label.position - at)).toBeLessThan(0.01);
      }
    }
  });
});

describe("dates on the axis", () => {
  it.each([
    ["2021-08-27", "2026-08-28", ["2022", "2023", "2024", "2025", "2026"]],
    ["2023-08-28", "2026-08-28", ["2024", "2025", "2026"]],
    ["2025-08-28", "2026-08-28", ["2025-10", "2026-01", "2026-04", "2026-07"]],
    ["2026-07-28", "2026-08-28", ["2026-08"]],
  ])("from %s to %s are %j", (from, to, labels) => {
    expect(drawChart(viewOf(chartOf(["total_return"], from, to))).x_labels.map((label) => label.text)).toEqual(labels);
  });
});

describe("names at line ends", () => {
  it("never stand closer than a line of text", () => {
    const flat = viewOf(chartOf(["total_return", "benchmark"], "2021-08-27", "2026-08-28", 0.01));
    const ends = drawChart(flat).panels[0]!.lines.flatMap((line) => line.end_label_y ?? []);
    for (const [index, y] of ends.entries()) {
      for (const other of ends.slice(index + 1)) expect(Math.abs(y - other)).toBeGreaterThanOrEqual(26);
    }
    expect(ends.length).toBeGreaterThanOrEqual(1);
  });
});
