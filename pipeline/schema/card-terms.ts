/**
 * What a card is of, as far as a channel's policy asks: made from the universe's row, the batch and the card, never from
 * a description. What the policy makes follow from it (disclosures, figures that stand together) is worked out here for
 * those who draw and those who judge.
 */
import { addMonths, type DateText } from "../domain/date.ts";
import type { Locale } from "../domain/locale.ts";
import type { Instrument } from "./instrument.ts";
import type { Policy } from "./policy.ts";

export interface CardTerms {
  /** Of the batch; the policy must be that channel's. */
  channel: string;
  locale: Locale;
  /** Its own currency, or that of the ETF it is compared with, is not the one the reader reckons in. */
  is_foreign_currency: boolean;
  /** Shown beside a comparison ETF. */
  is_compared: boolean;
  is_demonstration: boolean;
  /**
   * Sentences that a composer proposed, and its model; null for the built-in composer or when there are none. How its run ended
   * (schema/run-entry); null where none ran.
   */
  composed: { count: number; model: string | null; end: string | null };
}

/** Ids of the disclosures that the policy demands of a card, each once. */
export function requiredDisclosures(
  { all, by_product_type, when }: Pick<Policy["disclosures"], "all" | "by_product_type" | "when">,
  instrument: Pick<Instrument, "product_type" | "fx_hedged" | "exposure_multiple" | "market" | "name_ko">,
  terms: Omit<CardTerms, "channel" | "locale">,
): string[] {
  const { exposure_multiple: multiple } = instrument;
  const ids = [
    ...(terms.is_demonstration ? [when.demonstration] : []),
    ...all.ids,
    ...(by_product_type[instrument.product_type]?.ids ?? []),
    // By the multiple as well as by the type: a row that says one and not the other still warns.
    ...(multiple === "1" ? [] : [when.multiple]),
    ...(multiple.startsWith("-") ? [when.inverse] : []),
    ...currencyIds(when, instrument.fx_hedged, terms),
    // Korean listing rules put 합성 in the registered name of every swap-based ETF: a field, not a guess from prose.
    ...(instrument.market === "KR" && /합성/.test(instrument.name_ko) ? [when.synthetic] : []),
    ...(terms.is_compared ? [when.compared] : []),
    ...(terms.composed.count > 0 ? [when.composed] : []),
  ];
  return [...new Set(ids)];
}

function currencyIds(
  when: Policy["disclosures"]["when"],
  isHedged: boolean,
  terms: Pick<CardTerms, "is_foreign_currency" | "is_compared">,
): string[] {
  if (isHedged) return [when.currency_hedged];
  if (terms.is_foreign_currency) return [when.currency_unhedged];
  // Without a comparison ETF no field says where a fund in the reader's currency invests: the text is conditional.
  return terms.is_compared ? [] : [when.currency_unknown];
}

/** Whether so many months have passed by the cutoff. */
export function isReached(since: DateText, months: number, cutoff: DateText): boolean {
  return addMonths(since, months) <= cutoff;
}

/** Figures that the policy wants together: the set of the greatest age that is reached; of an unknown age the last. */
export function figuresTogether(
  { together }: Pick<Policy["performance"], "together">,
  since: DateText | null,
  cutoff: DateText,
): readonly string[] {
  const byAge = [...together].sort((one, other) => other.from_age_months - one.from_age_months);
  const reached = since === null ? byAge[0] : byAge.find((set) => isReached(since, set.from_age_months, cutoff));
  return reached?.figures ?? [];
}
