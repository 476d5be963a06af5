/**
 * Settled turns as a summary that leads back to its sources: which calls, what came of them, receipts and digests, first
 * lines. Made by the host from the journal, not by a model; what people said is not in it and stays as it was.
 */
import { canonicalJson, digestOf } from "../domain/digest.ts";
import type { JsonValue } from "../schema/turn.ts";
import { markAsData } from "./marked.ts";
import type { TurnState } from "./run-state.ts";

const LINE_MAX = 160;

export function summarise(turns: readonly TurnState[], documentOf: (digest: string) => JsonValue): string {
  const lines = turns.flatMap(({ turn, calls }) => [
    `turn ${turn.seq} (${digestOf("model_turn", turn).slice(0, 16)}), said: ${firstLine(turn.text) || "nothing"}`,
    ...calls.map(({ key, proposed, receipts }) => {
      const { outcome, code, view_digest, sources } = receipts.at(-1)!;
      const came = [outcome, code, view_digest === null ? null : `result ${view_digest.slice(0, 16)}`];
      const begins = view_digest === null ? "" : `, begins: ${firstLine(canonicalJson(documentOf(view_digest)))}`;
      const read =
        sources.length === 0
          ? ""
          : `, read: ${sources
              .map(({ id }) => id)
              .join(" ")
              .slice(0, LINE_MAX)}`;
      return `  ${key} ${proposed.tool} ${firstLine(canonicalJson(proposed.arguments))}: ${came.filter(Boolean).join(" ")}${read}${begins}`;
    }),
  ]);
  const [first, last] = [turns[0]!.turn.seq, turns.at(-1)!.turn.seq];
  return markAsData(`the host's record of turns ${first} to ${last}, shortened`, lines.join("\n"));
}

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0]!;
  return line.length > LINE_MAX ? `${line.slice(0, LINE_MAX)}…` : line;
}
