/**
 * Step `verify`: reads the finished page back, compares it with the second path, asks the page gates, and folds the
 * verdict. A card that is blocked only now is drawn again with its band: nothing blocked leaves without one.
 */
import { openAnalysers } from "../../compose/language/open.ts";
import { foldVerdict } from "../../gates/run.ts";
import type { Card } from "../../schema/card.ts";
import type { Composed } from "../../schema/composed.ts";
import type { Chart } from "../../schema/fact.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { PageLayout } from "../../schema/layout.ts";
import type { Recalculated } from "../../schema/recalculated.ts";
import type { Dossier, Rendered, Verified } from "../../schema/step-documents.ts";
import { judgePage, NOTHING_READ, type PageRead, readBackPage } from "./judge-page.ts";
import { peers } from "./peers.ts";
import { recalculatedOrNone } from "./recalculate.ts";
import { bandOf, draw, render } from "./render.ts";
import { type Recorded, stepKey } from "./step.ts";
import { contentDigest, judgementOf, versionsOf } from "./version.ts";
import type { Workshop } from "./workshop.ts";

export interface VerifyInputs {
  dossier: Recorded;
  rendered: Recorded[];
  /** Null when the second path has no result. */
  recalculated: Recorded | null;
}

export function verifyKey({ context }: Workshop, instrument: Instrument, inputs: VerifyInputs) {
  return stepKey("verify", {
    code: context.code.verify,
    row: instrument,
    policy: context.policy.digest,
    dossier: inputs.dossier.output,
    rendered: inputs.rendered.map(({ output }) => output),
    recalculated: inputs.recalculated?.output ?? null,
  });
}

export async function verify(shop: Workshop, instrument: Instrument): Promise<Recorded> {
  const { context, book } = shop;
  const { locales } = context.frozen.batch;
  const inputs: VerifyInputs = {
    dossier: await peers(shop, instrument),
    rendered: await Promise.all(locales.map((locale) => render(shop, instrument, locale))),
    recalculated: await recalculatedOrNone(shop, instrument),
  };
  const id = { step: "verify" as const, instrument: instrument.instrument, locale: null };
  return book.do(id, verifyKey(shop, instrument, inputs), async () => {
    const dossier = await book.read<Dossier>(inputs.dossier);
    const second = inputs.recalculated === null ? null : await book.read<Recalculated>(inputs.recalculated);
    const pages = await Promise.all(inputs.rendered.map((recorded) => book.read<Rendered>(recorded)));
    const judged = await judge(shop, instrument, inputs, dossier, second, pages);
    const document: Verified = {
      schema: "verified/v1",
      instrument: instrument.instrument,
      dossier: inputs.dossier.output,
      recalculated: inputs.recalculated?.output ?? null,
      ...judged,
    };
    const judgement = judgementOf(context, document);
    const versions = versionsOf(context, instrument, document).map((version) => ({ ...version, judgement }));
    return { document, versions };
  });
}

async function judge(
  shop: Workshop,
  instrument: Instrument,
  inputs: VerifyInputs,
  dossier: Dossier,
  second: Recalculated | null,
  rendered: Rendered[],
): Promise<Pick<Verified, "locales" | "decisions" | "verdict">> {
  const { context } = shop;
  const pages = await Promise.all(
    rendered.map(async (page) => ({ page, read: await readBack(shop, instrument, page, second) })),
  );
  const chart = dossier.chart === null ? null : await shop.book.open<Chart>(dossier.chart);
  const decisions = [...dossier.decisions];
  if (dossier.is_admitted) {
    const analysers = await openAnalysers();
    for (const { read: page } of pages) {
      const judged = () => judgePage(context, analysers, instrument, { facts: dossier.facts, chart }, page);
      decisions.push(...(await shop.book.timed("gates", judged)));
    }
  }
  const { verdict } = fold(shop, dossier, decisions, pages.length);
  const digests = { dossier: inputs.dossier.output, recalculated: inputs.recalculated?.output ?? null };
  const locales: Verified["locales"] = [];
  for (const { page, read } of pages) {
    const { card, comparison } = read;
    const drawn =
      card !== null && page.band !== bandOf(verdict)
        ? await draw(shop, instrument, page.locale, card, { band: bandOf(verdict), composed: page.composed })
        : page;
    locales.push({
      locale: page.locale,
      composed: page.composed,
      card: drawn.card,
      html: drawn.html,
      png: drawn.png,
      layout: drawn.layout,
      comparison,
      content_digest: drawn.html === null ? null : contentDigest(context, instrument, drawn, { ...digests, decisions }),
    });
  }
  return { locales, decisions, verdict };
}

/** The page gates decide once per locale; each locale must have its full set. */
function fold(shop: Workshop, dossier: Dossier, decisions: Verified["decisions"], localeCount: number) {
  const { policy } = shop.context;
  if (!dossier.is_admitted) return foldVerdict(policy, ["admission"], decisions);
  const early = decisions.slice(0, dossier.decisions.length);
  const late = decisions.slice(dossier.decisions.length);
  const each = late.length / Math.max(localeCount, 1);
  const pages = Array.from({ length: Math.max(localeCount, 1) }, (_, index) =>
    late.slice(index * each, (index + 1) * each),
  );
  const folds = [
    foldVerdict(policy, ["admission", "data"], early),
    ...pages.map((page) => foldVerdict(policy, ["sentences", "page"], page)),
  ];
  const worst = folds.some(({ verdict }) => verdict === "BLOCK")
    ? "BLOCK"
    : folds.some(({ verdict }) => verdict === "REVIEW")
      ? "REVIEW"
      : "PASS";
  return { verdict: worst, findings: folds.flatMap(({ findings }) => findings) } as const;
}

async function readBack(
  shop: Workshop,
  instrument: Instrument,
  page: Rendered,
  second: Recalculated | null,
): Promise<PageRead> {
  if (page.html === null || page.card === null) return NOTHING_READ;
  const { objects } = shop.context;
  const layout = page.layout === null ? null : await shop.book.open<PageLayout>(page.layout);
  const [html, card] = await Promise.all([objects.get(page.html), objects.get(page.card)]);
  const view = JSON.parse(card.toString("utf8")) as Card;
  const composed = await shop.book.open<Composed>(page.composed);
  return { layout, composed, ...readBackPage(shop.context, instrument, view, html.toString("utf8"), second) };
}
