/**
 * Numerals of one line of text that is made of pieces of several elements. A numeral within one piece belongs to that
 * piece; one that runs over a border belongs to none, for no element can claim the whole of it. Each piece is read alone
 * as well, since elements that touch in the markup may stand apart on the page.
 */
import type { Slot } from "../schema/sentence.ts";
import { findNumerals, type Numeral, withoutInvisible } from "./numerals.ts";

export interface Piece<Owner> {
  text: string;
  owner: Owner;
  /** The whole text of a bound figure, checked as a figure. */
  isBound: boolean;
  /** The figure whose text it is. */
  figure?: string;
  /** Of an element that claims a class: a name, an identifier, a label of its own. */
  isNamed?: boolean;
}

export interface LineNumeral<Owner> {
  text: string;
  /** The piece it lies in, or begins in. */
  piece: Piece<Owner>;
  isWhole: boolean;
}

export function numeralsOfLine<Owner>(pieces: readonly Piece<Owner>[]): LineNumeral<Owner>[] {
  const filled = pieces.filter((piece) => piece.text.trim() !== "").length;
  if (filled === 0) return [];
  const texts = pieces.map((piece) => withoutInvisible(piece.text));
  // Blanks between elements stay: they part words on the page too.
  const spanning = filled === 1 ? [] : spanningNumerals(pieces, texts);
  const found: LineNumeral<Owner>[] = [];
  let start = 0;
  pieces.forEach((piece, index) => {
    const end = start + texts[index]!.length;
    if (!piece.isBound) {
      for (const numeral of findNumerals(texts[index]!)) {
        const isPart = spanning.some((one) => one.start <= start + numeral.start && start + numeral.end <= one.end);
        if (!isPart) found.push({ text: numeral.text, piece, isWhole: true });
      }
    }
    for (const one of spanning) {
      if (one.start >= start && one.start < end) found.push({ text: one.text, piece, isWhole: false });
    }
    start = end;
  });
  return found;
}

/**
 * Two bound figures side by side (a figure and the date in the note under it) are each checked whole, so a border
 * between them counts for nothing.
 */
function spanningNumerals<Owner>(pieces: readonly Piece<Owner>[], texts: string[]): Numeral[] {
  const borders: number[] = [];
  let length = 0;
  pieces.forEach((piece, index) => {
    length += texts[index]!.length;
    if (!(piece.isBound && pieces[index + 1]?.isBound)) borders.push(length);
  });
  return findNumerals(texts.join("")).filter((one) => borders.some((border) => one.start < border && border < one.end));
}

/** A line as words with places for its figures; null where there is no letter to read. */
export function wordsOfLine(pieces: readonly Piece<unknown>[]): { text: string; slots: Slot[] } | null {
  const slots: Slot[] = [];
  const text = pieces
    .map(({ text, figure, isNamed = false }, index) => {
      // A name stands apart from the word before it, as it is drawn, though nothing in the markup parts them.
      const before = index > 0 && isNamed && /[\p{L}\p{N}]$/u.test(pieces[index - 1]!.text) ? " " : "";
      // A brace of the text itself is no place for a figure.
      if (figure === undefined) return before + text.replaceAll("{", "(").replaceAll("}", ")");
      const name = `f${slots.length + 1}`;
      slots.push({ name, figure });
      return `${before}{${name}}`;
    })
    .join("")
    .replaceAll(/[ \t\n\r\f]+/g, " ")
    .trim();
  return /\p{L}/u.test(text.replaceAll(/\{f\d+\}/g, "")) ? { text, slots } : null;
}
