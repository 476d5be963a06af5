/** Asks the second path for figures and says whether it agrees with the first, as printed. Computes nothing itself. */
import { z } from "zod";
import { defineTool, type Tool } from "../../agents/tool.ts";
import { LOCALES } from "../../domain/locale.ts";
import { print } from "../../domain/print.ts";
import type { Fact } from "../../schema/fact.ts";
import type { RecalculatedFigure } from "../../schema/recalculated.ts";
import { type Desk, readScopes } from "./desk.ts";
import { figureInput, instrumentInput, recalculatedSource } from "./sources.ts";

const input = z.strictObject({ instrument: instrumentInput, figures: z.array(figureInput).min(1).max(100) });

export function recalculateFigures(desk: Desk): Tool {
  return defineTool({
    name: "recalculate",
    version: "1",
    description: `What the second calculation, made by other code from the same frozen bytes, has for these figures. matches: it
prints the same as the first. A figure with matches false must not be relied on.`,
    input,
    effect: "read",
    scope: ({ instrument }) => ({ read: [readScopes(instrument).recalculation] }),
    async run({ instrument, figures }) {
      const product = desk.products.get(instrument);
      const second = (await product?.recalculated()) ?? null;
      if (product === undefined || second === null) return { status: "EMPTY", code: "NO_RESULT" };
      const results = new Map(second.figures.map((one) => [one.figure, one]));
      const asked = [...new Set(figures)];
      return {
        status: "OK",
        content: asked.map((figure) => {
          const result = results.get(figure);
          const { status = "ABSENT", value = null } = result ?? {};
          return { figure, status, value, matches: isSame(product.facts.get(figure), result) };
        }),
        sources: asked
          .filter((figure) => results.has(figure))
          .map((figure) => ({ id: recalculatedSource(instrument, figure), range: null })),
      };
    },
  });
}

/** As far as it is printed: the fact's rule rounds, and the second path prints by rules of its own. */
function isSame(fact: Fact | undefined, second: RecalculatedFigure | undefined): boolean {
  if (fact === undefined || second === undefined || fact.status !== second.status) return false;
  const { value } = fact;
  if (value === null || second.printed === null) return value === null && second.value === null;
  const { printed } = second;
  return LOCALES.every((locale) => print(fact.print_rule, value, locale, fact.currency) === printed[locale]);
}
