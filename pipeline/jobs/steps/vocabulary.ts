/** Names, identifiers and labels that a card's words and numerals may equal, from the frozen documents: for those who print and those who judge. */
import { namesOf } from "../../compose/plain-sentences.ts";
import type { Locale } from "../../domain/locale.ts";
import { type PageVocabulary, pageVocabulary } from "../../render/page-vocabulary.ts";
import type { Instrument } from "../../schema/instrument.ts";
import { benchmarkOf, type RunContext } from "../context.ts";

export function vocabularyFor(context: RunContext, instrument: Instrument, locale: Locale): PageVocabulary {
  return pageVocabulary({
    batchId: context.frozen.batch.id,
    instrument,
    benchmark: benchmarkOf(context, instrument),
    sources: context.frozen.batch.sources.map(({ id, vendor }) => ({ id, vendor })),
    disclosures: context.policy.disclosures,
    locale,
  });
}

export interface CardNames {
  /** Of the product, its comparison, its sources and its research. */
  registered: string[];
  /** Names that each language's lexicon knows. */
  common: Readonly<Record<Locale, readonly string[]>>;
}

/** A name of the research is no name where it holds no numeral: it could fold any words away. */
export function namesFor(context: RunContext, instrument: Instrument, locale: Locale): CardNames {
  const { entities, identifiers } = vocabularyFor(context, instrument, locale);
  const own = (context.research.get(instrument.instrument)?.definition.names ?? []).filter((name) =>
    /\p{N}/u.test(name),
  );
  return {
    registered: [...Object.values(entities), ...Object.values(identifiers), ...own],
    common: namesOf(context.policy.lexicons),
  };
}
