/** Laws of the claims on a page: drawn as printed, read back as themselves, every figure bound under its window, the label beside them. */
import { describe, expect, it } from "vitest";
import { chooseClaims, chooseCounterpoints, type KnownFigure } from "../../pipeline/compose/choose.ts";
import { lineOfRuns, printClaim } from "../../pipeline/compose/print-slots.ts";
import { LOCALES, type Locale } from "../../pipeline/domain/locale.ts";
import { compareCard } from "../../pipeline/recalculate/compare.ts";
import { type CardInput, toCardView } from "../../pipeline/render/card-view.ts";
import { cardHtml, cardMarkup } from "../../pipeline/render/html.ts";
import { pageVocabulary } from "../../pipeline/render/page-vocabulary.ts";
import { readPage } from "../../pipeline/render/readback.ts";
import { cardSchema } from "../../pipeline/schema/card.ts";
import type { DrawnClaim } from "../../pipeline/schema/composed.ts";
import { figureId } from "../../pipeline/schema/fact.ts";
import { cardCss } from "../../templates/card/v1/css.ts";
import { cardInput, instrument } from "./fixtures.ts";

function withClaims(locale: Locale): CardInput & { claims: DrawnClaim[] } {
  const input = cardInput({ instrument: instrument(), locale });
  const facts = new Map(input.facts.map((fact) => [figureId(fact), fact]));
  const figures = new Map(
    [...facts].flatMap(([id, { status, value, unit, epistemic_type }]): [string, KnownFigure][] =>
      status === "OK" && value !== null
        ? [[id, { value, type: epistemic_type, isNumber: !["date", "instant", "text"].includes(unit) }]]
        : [],
    ),
  );
  const product = {
    instrument: input.instrument.instrument,
    product_type: input.instrument.product_type,
    is_in_reporting_currency: true,
    is_compared_at_home: false,
    market: input.instrument.market,
    peer_group: input.instrument.peer_group,
    fx_hedged: input.instrument.fx_hedged,
  };
  const material = { product, locale, figures, research: [] };
  const own = chooseClaims(material);
  const claims = [...own, ...chooseCounterpoints(material, own)].map((proposal): DrawnClaim => {
    const record = {
      schema: "claim/v1" as const,
      instrument: product.instrument,
      locale,
      ...proposal,
      id: `claims/${proposal.id}`,
      turn: "main#3",
      receipt: "main#3.1",
    };
    return { record, runs: printClaim(record, { facts, entities: {} }) };
  });
  return { ...input, claims };
}

function pageOf(input: CardInput): string {
  return cardHtml(cardMarkup(toCardView(input), { band: null }), cardCss(), []);
}

describe.each(LOCALES)("claims in %s", (locale) => {
  const input = withClaims(locale);
  const html = pageOf(input);
  const readback = readPage(html);

  it("make a sound card, numbered through, the counter-points last", () => {
    const card = cardSchema.parse(toCardView(input));
    expect(card.claims.map(({ number }) => number)).toEqual(card.claims.map((_, index) => index + 1));
    expect(card.claims.at(-1)?.role).toBe("counterpoint");
    expect(card.claims.length).toBeGreaterThanOrEqual(5);
  });

  it("are read back as the lines that were printed, each once", () => {
    const lines = readback.lines.filter(({ claim }) => claim !== null);
    expect(new Map(lines.map(({ claim, text, slots }) => [claim, { text, slots }]))).toEqual(
      new Map(input.claims.map(({ record, runs }) => [record.id, lineOfRuns(runs)])),
    );
    expect(lines).toHaveLength(input.claims.length);
  });

  it("hold no numeral that is in no class, and every figure stands under its own window", () => {
    const facts = input.facts.map((fact) => ({
      figure: figureId(fact),
      status: fact.status,
      reason: fact.reason,
      value: fact.value,
      formula: fact.formula,
      printed: null,
    }));
    const document = pageVocabulary({
      batchId: input.batch.id,
      instrument: input.instrument,
      benchmark: null,
      sources: input.sources,
      disclosures: input.disclosures,
      locale,
    });
    const recalculated = {
      schema: "recalculated/v1",
      instrument: input.instrument.instrument,
      figures: facts,
      chart: null,
    };
    const { unclassified } = compareCard({ readback, recalculated: recalculated as never, locale, document });
    expect(unclassified.filter(({ where }) => where.startsWith("claims"))).toEqual([]);
    for (const { figure, window_labels } of readback.figures.filter(({ where }) => where.startsWith("claims"))) {
      const label = document.labels(figure);
      if (label !== null) expect([figure, window_labels]).toEqual([figure, [label]]);
    }
  });

  it("bear the label beside them and not among the other disclosures", () => {
    const labels = readback.lines.filter(({ legal }) => legal === "ai_generated");
    expect(labels.map(({ where, text }) => [where, text])).toEqual([
      ["claims", input.disclosures.ai_generated![locale]],
    ]);
    const none = readPage(pageOf(cardInput({ instrument: instrument(), locale })));
    expect(none.lines.filter(({ where, legal }) => where === "claims" || legal === "ai_generated")).toEqual([]);
  });

  it("a word put into a drawn sentence no longer reads as it was printed", () => {
    const [{ record, runs }] = input.claims as [DrawnClaim];
    const altered = readPage(html.replace(`data-claim="${record.id}" data-row="">`, "$&<b>!</b>"));
    const line = altered.lines.find(({ claim }) => claim === record.id);
    expect(line?.text).not.toBe(lineOfRuns(runs).text);
  });
});
