/** The points of a chart path as drawn: absolute M and L with plain numbers only, so that nothing needs interpreting. */
import { AssayError } from "../domain/outcome.ts";
import type { ReadPath } from "../schema/readback.ts";

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

export function readSeriesPath(attributes: Map<string, string>, where: string): ReadPath {
  const series = attributes.get("data-series") ?? "";
  const fail = (what: string) => new AssayError("READBACK_PATH", `chart path ${series}: ${what}`, { at: where });
  const attribute = (name: string): string => {
    const value = attributes.get(name);
    if (value === undefined || value.trim() === "") throw fail(`${name} is missing`);
    return value;
  };
  const pair = (name: string): [string, string] => {
    const parts = attribute(name).split(",");
    if (parts.length !== 2) throw fail(`${name} is not a pair`);
    return [parts[0]!.trim(), parts[1]!.trim()];
  };
  const range = (name: string): [number, number] => {
    const [from, to] = pair(name);
    if (!NUMBER.test(from) || !NUMBER.test(to)) throw fail(`${name} is not a pair of numbers`);
    return [Number(from), Number(to)];
  };
  const y_scale = attribute("data-y-scale");
  if (y_scale !== "log" && y_scale !== "linear") throw fail(`data-y-scale is ${y_scale}`);
  const points = pointsOf(attribute("d"));
  if (points === undefined) throw fail("d is not made of absolute M and L with plain numbers");
  return {
    chart: attribute("data-chart"),
    series,
    points,
    x_domain: pair("data-x-domain"),
    x_range: range("data-x-range"),
    y_domain: pair("data-y-domain"),
    y_range: range("data-y-range"),
    y_scale,
    thinning: attribute("data-thinning"),
    where,
  };
}

/** Undefined when `d` holds anything but M, L and pairs of numbers. */
export function pointsOf(d: string): [number, number][] | undefined {
  const trimmed = d.trim();
  if (!trimmed.startsWith("M")) return undefined;
  const points: [number, number][] = [];
  for (const stroke of trimmed.split(/[ML]/).slice(1)) {
    const numbers = stroke.trim().split(/[\s,]+/);
    if (numbers.length < 2 || numbers.length % 2 !== 0) return undefined;
    for (let index = 0; index < numbers.length; index += 2) {
      const [x, y] = [numbers[index]!, numbers[index + 1]!];
      if (!NUMBER.test(x) || !NUMBER.test(y)) return undefined;
      points.push([Number(x), Number(y)]);
    }
  }
  return points;
}
