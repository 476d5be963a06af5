/** Tool: the edges of the causal register that concern one product, and whether a sentence may say why by them. */
import { z } from "zod";
import { defineTool, type Tool } from "../../agents/tool.ts";
import type { JsonValue } from "../../schema/turn.ts";
import { edgesConcerning } from "../edges.ts";
import { type Desk, readScopes } from "./desk.ts";
import { edgeSource, instrumentInput, NOT_ON_DESK, onDesk } from "./sources.ts";

const input = z.strictObject({ instrument: instrumentInput });

export function readCausalEdges(desk: Desk): Tool {
  return defineTool({
    name: "read_causal_edges",
    version: "1",
    description:
      "Edges of the causal register that hold for the product or that its research names: cause, effect, mechanism, sign, lag, assumptions, alternatives, counter-evidence, falsifier, and `faults`. Only an edge without faults may carry a claim that says why (its id goes into causal_edge); any other may not be said as a cause at all.",
    input,
    effect: "read",
    scope: ({ instrument }) => ({ read: [readScopes(instrument).research] }),
    run: ({ instrument }) => {
      const own = onDesk(desk, instrument);
      if (own === null) return NOT_ON_DESK;
      const found = edgesConcerning(own, desk.as_of);
      if (found.length === 0) return { status: "EMPTY", code: "NO_EDGE" };
      const content = found.map(({ edge, faults }) => {
        const { history, regime: _, ...said } = edge;
        return { ...said, state: history.at(-1)?.state ?? null, faults };
      });
      return {
        status: "OK",
        content: content as unknown as JsonValue,
        sources: found.map(({ edge }) => ({ id: edgeSource(edge.id), range: null })),
      };
    },
  });
}
