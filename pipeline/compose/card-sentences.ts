/**
 * The sentences of a card as a reader sees them, analysed for the gates: claims, research behind the card, and every other
 * line of words on the page. Not judged again: a text of the policy, unaltered, and a line of registered names and figures.
 */
import type { Locale } from "../domain/locale.ts";
import type { ClaimRecord } from "../schema/claim.ts";
import type { ReadLine } from "../schema/readback.ts";
import { type ResearchDefinition, sentencesOf } from "../schema/research.ts";
import type { Sentence, Slot, Token } from "../schema/sentence.ts";
import { findNames } from "./language/names.ts";
import type { Analysers } from "./language/open.ts";
import { readingsOf } from "./language/readings.ts";
import { splitSentences } from "./language/split.ts";

export interface CardWords {
  locale: Locale;
  lines: readonly ReadLine[];
  claims: readonly ClaimRecord[];
  research: ResearchDefinition | null;
  /** The policy's texts in the card's language, by id. */
  legal: Readonly<Record<string, string>>;
  /** Names and stated texts as supplied: a reader cannot tell one from a sentence. */
  supplied: readonly { id: string; text: string }[];
  /** Names that are registered for the product, its comparison and its sources. */
  registered: readonly string[];
  /** Names that the lexicons know: the same lists for every card. */
  common: Readonly<Record<Locale, readonly string[]>>;
}

export function cardSentences(analysers: Analysers, words: CardWords): Sentence[] {
  const { locale, registered, common } = words;
  const folded = registered.map(fold).filter((name) => name !== "");
  const isNamed = (text: string) => {
    const own = fold(text);
    return folded.some((name) => own.includes(name));
  };
  const analyse = (text: string, slots: readonly Slot[] = [], own = locale) =>
    isNamed(text)
      ? analysers[own].analyse(text, { slots, names: registered, common: common[own] })
      : tokensOf(analysers, own, text, slots, common[own]);
  const claims = words.claims
    .filter((claim) => claim.locale === locale)
    .map(({ id, text, slots, type, causal_edge, absence_receipt }): Sentence => {
      return {
        id,
        kind: "claim",
        locale,
        text,
        slots,
        type,
        causal_edge,
        absence_receipt,
        tokens: analyse(text, slots),
      };
    });
  const unbound = { slots: [], type: null, causal_edge: null, absence_receipt: null };
  const research = (words.research === null ? [] : sentencesOf(words.research)).map(({ sentence }): Sentence => {
    const { id, type, causal_edge = null } = sentence;
    const text = sentence.text[locale];
    return {
      ...unbound,
      id: `research/${id}`,
      kind: "research",
      locale,
      text,
      type,
      causal_edge,
      tokens: analyse(text),
    };
  });
  const isClaimed = new Set(claims.map(({ id }) => id));
  const fixed = words.lines
    .filter(({ legal, text }) => legal === null || words.legal[legal] !== text)
    .filter(({ claim }) => claim === null || !isClaimed.has(claim))
    .flatMap(({ where, text, slots }, line) =>
      splitSentences(text)
        .filter(({ text: part }) => !isNamed(part) || hasWords(part, registered))
        .flatMap((part, index) => {
          const placed = slots.filter(({ name }) => part.text.includes(`{${name}}`));
          const id = `${where}/${line + 1}.${index + 1}`;
          const own = part.text.trim();
          return readingsOf(isNamed(own) ? withoutNames(own, registered) : own, locale).map((reading): Sentence => {
            const tokens = analyse(own, placed, reading);
            return { ...unbound, id, kind: "fixed", locale: reading, text: own, slots: placed, tokens };
          });
        }),
    );
  const supplied = words.supplied
    .filter(({ text }) => /\p{L}/u.test(text))
    .flatMap(({ id, text }) =>
      readingsOf(text, locale).map((reading): Sentence => {
        const tokens = tokensOf(analysers, reading, text, [], common[reading]);
        return { ...unbound, id, kind: "name", locale: reading, text, tokens };
      }),
    );
  return [...claims, ...research, ...supplied, ...fixed];
}

/** Whether anything is left to read when names and places of figures are taken out. */
function hasWords(text: string, names: readonly string[]): boolean {
  return /\p{L}/u.test(withoutNames(text, names).replaceAll(/\{f\d+\}/g, ""));
}

function withoutNames(text: string, names: readonly string[]): string {
  let rest = text;
  for (const { start, end } of findNames(text, names).reverse()) rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  return rest;
}

/** Most lines stand on a hundred cards: the tokens of one that holds no name of this card are remembered. */
function tokensOf(
  analysers: Analysers,
  locale: Locale,
  text: string,
  slots: readonly Slot[],
  common: readonly string[],
): Token[] {
  const key = [locale, text, ...slots.map(({ name, figure }) => `${name}=${figure}`)].join("\n");
  const known = TOKENS.get(key);
  if (known !== undefined) return known;
  const tokens = analysers[locale].analyse(text, { slots, common });
  if (TOKENS.size >= MEMORY_TEXTS) TOKENS.clear();
  TOKENS.set(key, tokens);
  return tokens;
}

const TOKENS = new Map<string, Token[]>();
const MEMORY_TEXTS = 10_000;

/** As names are compared: without spaces, slashes and case. */
function fold(text: string): string {
  return text.normalize("NFKC").replaceAll(/[\s/]/gu, "").toLowerCase();
}
