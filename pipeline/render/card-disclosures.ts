/**
 * Which disclosures a card carries: those of its type contract and those that its own instrument calls for, in one
 * fixed order. Reads fields of the universe, never a description.
 */

import type { TypeContract } from "../../templates/product-types/contract.ts";
import type { Locale } from "../domain/locale.ts";
import { AssayError } from "../domain/outcome.ts";
import type { Card } from "../schema/card.ts";
import type { Instrument } from "../schema/instrument.ts";

export type DisclosureTexts = Record<string, Record<Locale, string>>;

/** What matters most to a loss comes first; what concerns our own sources comes last. */
const ORDER = [
  "demonstration_data",
  "leverage_daily_reset",
  "inverse",
  "crypto",
  "covered_call",
  "synthetic_replication",
  "past_performance",
  "principal_loss",
  "not_deposit",
  "fees",
  "currency_unhedged",
  "currency_hedged",
  "currency_if_foreign",
  "bond_rate",
  "money_market",
  "commodity_futures",
  "concentration",
  "distribution_not_assured",
  "total_return_basis",
  "comparison_etf",
  "source_rights",
];

export interface DisclosureTerms {
  contract: TypeContract;
  instrument: Instrument;
  benchmark: Instrument | null;
  reporting_currency: string;
  is_demonstration: boolean;
  is_client_delivery_allowed: boolean;
}

export function disclosureIds(terms: DisclosureTerms): string[] {
  const { instrument, benchmark } = terms;
  const ids = new Set(terms.contract.disclosures);
  if (instrument.fx_hedged) ids.add("currency_hedged");
  else if (isForeign(instrument, benchmark, terms.reporting_currency)) ids.add("currency_unhedged");
  // Without a comparison ETF no field says where a fund in the reporting currency invests: the text is conditional.
  else if (benchmark === null) ids.add("currency_if_foreign");
  // Korean listing rules put 합성 in the registered name of every swap-based ETF: a field, not a guess from prose.
  if (instrument.market === "KR" && /합성/.test(instrument.name_ko)) ids.add("synthetic_replication");
  if (benchmark !== null) ids.add("comparison_etf");
  if (terms.is_demonstration) ids.add("demonstration_data");
  if (!terms.is_client_delivery_allowed) ids.add("source_rights");
  return [...ids].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
}

export function disclosureTexts(ids: readonly string[], texts: DisclosureTexts, locale: Locale): Card["disclosures"] {
  return ids.map((id) => {
    const text = texts[id]?.[locale];
    if (text === undefined) {
      throw new AssayError("DISCLOSURE_MISSING", `no disclosure text ${id} in ${locale}`, {
        hint: "add it to gates/policy/disclosures.v1.yaml",
      });
    }
    return { id, text };
  });
}

/** Its own currency, or that of the ETF it is compared with, is not the one the reader reckons in. */
export function isForeign(instrument: Instrument, benchmark: Instrument | null, reportingCurrency: string): boolean {
  return (
    instrument.currency !== reportingCurrency || (benchmark !== null && benchmark.currency !== instrument.currency)
  );
}

function rankOf(id: string): number {
  const rank = ORDER.indexOf(id);
  return rank < 0 ? ORDER.length : rank;
}
