/**
 * `builtin:answerer`: answers without a model. Code does not guess what words mean, so the question is not read: it hands in
 * sentences made by rule from the figures of the named cards, through the tools and turns that a model would use, and says so first.
 */
import type { Gateway, GatewayAnswer, GatewayRequest, ProposedCall } from "../../agents/gateway.ts";
import { askedFigures, chooseClaims } from "../../compose/choose.ts";
import { figuresOf, type Listed, researchOf } from "../../compose/roles/material.ts";
import { FINISH, type Wanted } from "../../compose/roles/role.ts";
import { contentOf, hasCalled, type Seen, seenIn } from "../../compose/roles/seen.ts";
import type { Locale } from "../../domain/locale.ts";
import { ANSWER_SENTENCES_MAX } from "../../schema/answer.ts";
import type { JsonObject, JsonValue } from "../../schema/turn.ts";

/** What the run's message named: the host's own knowledge, not read out of anybody's words. */
export interface Asked {
  cards: readonly string[];
  locale: Locale;
  expert: string | null;
}

export function builtinAnswerer(asked: Asked): Gateway {
  return { provider: "builtin", answer: async (request) => toAnswer(request, asked) };
}

function toAnswer({ messages, tools }: GatewayRequest, asked: Asked): GatewayAnswer {
  const turn = messages.filter(({ role }) => role === "assistant").length + 1;
  const isOffered = (tool: string) => tools.some(({ name }) => name === tool);
  const calls = nextCalls(seenIn(messages), asked, isOffered).map(
    (call, index): ProposedCall => ({ call_id: `${turn}-${index + 1}`, malformed: null, ...call }),
  );
  return {
    text: "",
    calls,
    stop: calls.length === 0 ? "end" : "calls",
    discarded: [],
    usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 },
    cost_microusd: 0,
    latency_ms: 0,
    attempts: 1,
  };
}

/** What was asked is not asked again, whatever came of it. */
function nextCalls(seen: Seen, { cards, locale, expert }: Asked, isOffered: (tool: string) => boolean): Wanted[] {
  if (hasCalled(seen, "finish")) return [];
  if (hasCalled(seen, "submit_answer")) return [FINISH];
  if (expert !== null && isOffered("consult_expert") && !hasCalled(seen, "consult_expert")) {
    return [{ tool: "consult_expert", arguments: { agent_id: expert, task: WORDS[locale].consult } }];
  }
  const each = cards.map((instrument) => ({ instrument, own: ofProduct(seen, instrument) }));
  if (cards.length > 0 && !hasCalled(seen, "list_facts")) {
    return each.map(({ instrument }) => ({ tool: "list_facts", arguments: { instrument } }));
  }
  const reads = hasCalled(seen, "read_facts") ? [] : each.flatMap(({ instrument, own }) => readsOf(instrument, own));
  if (reads.length > 0) return reads;
  const share = Math.floor((ANSWER_SENTENCES_MAX - 1) / Math.max(1, cards.length));
  const sentences = [
    { instrument: null, type: "INFERRED", text: WORDS[locale][cards.length === 0 ? "no_card" : "no_model"], slots: [] },
    ...each.flatMap(({ instrument, own }) => sentencesOf(instrument, own, locale).slice(0, share)),
  ];
  return [{ tool: "submit_answer", arguments: { locale, sentences: sentences as unknown as JsonValue } }];
}

function ofProduct(seen: Seen, instrument: string): Seen {
  return { ...seen, instrument, calls: seen.calls.filter((call) => call.arguments.instrument === instrument) };
}

const ASKED = askedFigures(["point", "risk", "counterpoint"]);

function readsOf(instrument: string, own: Seen): Wanted[] {
  const listed = contentOf<Listed>(own, "list_facts");
  const figures = listed?.ok.filter((figure) => ASKED.has(figure)) ?? [];
  if (listed === null || figures.length === 0) return [];
  return [
    { tool: "read_facts", arguments: { instrument, figures } },
    ...(listed.research_sentences > 0 ? [{ tool: "read_research", arguments: { instrument } }] : []),
    ...(figures.some((figure) => figure.startsWith("peer_"))
      ? [{ tool: "compare_peers", arguments: { instrument } }]
      : []),
  ];
}

function sentencesOf(instrument: string, own: Seen, locale: Locale): JsonObject[] {
  const listed = contentOf<Listed>(own, "list_facts");
  if (listed === null) return [];
  const figures = figuresOf(own);
  return chooseClaims({ product: listed.product, locale, figures, research: researchOf(own) }).map(
    ({ text, slots, type, supports }) => ({ instrument, text, type, slots, supports }) as unknown as JsonObject,
  );
}

const WORDS: Record<Locale, Record<"no_model" | "no_card" | "consult", string>> = {
  "ko-KR": {
    no_model: "연결된 모델 없이 질문을 읽지 않고 답하므로, 아래 문장은 지목한 카드의 수치를 규칙에 따라 적은 것입니다.",
    no_card: "연결된 모델 없이 질문을 읽지 않고 답하므로, 카드를 지목하면 그 수치를 규칙에 따라 적습니다.",
    consult: "지목한 카드의 수치를 문장으로 적어 주십시오.",
  },
  "en-US": {
    no_model:
      "Answered without a model, so the question was not read: the sentences below are written by rule from the figures of the named cards.",
    no_card:
      "Answered without a model, so the question was not read: name a card, and its figures are written out by rule.",
    consult: "Write the figures of the named cards out in sentences.",
  },
};
