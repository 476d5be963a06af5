/** Laws of the card's words: both locales say everything, and no fixed word holds a numeral of its own. */
import { describe, expect, it } from "vitest";
import { REASONS } from "../../pipeline/domain/outcome.ts";
import { findNumerals } from "../../pipeline/render/numerals.ts";
import { CATALOGUE } from "../../pipeline/schema/catalogue.ts";
import { figureId } from "../../pipeline/schema/fact.ts";
import { multipleBadge, WORDS, windowLabel } from "../../templates/locales/index.ts";

/** Shown as words of their own or not at all. */
const UNLABELLED =
  /^(cutoff_on|known_at|metadata_retrieved_on|total_expense_ratio_on|net_assets_on|fund_net_assets_on|premium_state)$/;
/** Classed: window labels (label) and the exposure badge (identifier). */
const CLASSED = /^(windows|fact_windows)\.|^badges\.multiple$/;

function leaves(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [[path, ""]];
  return Object.entries(value).flatMap(([key, item]) => leaves(item, path === "" ? key : `${path}.${key}`));
}

describe("locales", () => {
  it("have the same keys", () => {
    const keys = (locale: "ko-KR" | "en-US") =>
      leaves(WORDS[locale])
        .map(([path]) => path)
        .sort();
    expect(keys("ko-KR")).toEqual(keys("en-US"));
  });

  describe.each(["ko-KR", "en-US"] as const)("%s", (locale) => {
    const words = WORDS[locale];

    it("labels every fact of the catalogue", () => {
      const facts = [...new Set(CATALOGUE.map((entry) => entry.fact))].filter((fact) => !UNLABELLED.test(fact));
      expect(facts.filter((fact) => !words.figures[fact])).toEqual([]);
    });

    it("labels the window of every fact that has one", () => {
      const figures = CATALOGUE.flatMap((entry) => entry.windows.map((window) => figureId({ ...entry, window })));
      expect(
        figures.filter((figure) => /\.(\d[dwmy]|20d|ytd|ttm|last)$/.test(figure) && !windowLabel(figure, locale)),
      ).toEqual([]);
    });

    it("says every reason in full and in short", () => {
      expect(REASONS.filter((reason) => !words.reasons[reason] || !words.reasons_short[reason])).toEqual([]);
    });

    it("holds no numeral and no number word outside window labels and the exposure badge", () => {
      const found = leaves(words)
        .filter(([path]) => !CLASSED.test(path))
        .filter(([, text]) => findNumerals(text.replace(/\{\w+\}/g, "")).length > 0);
      expect(found).toEqual([]);
    });

    it("never calls the comparison ETF an index", () => {
      expect(JSON.stringify(words)).not.toMatch(/비교지수|비교 지수|benchmark index|추적오차/);
    });
  });

  it.each([
    ["2", "ko-KR", "2배"],
    ["-1", "ko-KR", "\u22121배"],
    ["3", "en-US", "3×"],
    ["-2", "en-US", "\u22122×"],
  ] as const)("exposure %s reads in %s as %s", (multiple, locale, expected) => {
    expect(multipleBadge(multiple, locale)).toBe(expected);
  });
});
