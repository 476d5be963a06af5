/** Text contrast of the style sheet, computed as WCAG 2.2 defines it. AA asks 4.5 to 1. */
import { describe, expect, it } from "vitest";
import { cardCss } from "../../templates/card/v1/css.ts";

const css = cardCss();

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe("contrast", () => {
  it("computes what the standard computes", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 10);
    expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
  });

  const inks = [...css.matchAll(/--(ink|soft|muted|line|compare|up|down): (#[0-9a-f]{6})/g)];
  it("finds the inks of both locales", () => {
    expect(inks.length).toBe(9);
  });
  it.each(inks.map(([, name, hex]) => [name, hex] as const))("%s %s reads on white", (_, hex) => {
    expect(contrast(hex!, "#ffffff")).toBeGreaterThanOrEqual(4.5);
  });

  const bands = [...css.matchAll(/\.(band-\w+) \{\s+background: (#[0-9a-f]{3,6});\s+color: (#[0-9a-f]{3,6})/g)];
  it("finds both bands", () => {
    expect(bands.map(([, name]) => name)).toEqual(["band-demonstration", "band-blocked"]);
  });
  it.each(bands.map(([, name, back, ink]) => [name, back, ink] as const))("%s reads on its ground", (_, back, ink) => {
    const long = (hex: string) => (hex.length === 4 ? hex.replace(/[0-9a-f]/g, "$&$&") : hex);
    expect(contrast(long(back!), long(ink!))).toBeGreaterThanOrEqual(7);
  });

  it("colours no text outside the checked inks but rails", () => {
    const loose = [...css.matchAll(/(?:^|[\s;{])(?:color|fill): (#[0-9a-f]{3,6})/g)].map(([, hex]) => hex);
    expect(loose.sort()).toEqual(["#1d1700", "#7a5a00", "#8f0d1f", "#fff"]);
    expect(contrast("#7a5a00", "#ffffff")).toBeGreaterThanOrEqual(4.5);
    expect(contrast("#8f0d1f", "#ffffff")).toBeGreaterThanOrEqual(4.5);
  });

  it("puts nothing before a reader that the markup does not hold", () => {
    expect(css).not.toMatch(/content:\s*["']|attr\(|url\(|@import/);
  });
});
