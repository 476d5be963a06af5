/** The product's last sealed version, as a reader may see it. That there is none is told as that. */
import { z } from "zod";
import { defineTool, type Tool } from "../../agents/tool.ts";
import { type Desk, readScopes } from "./desk.ts";
import { instrumentInput } from "./sources.ts";

export function readSealedVersion(desk: Desk): Tool {
  return defineTool({
    name: "read_sealed_version",
    version: "1",
    description: "The product's card that was sealed last, with its seal; what it says held when it was sealed.",
    input: z.strictObject({ instrument: instrumentInput }),
    effect: "read",
    scope: ({ instrument }) => ({ read: [readScopes(instrument).versions] }),
    async run({ instrument }) {
      const sealed = (await desk.products.get(instrument)?.sealedVersion()) ?? null;
      if (sealed === null) return { status: "EMPTY", code: "NO_SEALED_VERSION" };
      return { status: "OK", content: sealed, sources: [{ id: `sealed/${instrument}`, range: null }] };
    },
  });
}
