/** Tool: where a product stands among its peers, as far as that is known. */
import { z } from "zod";
import { defineTool, type Tool } from "../../agents/tool.ts";
import { type Desk, readScopes } from "./desk.ts";
import { factSource, instrumentInput, NOT_ON_DESK, onDesk } from "./sources.ts";

const input = z.strictObject({ instrument: instrumentInput });

export function comparePeers(desk: Desk): Tool {
  return defineTool({
    name: "compare_peers",
    version: "2",
    description:
      "A product's place among its peers, their number, and their median return by window, as figures that a claim can bind. A place is said with the number of peers and the date.",
    input,
    effect: "read",
    scope: ({ instrument }) => ({ read: [readScopes(instrument).facts] }),
    run: ({ instrument }) => {
      const own = onDesk(desk, instrument);
      if (own === null) return NOT_ON_DESK;
      const found = [...own.facts].filter(([id, { status }]) => id.startsWith("peer_") && status === "OK");
      if (found.length === 0) return { status: "EMPTY", code: "NO_PEERS" };
      return {
        status: "OK",
        content: found.map(([id, fact]) => ({ figure: id, value: fact.value, type: fact.epistemic_type })),
        sources: found.map(([id]) => ({ id: factSource(instrument, id), range: null })),
      };
    },
  });
}
