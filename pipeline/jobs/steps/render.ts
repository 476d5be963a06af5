/**
 * Step `render`: one card in one locale, as view, HTML and PNG. What the gates blocked bears a band across the page;
 * what admission refused is not drawn at all.
 */
import { cardCss } from "../../../templates/card/v1/css.ts";
import { TYPE_CONTRACTS } from "../../../templates/product-types/index.ts";
import { canonicalJson } from "../../domain/digest.ts";
import type { Locale } from "../../domain/locale.ts";
import { cardTermsOf, toCardView } from "../../render/card-view.ts";
import { cardHtml, cardMarkup } from "../../render/html.ts";
import { compressPng } from "../../render/png.ts";
import type { Card } from "../../schema/card.ts";
import type { CardTerms } from "../../schema/card-terms.ts";
import type { Composed } from "../../schema/composed.ts";
import type { Chart } from "../../schema/fact.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { PageLayout } from "../../schema/layout.ts";
import type { Dossier, Rendered } from "../../schema/step-documents.ts";
import { benchmarkOf, type RunContext, sharedFor } from "../context.ts";
import { compose } from "./compose.ts";
import { peers } from "./peers.ts";
import { type Recorded, stepKey } from "./step.ts";
import type { Workshop } from "./workshop.ts";

export const CARD_WIDTH = 1080;

export function renderKey(
  { context }: Workshop,
  instrument: Instrument,
  locale: Locale,
  dossier: Recorded,
  composed: Recorded,
) {
  const { id, channel } = context.frozen.batch;
  return stepKey("render", {
    code: context.code.render,
    dossier: dossier.output,
    composed: composed.output,
    row: instrument,
    benchmark: benchmarkOf(context, instrument),
    batch: { id, channel, reporting_currency: context.terms.reporting_currency },
    sources: sourcesFor(context, instrument),
    policy: context.policy.digest,
    locale,
  });
}

export async function render(shop: Workshop, instrument: Instrument, locale: Locale): Promise<Recorded> {
  const prepared = await peers(shop, instrument);
  const said = await compose(shop, instrument, locale);
  const id = { step: "render" as const, instrument: instrument.instrument, locale };
  return shop.book.do(id, renderKey(shop, instrument, locale, prepared, said), async () => {
    const dossier = await shop.book.read<Dossier>(prepared);
    const composed = await shop.book.read<Composed>(said);
    const document: Rendered = dossier.is_admitted
      ? await shop.book.timed("render", async () =>
          draw(shop, instrument, locale, await viewOf(shop, instrument, locale, dossier, composed), {
            band: bandOf(dossier.verdict),
            composed: said.output,
          }),
        )
      : nothing(instrument, locale, said.output);
    return { document, events: [{ type: "card_rendered/v1", body: { ...document } }] };
  });
}

export function bandOf(verdict: Dossier["verdict"]): Rendered["band"] {
  return verdict === "BLOCK" ? "BLOCKED" : null;
}

/** Draws a view and stores card.json, HTML, PNG and what was measured of the page. */
export async function draw(
  shop: Workshop,
  instrument: Instrument,
  locale: Locale,
  card: Card,
  { band, composed }: Pick<Rendered, "band" | "composed">,
): Promise<Rendered> {
  const { objects } = shop.context;
  const page = cardMarkup(card, { band });
  const fonts = await (await shop.fonts()).facesFor(page.text);
  const html = cardHtml(page, cardCss(), fonts.faces);
  const browser = await shop.browser();
  const shot = await browser.shoot(html, { width: CARD_WIDTH });
  const png = await compressPng(shot.png);
  const layout: PageLayout = { schema: "page_layout/v1", width: CARD_WIDTH, height: shot.height, boxes: shot.boxes };
  const [cardDigest, htmlDigest, pngDigest, layoutDigest] = await Promise.all([
    objects.put(Buffer.from(canonicalJson(card))),
    objects.put(Buffer.from(html)),
    objects.put(png.bytes),
    shop.book.keep(layout),
  ]);
  return {
    schema: "rendered/v1",
    instrument: instrument.instrument,
    locale,
    composed,
    card: cardDigest,
    html: htmlDigest,
    png: pngDigest,
    layout: layoutDigest,
    height: png.height,
    band,
    missing_glyphs: fonts.missing,
  };
}

/** What the card shows in one locale: the first path's document, drawn by `draw`. */
export async function viewOf(
  { context, book }: Pick<Workshop, "context" | "book">,
  instrument: Instrument,
  locale: Locale,
  dossier: Dossier,
  composed: Composed,
): Promise<Card> {
  const used = sourcesFor(context, instrument);
  return toCardView({
    ...termsInput(context, instrument, locale),
    facts: dossier.facts,
    chart: dossier.chart === null ? null : await book.open<Chart>(dossier.chart),
    claims: composed.claims,
    contract: TYPE_CONTRACTS[instrument.product_type],
    disclosures: context.policy.disclosures,
    policy: context.policy.policy,
    sources: used.map(({ id, vendor }) => ({ id, vendor })),
    isClientDeliveryAllowed: used.every((source) => source.rights.client_delivery === "ALLOW"),
  });
}

/** What the card is of, from the request, the universe and what was composed: the gates do not take the card's word for it. */
export function termsFor(
  context: RunContext,
  instrument: Instrument,
  locale: Locale,
  { claims, provider, model, end }: Pick<Composed, "claims" | "provider" | "model" | "end">,
): CardTerms {
  const terms = cardTermsOf({ ...termsInput(context, instrument, locale), claims });
  return { ...terms, composed: { ...terms.composed, model: provider === "builtin" ? null : model, end } };
}

function termsInput(context: RunContext, instrument: Instrument, locale: Locale) {
  return {
    batch: context.frozen.batch,
    instrument,
    benchmark: benchmarkOf(context, instrument),
    locale,
    isDemonstration: sourcesFor(context, instrument).some((source) => source.contract === "synthetic"),
  };
}

/** Sources whose evidence the instrument, its benchmark or its conversion rests on, in batch order. */
function sourcesFor(context: RunContext, instrument: Instrument) {
  const benchmark = benchmarkOf(context, instrument);
  const ids = new Set(
    [instrument, ...(benchmark === null ? [] : [benchmark])]
      .flatMap((one) => [...(context.byInstrument.get(one.instrument) ?? []), ...sharedFor(context, one)])
      .map(({ version }) => version.source_id),
  );
  return context.frozen.batch.sources
    .filter((source) => ids.has(source.id))
    .map(({ id, vendor, contract, rights }) => ({ id, vendor, contract, rights }));
}

function nothing(instrument: Instrument, locale: Locale, composed: string): Rendered {
  return {
    schema: "rendered/v1",
    instrument: instrument.instrument,
    locale,
    composed,
    card: null,
    html: null,
    png: null,
    layout: null,
    height: 0,
    band: null,
    missing_glyphs: [],
  };
}
