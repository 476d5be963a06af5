/** A desk of one product of the demonstration, whose second path agrees with the first unless a test says otherwise. */
import { builtinTerms, type ComposerTerms, runComposer } from "../../pipeline/compose/run-composer.ts";
import type { Desk, ProductDesk } from "../../pipeline/compose/tools/desk.ts";
import type { Locale } from "../../pipeline/domain/locale.ts";
import { print } from "../../pipeline/domain/print.ts";
import type { Fact } from "../../pipeline/schema/fact.ts";
import type { Recalculated, RecalculatedFigure } from "../../pipeline/schema/recalculated.ts";
import { type DemoProduct, demoEdges, NOW, productOf } from "./demo-facts.ts";

export function deskOf(product: DemoProduct, locale: Locale, changes: Partial<ProductDesk> = {}): Desk {
  const { facts, research, instrument } = product;
  const own: ProductDesk = {
    product: productOf(product),
    facts,
    research,
    names: research?.names ?? [],
    own_names: [instrument.instrument, instrument.ticker, instrument.name_ko, instrument.name_en],
    causalEdges: demoEdges(),
    evidence: [],
    recalculated: async () => agreeing(instrument.instrument, facts),
    sealedVersion: async () => null,
    ...changes,
  };
  return { locale, as_of: NOW, products: new Map([[instrument.instrument, own]]) };
}

/** What a second path says that finds the same. */
export function agreeing(instrument: string, facts: ReadonlyMap<string, Fact>): Recalculated {
  return {
    schema: "recalculated/v1",
    instrument,
    figures: [...facts].map(([figure, { status, reason, value, print_rule, currency }]): RecalculatedFigure => {
      const printed = (locale: Locale) => print(print_rule, value!, locale, currency);
      return {
        figure,
        status,
        reason,
        value,
        printed: value === null ? null : { "ko-KR": printed("ko-KR"), "en-US": printed("en-US") },
        formula: "test",
      };
    }),
    chart: null,
  };
}

export function composeOn(desk: Desk, changes: Partial<ComposerTerms> = {}) {
  const [instrument] = desk.products.keys();
  return runComposer(desk, instrument!, {
    tenant: "t",
    ...builtinTerms("compose/test"),
    now: () => NOW,
    signal: new AbortController().signal,
    ...changes,
  });
}

export function composeCard(product: DemoProduct, locale: Locale, changes: Partial<ProductDesk> = {}) {
  return composeOn(deskOf(product, locale, changes));
}
