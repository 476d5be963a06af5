/** The page of the invented product as drawn, good on every channel: all texts that any policy demands, figures at one size. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Locale } from "../../pipeline/domain/locale.ts";
import type { SuppliedEvidence } from "../../pipeline/gates/evidence.ts";
import type { LayoutBox } from "../../pipeline/schema/layout.ts";

const file = new URL("../../pipeline/gates/policy/disclosures.v1.yaml", import.meta.url);
const { texts } = parse(readFileSync(file, "utf8")) as { texts: Record<string, { text: Record<Locale, string> }> };

const DISCLOSURES = [
  "past_performance",
  "performance_quoted",
  "not_deposit",
  "duty_to_explain",
  "prospectus_offer",
  "fees",
  "net_of_fees",
  "currency_unhedged",
  "total_return_basis",
  "comparison_etf",
  // Last, so that a case can add a second piece of it.
  "principal_loss",
];
const HEADLINE = [
  "total_return.6m",
  "total_return.1y",
  "total_return.3y",
  "total_return_annualised.5y",
  "price_return.1y",
  "distribution_yield.ttm",
  "total_expense_ratio",
];

export function basePage(locale: Locale): Pick<SuppliedEvidence, "card_terms" | "layout"> {
  const boxes = [
    ...HEADLINE.map((figure, index) =>
      box({ text: `+${index}.00%`, y: 400 + 50 * index, font_px: 56, figure, where: "tiles" }),
    ),
    ...DISCLOSURES.map((disclosure, index) =>
      box({
        text: texts[disclosure]!.text[locale],
        y: 2000 + 40 * index,
        font_px: 20,
        disclosure,
        where: "disclosures",
      }),
    ),
  ];
  return {
    card_terms: {
      channel: "internal-review",
      locale,
      is_foreign_currency: true,
      is_compared: true,
      is_demonstration: false,
      composed: { count: 0, model: null, end: null },
    },
    layout: { schema: "page_layout/v1", width: 1080, height: 2600, boxes },
  };
}

export function box(some: Partial<LayoutBox>): LayoutBox {
  return {
    text: "",
    x: 56,
    y: 0,
    width: 400,
    height: 30,
    font_px: 20,
    font_weight: 400,
    contrast: 18.4,
    hidden: null,
    figure: null,
    absent: null,
    disclosure: null,
    where: null,
    ...some,
  };
}

/** What a case calls a box by. */
export function boxKey({ disclosure, figure, absent, text }: LayoutBox): string {
  return disclosure ?? figure ?? absent ?? text;
}
