/** Tool: exact values of figures of one product that are OK. */
import { z } from "zod";
import { defineTool, type Tool } from "../../agents/tool.ts";
import { type Desk, readScopes } from "./desk.ts";
import { factSource, figureInput, instrumentInput, NOT_ON_DESK, onDesk } from "./sources.ts";

const FIGURES_MAX = 200;

const input = z.strictObject({ instrument: instrumentInput, figures: z.array(figureInput).min(1).max(FIGURES_MAX) });

export function readFacts(desk: Desk): Tool {
  return defineTool({
    name: "read_facts",
    version: "2",
    description:
      "Exact values of figures that are OK, with unit, kind and the sessions they run from and to. The host prints them: a claim binds a figure and never repeats its value. A figure that is not in the result has no value.",
    input,
    effect: "read",
    scope: ({ instrument }) => ({ read: [readScopes(instrument).facts] }),
    run: ({ instrument, figures }) => {
      const own = onDesk(desk, instrument);
      if (own === null) return NOT_ON_DESK;
      const known = [...new Set(figures)].flatMap((id) => {
        const fact = own.facts.get(id);
        return fact?.status === "OK" ? [{ id, fact }] : [];
      });
      if (known.length === 0) return { status: "EMPTY", code: "NO_FIGURE_OK" };
      return {
        status: "OK",
        content: known.map(({ id, fact }) => ({
          figure: id,
          value: fact.value,
          unit: fact.unit,
          currency: fact.currency,
          type: fact.epistemic_type,
          start_session: fact.start_session,
          end_session: fact.end_session,
        })),
        sources: known.map(({ id }) => ({ id: factSource(instrument, id), range: null })),
      };
    },
  });
}
