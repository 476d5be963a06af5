/** Tool: what there is of one product, by name. Gives no value of anything. */
import { z } from "zod";
import { defineTool, type Tool } from "../../agents/tool.ts";
import { sentencesOf } from "../../schema/research.ts";
import { edgesConcerning } from "../edges.ts";
import { type Desk, readScopes } from "./desk.ts";
import { instrumentInput, NOT_ON_DESK, onDesk } from "./sources.ts";

const input = z.strictObject({ instrument: instrumentInput });

export function listFacts(desk: Desk): Tool {
  return defineTool({
    name: "list_facts",
    version: "2",
    description:
      "What is known of a product, by name: ids of the figures that have a value (read them with read_facts), ids of those that have none by reason, how many sentences its research has, which causal edges concern it, and its payloads. Begin here.",
    input,
    effect: "read",
    scope: ({ instrument }) => ({ read: [readScopes(instrument).facts] }),
    run: ({ instrument }) => {
      const own = onDesk(desk, instrument);
      if (own === null) return NOT_ON_DESK;
      const { product, facts, research, evidence } = own;
      const unavailable: Record<string, string[]> = {};
      for (const [id, { status, reason }] of facts) {
        if (status === "OK") continue;
        const why = reason ?? "NO_REASON";
        unavailable[why] = [...(unavailable[why] ?? []), id];
      }
      return {
        status: "OK",
        content: {
          locale: desk.locale,
          as_of: desk.as_of,
          product: { ...product },
          ok: [...facts].flatMap(([id, { status }]) => (status === "OK" ? [id] : [])),
          unavailable,
          research_sentences: research === null ? 0 : sentencesOf(research).length,
          causal_edges: edgesConcerning(own, desk.as_of).map(({ edge }) => edge.id),
          payloads: evidence.map(({ evidence_id, source_id, first_usable_at }) => ({
            evidence_id,
            source_id,
            first_usable_at,
          })),
        },
      };
    },
  });
}
