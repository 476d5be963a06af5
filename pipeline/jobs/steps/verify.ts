/**
 * Step `verify`: reads the finished page back, compares it with the second path, asks the page gates, and folds the
 * verdict. A card that is blocked only now is drawn again with its band: nothing blocked leaves without one.
 */
import { digestOf } from "../../domain/digest.ts";
import { AssayError } from "../../domain/outcome.ts";
import { foldVerdict } from "../../gates/run.ts";
import type { Card } from "../../schema/card.ts";
import type { Chart } from "../../schema/fact.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { Recalculated } from "../../schema/recalculated.ts";
import type { Dossier, Rendered, Verified } from "../../schema/step-documents.ts";
import { comparePage, judgePage } from "./judge-page.ts";
import { peers } from "./peers.ts";
import { recalculate } from "./recalculate.ts";
import { bandOf, draw, render } from "./render.ts";
import { type Recorded, stepKey, type VersionIdentity } from "./step.ts";
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
    recalculated: await recalculate(shop, instrument).catch(withoutSecondPath),
  };
  const id = { step: "verify" as const, instrument: instrument.instrument, locale: null };
  return book.do(id, verifyKey(shop, instrument, inputs), async () => {
    const dossier = await book.read<Dossier>(inputs.dossier);
    const second = inputs.recalculated === null ? null : await book.read<Recalculated>(inputs.recalculated);
    const pages = await Promise.all(inputs.rendered.map((recorded) => book.read<Rendered>(recorded)));
    const judged = await book.timed("gates", () => judge(shop, instrument, inputs, dossier, second, pages));
    const document: Verified = {
      schema: "verified/v1",
      instrument: instrument.instrument,
      dossier: inputs.dossier.output,
      recalculated: inputs.recalculated?.output ?? null,
      ...judged,
    };
    const versions = document.locales.flatMap(({ locale, content_digest }) =>
      content_digest === null ? [] : [identityOf(shop, instrument, locale, content_digest)],
    );
    const body = { instrument: instrument.instrument, verdict: document.verdict, versions };
    return { document, versions, events: [{ type: "card_verified/v1", body }] };
  });
}

async function judge(
  shop: Workshop,
  instrument: Instrument,
  inputs: VerifyInputs,
  dossier: Dossier,
  second: Recalculated | null,
  pages: Rendered[],
): Promise<Pick<Verified, "locales" | "decisions" | "verdict">> {
  const { context } = shop;
  const read = await Promise.all(pages.map((page) => readBack(shop, instrument, page, second)));
  const chart = dossier.chart === null ? null : await shop.book.open<Chart>(dossier.chart);
  const decisions = [...dossier.decisions];
  if (dossier.is_admitted) {
    for (const { card, comparison } of read) {
      decisions.push(...judgePage(context, instrument, { facts: dossier.facts, chart }, card, comparison));
    }
  }
  const { verdict } = fold(shop, dossier, decisions, read.length);
  const locales: Verified["locales"] = [];
  for (const { page, card, comparison } of read) {
    const drawn =
      card !== null && page.band !== bandOf(verdict)
        ? await draw(shop, instrument, page.locale, card, bandOf(verdict))
        : page;
    locales.push({
      locale: page.locale,
      card: drawn.card,
      html: drawn.html,
      png: drawn.png,
      comparison,
      content_digest: drawn.html === null ? null : contentDigest(shop, instrument, drawn, inputs, decisions),
    });
  }
  return { locales, decisions, verdict };
}

/** A product that the second path refuses is the gates' to block; a fault of the machine is not the product's. */
function withoutSecondPath(fault: unknown): null {
  if (fault instanceof AssayError && ["RECALCULATION_FAILED", "PAYLOAD_DIFFERS"].includes(fault.code)) return null;
  throw fault;
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
    ...pages.map((page) => foldVerdict(policy, ["page"], page)),
  ];
  const worst = folds.some(({ verdict }) => verdict === "BLOCK")
    ? "BLOCK"
    : folds.some(({ verdict }) => verdict === "REVIEW")
      ? "REVIEW"
      : "PASS";
  return { verdict: worst, findings: folds.flatMap(({ findings }) => findings) } as const;
}

async function readBack(shop: Workshop, instrument: Instrument, page: Rendered, second: Recalculated | null) {
  if (page.html === null || page.card === null) return { page, card: null, comparison: null };
  const { objects } = shop.context;
  const [html, card] = await Promise.all([objects.get(page.html), objects.get(page.card)]);
  const view = JSON.parse(card.toString("utf8")) as Card;
  const comparison =
    second === null ? null : comparePage(shop.context, instrument, page.locale, html.toString("utf8"), second);
  return { page, card: view, comparison };
}

/** What a version is: the page, the picture, and every document that they rest on. No state, person or run clock. */
function contentDigest(
  { context }: Workshop,
  instrument: Instrument,
  page: Rendered,
  inputs: VerifyInputs,
  decisions: Verified["decisions"],
): string {
  return digestOf("card_content", {
    instrument,
    locale: page.locale,
    card: page.card,
    html: page.html,
    png: page.png,
    dossier: inputs.dossier.output,
    recalculated: inputs.recalculated?.output ?? null,
    decisions,
    policy: context.policy.digest,
    versions: context.code,
  });
}

/** tenant × batch × instrument × channel × locale × content: equal content is the same version. */
function identityOf(
  { context }: Workshop,
  instrument: Instrument,
  locale: string,
  content_digest: string,
): VersionIdentity {
  const { id: batch, channel } = context.frozen.batch;
  const identity = { instrument: instrument.instrument, channel, locale, content_digest };
  return { version_id: digestOf("card_version", { tenant: context.tenant, batch, ...identity }), ...identity };
}
