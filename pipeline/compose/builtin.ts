/**
 * `builtin:`: a gateway that needs no key and no network. It plays each role by that role's own method, through the same tools as
 * any model, a turn at a time, from nothing but what it is sent. It keeps no state.
 */
import type { Gateway, GatewayAnswer, GatewayRequest, ProposedCall } from "../agents/gateway.ts";
import { AssayError } from "../domain/outcome.ts";
import { findRole } from "./roles/index.ts";
import { hasCalled, seenIn } from "./roles/seen.ts";

/** Of a role: `compose/challenger`. */
export const builtinModel = (role: string) => `compose/${role}`;

export const builtinComposer: Gateway = {
  provider: "builtin",
  answer: async (request) => toAnswer(request),
};

function toAnswer({ model, messages }: GatewayRequest): GatewayAnswer {
  const role = findRole(model.replace(/^compose\//, ""));
  if (role === undefined) throw new AssayError("MODEL_REJECTED", `builtin: has no ${model}`, { retry: "never" });
  const turn = messages.filter(({ role: by }) => by === "assistant").length + 1;
  const seen = seenIn(messages);
  // An end that was refused stays refused: there is no output, and none will come.
  const wanted = hasCalled(seen, "finish") ? [] : role.method(seen);
  const calls = wanted.map(
    (call, index): ProposedCall => ({ call_id: `${turn}-${index + 1}`, malformed: null, ...call }),
  );
  const isDone = calls.length === 0;
  return {
    text: isDone ? "What is at hand allows nothing more." : "",
    calls,
    stop: isDone ? "end" : "calls",
    discarded: [],
    usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 },
    cost_microusd: 0,
    latency_ms: 0,
    attempts: 1,
  };
}
