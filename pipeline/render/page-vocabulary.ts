/**
 * What a page's classed numerals must equal, by the names that `data-of` uses: made from the frozen documents and the
 * locale alone, never from the card view, so that a card cannot vouch for itself.
 */
import { multipleBadge, windowLabel } from "../../templates/locales/index.ts";
import type { Locale } from "../domain/locale.ts";
import type { Instrument } from "../schema/instrument.ts";
import type { DisclosureTexts } from "./card-disclosures.ts";
import { TEMPLATE } from "./card-view.ts";

export interface PageVocabulary {
  identifiers: Record<string, string>;
  entities: Record<string, string>;
  /** Window label of a figure id; null where the figure has no window. */
  labels: (figure: string) => string | null;
  legal: Record<string, string>;
}

export function pageVocabulary(options: {
  batchId: string;
  instrument: Instrument;
  benchmark: Instrument | null;
  sources: readonly { id: string; vendor: string }[];
  disclosures: DisclosureTexts;
  locale: Locale;
}): PageVocabulary {
  const { instrument, benchmark, locale } = options;
  return {
    identifiers: {
      ticker: instrument.ticker,
      isin: instrument.isin,
      exposure_multiple: multipleBadge(instrument.exposure_multiple, locale),
      template: TEMPLATE,
      batch: options.batchId,
    },
    entities: {
      name_ko: instrument.name_ko,
      name_en: instrument.name_en,
      issuer: instrument.issuer,
      ...(benchmark === null ? {} : { "benchmark.name_ko": benchmark.name_ko, "benchmark.name_en": benchmark.name_en }),
      ...Object.fromEntries(options.sources.map(({ id, vendor }) => [`vendor.${id}`, vendor])),
    },
    labels: (figure) => windowLabel(figure, locale),
    legal: Object.fromEntries(Object.entries(options.disclosures).map(([id, texts]) => [id, texts[locale]])),
  };
}
