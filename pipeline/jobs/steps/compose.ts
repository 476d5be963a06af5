/**
 * Step `compose`: what may be said of one product in one locale. A composer proposes, the host prints, the sentence gates judge
 * before anything is drawn; what fails is held with its findings and stays off the card. What admission refused is not composed.
 */
import { openAnalysers } from "../../compose/language/open.ts";
import { printClaim } from "../../compose/print-slots.ts";
import { runComposer } from "../../compose/run-composer.ts";
import type { Locale } from "../../domain/locale.ts";
import type { ClaimRecord } from "../../schema/claim.ts";
import type { Composed } from "../../schema/composed.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { Recalculated } from "../../schema/recalculated.ts";
import type { Dossier } from "../../schema/step-documents.ts";
import { benchmarkOf } from "../context.ts";
import { productDesk } from "./desk.ts";
import { judgeClaims } from "./judge-claims.ts";
import { peers } from "./peers.ts";
import { recalculatedOrNone } from "./recalculate.ts";
import { type Recorded, stepKey } from "./step.ts";
import { namesFor, vocabularyFor } from "./vocabulary.ts";
import type { Workshop } from "./workshop.ts";

export interface ComposeInputs {
  dossier: Recorded;
  /** Null when the second path has no result: then no claim with a figure is supported. */
  recalculated: Recorded | null;
}

export function composeKey(
  { context, composer }: Workshop,
  instrument: Instrument,
  locale: Locale,
  inputs: ComposeInputs,
) {
  const { as_of, reporting_currency } = context.terms;
  return stepKey("compose", {
    code: context.code.compose,
    composer: { provider: composer.provider, model: composer.model },
    dossier: inputs.dossier.output,
    recalculated: inputs.recalculated?.output ?? null,
    row: instrument,
    benchmark: benchmarkOf(context, instrument),
    batch: { as_of, reporting_currency, sources: context.frozen.batch.sources.map(({ id, vendor }) => [id, vendor]) },
    policy: context.policy.digest,
    locale,
  });
}

export async function compose(shop: Workshop, instrument: Instrument, locale: Locale): Promise<Recorded> {
  const { book } = shop;
  const inputs: ComposeInputs = {
    dossier: await peers(shop, instrument),
    recalculated: await recalculatedOrNone(shop, instrument),
  };
  const id = { step: "compose" as const, instrument: instrument.instrument, locale };
  const key = composeKey(shop, instrument, locale, inputs);
  return book.do(id, key, async () => {
    const dossier = await book.read<Dossier>(inputs.dossier);
    if (!dossier.is_admitted) return { document: nothingComposed(instrument.instrument, locale) };
    await openAnalysers();
    const document = await book.timed("compose", () =>
      composeClaims(shop, { instrument, locale, key }, dossier, inputs),
    );
    return { document };
  });
}

async function composeClaims(
  { book, composer, context }: Workshop,
  { instrument, locale, key }: { instrument: Instrument; locale: Locale; key: string },
  dossier: Dossier,
  { recalculated }: ComposeInputs,
): Promise<Composed> {
  const { as_of } = context.terms;
  const own = productDesk(context, instrument, locale, {
    dossier,
    recalculated: async () => (recalculated === null ? null : book.read<Recalculated>(recalculated)),
    sealedVersion: async () => null,
  });
  const desk = { locale, as_of, products: new Map([[instrument.instrument, own]]) };
  // Other inputs are another run: what a model said of the old ones is not taken for the new.
  const name = `compose/${instrument.instrument}/${locale}/${key.slice(0, 16)}`;
  const {
    claims,
    run,
    ends: _,
    ...told
  } = await composer.within(name, as_of, (means) =>
    runComposer(desk, instrument.instrument, { tenant: context.tenant, ...means }),
  );
  const names = namesFor(context, instrument, locale);
  const judged = judgeClaims(
    context,
    await openAnalysers(),
    instrument,
    locale,
    dossier.facts,
    claims,
    names,
    told.searches,
  );
  const { entities } = vocabularyFor(context, instrument, locale);
  const drawn = (record: ClaimRecord) => ({ record, runs: printClaim(record, { facts: own.facts, entities }) });
  return {
    ...nothingComposed(instrument.instrument, locale),
    provider: composer.provider,
    model: composer.model,
    ...told,
    claims: claims.filter(({ id }) => !judged.findings.has(id)).map(drawn),
    held: claims.flatMap((record) => {
      const findings = judged.findings.get(record.id);
      if (findings === undefined) return [];
      const verdict = findings.some(({ severity }) => severity === "BLOCK") ? "BLOCK" : "REVIEW";
      return [{ ...drawn(record), verdict, findings }];
    }),
    checks: judged.checks,
    run: await book.keep(run),
  };
}

/** What is composed where nothing may be said. */
export function nothingComposed(instrument: string, locale: Locale): Composed {
  return {
    schema: "composed/v1",
    instrument,
    locale,
    provider: null,
    model: null,
    claims: [],
    held: [],
    refused: [],
    disagreements: [],
    gaps: [],
    reviews: [],
    searches: [],
    checks: 0,
    end: null,
    run: null,
  };
}
