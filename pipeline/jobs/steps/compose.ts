/**
 * Step `compose`: what may be said of one product in one locale. A composer proposes, the host prints, the sentence gates judge
 * before anything is drawn; what fails is held with its findings and stays off the card. What admission refused is not composed.
 */
import { BUILTIN_MODEL, builtinComposer } from "../../compose/builtin.ts";
import { openAnalysers } from "../../compose/language/open.ts";
import { printClaim } from "../../compose/print-slots.ts";
import { runComposer } from "../../compose/run-composer.ts";
import type { ComposerDesk } from "../../compose/tools.ts";
import type { Locale } from "../../domain/locale.ts";
import type { ClaimRecord } from "../../schema/claim.ts";
import type { Composed } from "../../schema/composed.ts";
import { figureId } from "../../schema/fact.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { Dossier } from "../../schema/step-documents.ts";
import { benchmarkOf, type RunContext } from "../context.ts";
import { judgeClaims } from "./judge-claims.ts";
import { peers } from "./peers.ts";
import { type Recorded, stepKey } from "./step.ts";
import { type CardNames, namesFor, vocabularyFor } from "./vocabulary.ts";
import type { Workshop } from "./workshop.ts";

export function composeKey({ context }: Workshop, instrument: Instrument, locale: Locale, dossier: Recorded) {
  const { as_of, reporting_currency } = context.terms;
  return stepKey("compose", {
    code: context.code.compose,
    composer: [builtinComposer.provider, BUILTIN_MODEL],
    dossier: dossier.output,
    row: instrument,
    benchmark: benchmarkOf(context, instrument),
    batch: { as_of, reporting_currency, sources: context.frozen.batch.sources.map(({ id, vendor }) => [id, vendor]) },
    policy: context.policy.digest,
    locale,
  });
}

export async function compose(shop: Workshop, instrument: Instrument, locale: Locale): Promise<Recorded> {
  const { book, context } = shop;
  const prepared = await peers(shop, instrument);
  const id = { step: "compose" as const, instrument: instrument.instrument, locale };
  return book.do(id, composeKey(shop, instrument, locale, prepared), async () => {
    const dossier = await book.read<Dossier>(prepared);
    if (!dossier.is_admitted) return { document: nothing(instrument, locale) };
    const analysers = await openAnalysers();
    const document = await book.timed("compose", async (): Promise<Composed> => {
      const names = namesFor(context, instrument, locale);
      const desk = deskFor(context, instrument, locale, dossier, names);
      const { submitted, end, run } = await runComposer(desk, {
        tenant: context.tenant,
        gateway: builtinComposer,
        model: BUILTIN_MODEL,
        // Nothing that is kept holds a time, and the composer takes none.
        now: () => context.terms.as_of,
        signal: new AbortController().signal,
      });
      const records = submitted?.claims ?? [];
      const judged = judgeClaims(context, analysers, instrument, locale, dossier.facts, records, names);
      const entities = vocabularyFor(context, instrument, locale).entities;
      const drawn = (record: ClaimRecord) => ({ record, runs: printClaim(record, { facts: desk.facts, entities }) });
      return {
        ...nothing(instrument, locale),
        provider: builtinComposer.provider,
        model: BUILTIN_MODEL,
        claims: records.filter((record) => !judged.findings.has(record.id)).map(drawn),
        held: records.flatMap((record) => {
          const findings = judged.findings.get(record.id);
          if (findings === undefined) return [];
          const verdict = findings.some(({ severity }) => severity === "BLOCK") ? "BLOCK" : "REVIEW";
          return [{ ...drawn(record), verdict, findings }];
        }),
        refused: submitted?.refused ?? [],
        checks: judged.checks,
        end,
        run: await book.keep(run),
      };
    });
    return { document };
  });
}

function deskFor(
  context: RunContext,
  instrument: Instrument,
  locale: Locale,
  dossier: Dossier,
  { registered, common }: CardNames,
): ComposerDesk {
  const benchmark = benchmarkOf(context, instrument);
  return {
    locale,
    as_of: context.terms.as_of,
    product: {
      instrument: instrument.instrument,
      product_type: instrument.product_type,
      is_in_reporting_currency: instrument.currency === context.terms.reporting_currency,
      is_compared_at_home: benchmark?.market === instrument.market,
    },
    facts: new Map(dossier.facts.map((fact) => [figureId(fact), fact])),
    research: context.research.get(instrument.instrument)?.definition ?? null,
    names: [...registered, ...common[locale]],
  };
}

function nothing(instrument: Instrument, locale: Locale): Composed {
  return {
    schema: "composed/v1",
    instrument: instrument.instrument,
    locale,
    provider: null,
    model: null,
    claims: [],
    held: [],
    refused: [],
    checks: 0,
    end: null,
    run: null,
  };
}
