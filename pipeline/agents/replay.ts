/**
 * A gateway that answers with the turns a task sealed before, in their order, and asks no model: what `replay` runs a task
 * with. The host runs every call again; equal outputs then follow from equal turns.
 */
import { AssayError } from "../domain/outcome.ts";
import type { ModelTurn } from "../schema/turn.ts";
import type { Gateway } from "./gateway.ts";

export function replayGateway(turns: readonly ModelTurn[]): Gateway {
  let next = 0;
  return {
    provider: turns[0]?.provider ?? "replay",
    async answer() {
      const turn = turns[next];
      if (turn === undefined) {
        throw new AssayError(
          "REPLAY_EXHAUSTED",
          `only ${turns.length} turns are sealed, and the task asks for another`,
          {
            hint: "The tools answered otherwise than they did: compare the receipts.",
          },
        );
      }
      next += 1;
      const { text, calls, stop, discarded, usage, cost_microusd } = turn;
      return { text, calls, stop, discarded, usage, cost_microusd, latency_ms: 0, attempts: 1 };
    },
  };
}
