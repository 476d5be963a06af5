/** A tool of somebody else that has an effect, as one that a person approves first: the very arguments, shown as they are. */
import { z } from "zod";
import { digestOf } from "../../domain/digest.ts";
import { AssayError } from "../../domain/outcome.ts";
import type { JsonObject } from "../../schema/turn.ts";
import type { Tool } from "../tool.ts";
import { approvedEffect } from "./approved-effect.ts";
import type { Requests } from "./requests.ts";

const PREVIEW_MAX = 20_000;

export function withApproval(requests: Requests, terms: { open_ms: number }, tool: Tool): Tool {
  const { name, version, offer, timeout_ms } = tool;
  const approved = approvedEffect(requests, terms, {
    name,
    version,
    description: offer.description,
    input: z.custom<JsonObject>(),
    scope: (input, contract) => tool.scope(input, contract),
    async prepare(input, context) {
      const preview = `${name}\n${JSON.stringify(input, null, 2)}`;
      if (preview.length > PREVIEW_MAX) return { code: "PREVIEW_TOO_LARGE", message: `${preview.length} characters` };
      return {
        arguments: { tool: name, version, input },
        preview,
        async commit() {
          const outcome = await tool.run(input, context);
          if (outcome.status === "FAILED") return { code: outcome.code, message: outcome.message };
          if (outcome.status === "OK") return { reference: `${name}:${digestOf("tool_result", outcome.content)}` };
          // It answered without saying that anything was done.
          throw new AssayError(outcome.code, `${name} did not say what came of it`);
        },
      };
    },
  });
  const { description } = approved.offer;
  return { ...approved, offer: { ...offer, description }, timeout_ms, parse: (args) => tool.parse(args) };
}
