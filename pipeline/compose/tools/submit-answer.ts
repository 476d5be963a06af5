/**
 * Hands in the answer to a person. A sentence holds places, never numerals: the grammar of claims is asked here, product by
 * product, and the gates when the answer is shown. What is refused comes back with codes and is not part of the answer.
 */
import { z } from "zod";
import { defineTool, type Tool } from "../../agents/tool.ts";
import { LOCALES } from "../../domain/locale.ts";
import { ANSWER_SENTENCES_MAX, type Answer, type AnswerSentence, answerSentenceSchema } from "../../schema/answer.ts";
import type { Fact } from "../../schema/fact.ts";
import type { JsonObject, JsonValue } from "../../schema/turn.ts";
import { type GrammarTerms, grammarFaults, LABEL } from "../grammar.ts";
import { findNames } from "../language/names.ts";
import { type Desk, readScopes } from "./desk.ts";
import { factSource, sourceOf } from "./sources.ts";

export const ANSWER = "answer";
export const SUBMIT_ANSWER = "submit_answer";

const sentenceInput = answerSentenceSchema.omit({ id: true }).extend({
  supports: answerSentenceSchema.shape.supports.default([]),
  causal_edge: answerSentenceSchema.shape.causal_edge.default(null),
});

export function submitAnswer(desk: Desk): Tool {
  return defineTool({
    name: SUBMIT_ANSWER,
    version: "1",
    description: `Hand in the answer: up to ${ANSWER_SENTENCES_MAX} sentences. Each is one sentence about one product (instrument), with places {name}
instead of numerals, bound by slots to a figure that you read, or to label/<figure> for the name of its window, which the
sentence must name. The host prints the places: you never write a number, not as a word either. type is the kind of the figures
that it binds (as read_facts tells), INFERRED or OPINION for what you conclude; supports names what it rests on.
instrument null: a sentence about no product, without places and without a product's name. sources: ids of anything else that you read and used, such as
task:main/2.1/answer of a child. What is refused comes back with codes; hand all in again to replace the answer.`,
    input: z.strictObject({
      locale: z.enum(LOCALES).default(desk.locale),
      sentences: z.array(sentenceInput).min(1).max(ANSWER_SENTENCES_MAX),
      sources: z.array(z.string().min(1).max(300)).max(100).default([]),
    }),
    effect: "read",
    scope: ({ sentences }) => ({
      read: sentences.flatMap(({ instrument }) => (instrument === null ? [] : [readScopes(instrument).facts])),
    }),
    run({ locale, sentences, sources }) {
      const numbered = sentences.map((sentence, index): AnswerSentence => ({ id: `answer/${index + 1}`, ...sentence }));
      const refused = numbered.flatMap((sentence) => {
        const faults = faultsOf(desk, locale, sentence);
        return faults.length === 0 ? [] : [{ id: sentence.id, faults }];
      });
      const accepted = numbered.filter(({ id }) => refused.every((other) => other.id !== id));
      const content = { accepted: accepted.map(({ id }) => id), refused } as unknown as JsonValue;
      if (accepted.length === 0) return { status: "EMPTY", code: "ALL_REFUSED", content };
      const answer: Answer = { schema: "answer/v1", locale, sentences: accepted };
      const references = [...new Set([...accepted.flatMap(referencesOf), ...sources])];
      return {
        status: "OK",
        content,
        outputs: [{ name: ANSWER, document: answer as unknown as JsonObject, references }],
      };
    },
  });
}

function faultsOf(desk: Desk, locale: Answer["locale"], sentence: AnswerSentence): { code: string; detail: string }[] {
  const { instrument } = sentence;
  // Unbound, it would escape the register of that product's causes and figures.
  const named = instrument === null ? productNamed(desk, sentence.text) : undefined;
  if (named !== undefined) return [{ code: "PRODUCT_NAMED", detail: named }];
  const product = instrument === null ? null : desk.products.get(instrument);
  if (product === undefined) return [{ code: "PRODUCT_UNKNOWN", detail: instrument! }];
  const terms: GrammarTerms = product ?? { facts: new Map<string, Fact>(), names: [] };
  return grammarFaults({ locale, ...sentence }, terms);
}

/** Short names are words of the language too (ON, IT): such a name only as it is registered. */
function productNamed({ products }: Desk, written: string): string | undefined {
  const text = written.normalize("NFKC");
  const isNamed = (names: readonly string[]) =>
    findNames(text, names).some(({ start, end, lemma }) => lemma.length > 5 || text.slice(start, end) === lemma);
  return [...products].find(([, { own_names }]) => isNamed(own_names))?.[0];
}

/** What the terminal gate asks of: all of it must have been read in this very task. */
function referencesOf({ instrument, slots, supports }: AnswerSentence): string[] {
  if (instrument === null) return [];
  const bound = slots.map(({ figure }) => factSource(instrument, figure.replace(LABEL, "")));
  return [...bound, ...supports.flatMap((support) => sourceOf(instrument, support))];
}
