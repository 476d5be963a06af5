/**
 * Which disclosures a card carries: those that the channel's policy demands of it, with those of its type contract and
 * what concerns our own sources, in one fixed order. Prints texts whole and unaltered.
 */

import type { TypeContract } from "../../templates/product-types/contract.ts";
import type { Locale } from "../domain/locale.ts";
import { AssayError } from "../domain/outcome.ts";
import type { Card } from "../schema/card.ts";
import { type CardTerms, requiredDisclosures } from "../schema/card-terms.ts";
import type { Instrument } from "../schema/instrument.ts";
import type { Policy } from "../schema/policy.ts";

export type DisclosureTexts = Record<string, Record<Locale, string>>;

/** What matters most to a loss comes first; what concerns our own sources comes last. */
const ORDER = [
  "demonstration_data",
  "ai_generated",
  "leverage_daily_reset",
  "inverse",
  "crypto",
  "covered_call",
  "synthetic_replication",
  "past_performance",
  "performance_quoted",
  "principal_loss",
  "not_deposit",
  "prospectus_offer",
  "duty_to_explain",
  "fees",
  "net_of_fees",
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
  policy: Pick<Policy["disclosures"], "all" | "by_product_type" | "when">;
  instrument: Instrument;
  terms: Omit<CardTerms, "channel" | "locale">;
  is_client_delivery_allowed: boolean;
}

export function disclosureIds({ contract, policy, instrument, terms, ...rights }: DisclosureTerms): string[] {
  const ids = new Set([...contract.disclosures, ...requiredDisclosures(policy, instrument, terms)]);
  if (!rights.is_client_delivery_allowed) ids.add("source_rights");
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
