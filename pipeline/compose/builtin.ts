/**
 * `builtin:composer`: a gateway that needs no key and no network. It works through the same tools as any model, a turn at a
 * time, from nothing but what it is sent: look at what there is, read it, hand claims in, finish. It keeps no state.
 */
import type { Gateway, GatewayAnswer, GatewayMessage, GatewayRequest, ProposedCall } from "../agents/gateway.ts";
import type { Locale } from "../domain/locale.ts";
import type { EpistemicType } from "../schema/claim.ts";
import type { JsonObject, JsonValue } from "../schema/turn.ts";
import { chooseClaims, type KnownFigure, OPPOSING_FIGURES, type ResearchLine } from "./choose.ts";
import { CLAIM_RULES } from "./rules/by-type.ts";
import type { Product } from "./rules/rule.ts";

export const BUILTIN_MODEL = "composer";

export const builtinComposer: Gateway = {
  provider: "builtin",
  answer: (request) => Promise.resolve(toAnswer(request)),
};

type Wanted = Pick<ProposedCall, "tool"> & { arguments: JsonObject };

function toAnswer({ messages }: GatewayRequest): GatewayAnswer {
  const turn = messages.filter(({ role }) => role === "assistant").length + 1;
  const calls = nextCalls(messages).map(
    (call, index): ProposedCall => ({ call_id: `${turn}-${index + 1}`, malformed: null, ...call }),
  );
  const isDone = calls.length === 0;
  return {
    text: isDone ? "The figures at hand allow no sentence." : "",
    calls,
    stop: isDone ? "end" : "calls",
    discarded: [],
    usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 },
    cost_microusd: 0,
    latency_ms: 0,
    attempts: 1,
  };
}

/** What was asked is not asked again, whatever came of it: a call that failed leaves its material out. */
function nextCalls(messages: readonly GatewayMessage[]): Wanted[] {
  const results = new Map<string, JsonValue | null>();
  for (const message of messages) {
    if (message.role !== "tool") continue;
    for (const { tool, output, is_error } of message.results) results.set(tool, is_error ? null : contentOf(output));
  }
  // An end that was refused stays refused: there is no output, and none will come.
  if (results.has("finish")) return [];
  if (!results.has("list_facts")) return [{ tool: "list_facts", arguments: {} }];
  const listed = results.get("list_facts") as unknown as Listed | null;
  if (listed === null || results.has("submit_claims")) return [FINISH];
  if (!results.has("read_facts")) {
    const figures = listed.figures.filter(({ figure, status }) => status === "OK" && ASKED.has(figure));
    if (figures.length === 0) return [FINISH];
    return [
      { tool: "read_facts", arguments: { figures: figures.map(({ figure }) => figure) } },
      { tool: "read_research", arguments: {} },
      { tool: "compare_peers", arguments: {} },
    ];
  }
  const claims = chooseClaims({
    product: listed.product,
    locale: listed.locale,
    figures: figuresOf(results.get("read_facts"), results.get("compare_peers")),
    research: (results.get("read_research") ?? []) as unknown as ResearchLine[],
  });
  if (claims.length === 0) return [FINISH];
  return [{ tool: "submit_claims", arguments: { claims: claims as unknown as JsonValue } }];
}

const FINISH: Wanted = { tool: "finish", arguments: {} };

/** Every figure that some rule binds or names as the other side. */
const ASKED = new Set([
  ...CLAIM_RULES.flatMap(({ slots }) => Object.values(slots).map((figure) => figure.replace("label/", ""))),
  ...OPPOSING_FIGURES,
]);

interface Listed {
  locale: Locale;
  product: Product;
  figures: { figure: string; status: string }[];
}

function contentOf(output: JsonValue): JsonValue | null {
  const { status, data } = output as { status?: JsonValue; data?: JsonValue };
  return status === "OK" ? (data ?? null) : null;
}

function figuresOf(...results: (JsonValue | null | undefined)[]): Map<string, KnownFigure> {
  const figures = new Map<string, KnownFigure>();
  for (const { figure, value, type, unit } of results.flatMap((one) => (one ?? []) as unknown as ReadFigure[])) {
    const isNumber = unit !== "date" && unit !== "instant" && unit !== "text";
    if (!figures.has(figure)) figures.set(figure, { value, type, isNumber });
  }
  return figures;
}

interface ReadFigure {
  figure: string;
  value: string;
  type: EpistemicType;
  unit?: string;
}
