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
import { splitSentences } from "./language/split.ts";

export interface CardWords {
  locale: Locale;
  lines: readonly ReadLine[];
  claims: readonly ClaimRecord[];
  research: ResearchDefinition | null;
  /** The policy's texts in the card's language, by id. */
  legal: Readonly<Record<string, string>>;
  /** Names that are registered for the product, its comparison and its sources, and those of the lexicon. */
  names: readonly string[];
}

export function cardSentences(analysers: Analysers, words: CardWords): Sentence[] {
  const { locale, names } = words;
  const analyse = (text: string, slots: readonly Slot[] = []) => tokensOf(analysers, locale, text, slots, names);
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
        .filter((part) => hasWords(part.text, names))
        .map((part, index): Sentence => {
          const placed = slots.filter(({ name }) => part.text.includes(`{${name}}`));
          const id = `${where}/${line + 1}.${index + 1}`;
          const own = part.text.trim();
          return { ...unbound, id, kind: "fixed", locale, text: own, slots: placed, tokens: analyse(own, placed) };
        }),
    );
  return [...claims, ...research, ...fixed];
}

/** Whether anything is left to read when names and places of figures are taken out. */
function hasWords(text: string, names: readonly string[]): boolean {
  let rest = text;
  for (const { start, end } of findNames(text, names).reverse()) rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  return /\p{L}/u.test(rest.replaceAll(/\{f\d+\}/g, ""));
}

/** Most lines stand on a hundred cards: their tokens are remembered, unless a name of this card is among them. */
function tokensOf(
  analysers: Analysers,
  locale: Locale,
  text: string,
  slots: readonly Slot[],
  names: readonly string[],
): Token[] {
  if (findNames(text, names).length > 0) return analysers[locale].analyse(text, { slots, names });
  const key = [locale, text, ...slots.map(({ name, figure }) => `${name}=${figure}`)].join("\n");
  const known = TOKENS.get(key);
  if (known !== undefined) return known;
  const tokens = analysers[locale].analyse(text, { slots, names });
  if (TOKENS.size >= MEMORY_TEXTS) TOKENS.clear();
  TOKENS.set(key, tokens);
  return tokens;
}

const TOKENS = new Map<string, Token[]>();
const MEMORY_TEXTS = 10_000;
