/** Laws of the rendered page: every numeral is bound or classed and equals what it names; nothing runs, nothing loads. */
import { describe, expect, it } from "vitest";
import { print } from "../../pipeline/domain/print.ts";
import { compareCard } from "../../pipeline/recalculate/compare.ts";
import { type CardInput, toCardView } from "../../pipeline/render/card-view.ts";
import { cardHtml, cardMarkup } from "../../pipeline/render/html.ts";
import { type PageVocabulary, pageVocabulary } from "../../pipeline/render/page-vocabulary.ts";
import { readPage } from "../../pipeline/render/readback.ts";
import { figureId } from "../../pipeline/schema/fact.ts";
import type { Recalculated } from "../../pipeline/schema/recalculated.ts";
import { cardCss } from "../../templates/card/v1/css.ts";
import { cardInput, instrument, SAMPLES } from "./fixtures.ts";

function pageOf(name: string, band: "BLOCKED" | null = null) {
  const input = SAMPLES[name]!();
  const card = toCardView(input);
  return { input, card, html: cardHtml(cardMarkup(card, { band }), cardCss(), []) };
}

function vocabularyOf(input: CardInput): PageVocabulary {
  return pageVocabulary({
    batchId: input.batch.id,
    instrument: input.instrument,
    benchmark: input.benchmark,
    sources: input.sources,
    disclosures: input.disclosures,
    locale: input.locale,
  });
}

/** The facts themselves in the second path's dress: it tests how the page is bound, not that the values are right. */
function recalculatedAs(input: CardInput): Recalculated {
  return {
    schema: "recalculated/v1",
    instrument: input.instrument.instrument,
    figures: input.facts.map((fact) => ({
      figure: figureId(fact),
      status: fact.status,
      reason: fact.reason,
      value: fact.value,
      printed:
        fact.value === null
          ? null
          : {
              "ko-KR": print(fact.print_rule, fact.value, "ko-KR", fact.currency),
              "en-US": print(fact.print_rule, fact.value, "en-US", fact.currency),
            },
      formula: fact.fact,
    })),
    chart:
      input.chart === null
        ? null
        : { ...input.chart, lines: input.chart.lines.map(({ kind, points }) => ({ series: kind, points })) },
  };
}

describe.each(Object.keys(SAMPLES))("%s", (name) => {
  const { input, card, html } = pageOf(name);
  const seen = readPage(html);

  it("has no numeral outside a bound or classed element, with or without its band", () => {
    expect(seen.numerals.filter((numeral) => numeral.claimed === "unclassified")).toEqual([]);
    const blocked = readPage(pageOf(name, "BLOCKED").html);
    expect(blocked.numerals.filter((numeral) => numeral.claimed === "unclassified")).toEqual([]);
  });

  it("shows each figure as its fact has it", () => {
    const facts = new Map(
      input.facts.map((fact) => [fact.window === "" ? fact.fact : `${fact.fact}.${fact.window}`, fact]),
    );
    expect(seen.figures.length).toBeGreaterThan(1);
    for (const figure of seen.figures)
      expect([figure.figure, figure.value]).toEqual([figure.figure, facts.get(figure.figure)?.value]);
  });

  it("is wholly accepted by the comparison when the second path finds the same", () => {
    const compared = compareCard({
      readback: seen,
      recalculated: recalculatedAs(input),
      locale: input.locale,
      document: vocabularyOf(input),
    });
    expect(compared.unclassified).toEqual([]);
    expect(compared.rows.filter((row) => !row.match)).toEqual([]);
    const { tiles, numerals, chart_points } = compared.counts;
    expect(tiles).toEqual({ shown: card.tiles.length, recalculated: card.tiles.length, matched: card.tiles.length });
    expect(numerals.matched).toBe(numerals.shown);
    expect(chart_points.matched).toBe(chart_points.drawn);
  });

  it("marks exactly its tiles as tiles, in order", () => {
    const shown = seen.figures.filter((figure) => figure.is_tile).map((figure) => figure.figure);
    expect(shown).toEqual(card.tiles.map((tile) => tile.figure));
  });

  it("draws every chart point once", () => {
    const drawn = seen.paths.reduce((count, path) => count + path.points.length, 0);
    expect(drawn).toBe((card.chart?.lines ?? []).reduce((count, line) => count + line.points.length, 0));
  });

  it("runs nothing, loads nothing, styles nothing by attribute", () => {
    expect(html).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|\sstyle=|javascript:|https?:\/\//i);
  });

  it("is the same bytes twice", () => {
    expect(pageOf(name).html).toBe(html);
  });
});

describe("hostile names", () => {
  it.each([
    "<script>alert(9)</script>",
    '"><img src=x onerror=alert(9)>',
    "</style><style>*{display:none}",
    "=HYPERLINK(9)",
    "가온&amp;9 <b>200</b>",
  ])("%s is text", (hostile) => {
    const self = instrument({ name_ko: hostile, issuer: hostile });
    const page = cardMarkup(toCardView(cardInput({ instrument: self })), { band: null });
    const html = cardHtml(page, cardCss(), []);
    expect(html).not.toMatch(/<script>|<img|<b>|<\/style><style>\*/);
    expect(page.text).toContain(hostile);
    expect(readPage(html).numerals.filter((numeral) => numeral.claimed === "unclassified")).toEqual([]);
  });
});

describe("bands", () => {
  it("say BLOCKED over a blocked card and DEMONSTRATION DATA over invented data, more than twice each", () => {
    const count = (html: string, mark: string) => html.split(new RegExp(`>${mark} ?<`)).length - 1;
    expect(count(pageOf("index fund", "BLOCKED").html, "BLOCKED")).toBeGreaterThan(8);
    expect(count(pageOf("leveraged, demonstration").html, "DEMONSTRATION DATA")).toBeGreaterThan(8);
    const plain = pageOf("index fund").html;
    expect(count(plain, "BLOCKED") + count(plain, "DEMONSTRATION DATA")).toBe(0);
  });
});

describe("the document", () => {
  it.each([
    ["index fund", "ko"],
    ["US bond in English", "en"],
  ])("of %s says its language", (name, lang) => {
    expect(pageOf(name).html).toContain(`<html lang="${lang}">`);
  });
});
