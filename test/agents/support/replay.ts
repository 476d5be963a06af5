/** A gateway that answers with the turns a task sealed before, in their order, and asks no model. The host runs every call again. */
import type { Gateway } from "../../../pipeline/agents/gateway.ts";
import { AssayError } from "../../../pipeline/domain/outcome.ts";
import type { ModelTurn } from "../../../pipeline/schema/turn.ts";

export function replayGateway(turns: readonly ModelTurn[]): Gateway {
  let next = 0;
  return {
    provider: turns[0]?.provider ?? "replay",
    async answer() {
      const turn = turns[next];
      if (turn === undefined) throw new AssayError("REPLAY_EXHAUSTED", `only ${turns.length} turns are sealed`);
      next += 1;
      const { text, calls, stop, discarded, usage, cost_microusd } = turn;
      return { text, calls, stop, discarded, usage, cost_microusd, latency_ms: 0, attempts: 1 };
    },
  };
}
