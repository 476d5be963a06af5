/**
 * Text as the analysers read it: compatibility forms folded (５％ is 5%), characters that no reader sees taken out and listed,
 * with the way back to the offsets of the text as given. Changes nothing that a reader would see otherwise.
 */
import { AssayError } from "../../domain/outcome.ts";
import { MAX_TEXT } from "./analyser.ts";

export interface Normalised {
  text: string;
  /** For each UTF-16 unit of `text` the offset in the original that it came from; one more for the end. */
  origins: number[];
  hidden: { code: string; start: number; end: number }[];
}

/** Format characters, private use, controls and combining jokers; spaces of every width become one kind below. */
const INVISIBLE = /^(?:\p{Cf}|\p{Co}|\p{Cc}|\p{Cs}|\u115f|\u1160|\u3164|\uffa0|\u034f|\u2800)$/u;

/** Throws TEXT_TOO_LONG: one character may stand for eighteen, and it is the folded text that is analysed. */
export function normalise(original: string): Normalised {
  if (PLAIN.test(original)) {
    const origins = Array.from({ length: original.length + 1 }, (_, unit) => unit);
    return { text: original, origins, hidden: [] };
  }
  const origins: number[] = [];
  const hidden: Normalised["hidden"] = [];
  let text = "";
  // A cluster is composed as a whole, so that jamo typed apart (ㅂㅗ) and combining marks become the letters they show.
  for (const { segment, index } of GRAPHEMES.segment(original)) {
    let visible = "";
    let offset = index;
    for (const character of segment) {
      if (INVISIBLE.test(character) && (character === "\ufeff" || !/\s/u.test(character))) {
        const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
        hidden.push({ code, start: offset, end: offset + character.length });
      } else {
        visible += character;
      }
      offset += character.length;
    }
    const folded = visible.normalize("NFKC").replaceAll(/\s/gu, " ");
    text += folded;
    if (text.length > MAX_TEXT) {
      throw new AssayError("TEXT_TOO_LONG", `a text is longer than ${MAX_TEXT} characters when written out`, {
        hint: "give one sentence at a time",
      });
    }
    for (let unit = 0; unit < folded.length; unit += 1) origins.push(index);
  }
  origins.push(original.length);
  return { text, origins, hidden };
}

/** Nothing here folds, joins or hides: most lines are, and segmenting costs more than all the rest. */
const PLAIN = /^[ -~가-힣·→−]{0,2000}$/u;

const GRAPHEMES = new Intl.Segmenter("und", { granularity: "grapheme" });
