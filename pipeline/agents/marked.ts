/**
 * Texts that are not the host's own, marked for a model as data. The end mark bears the digest of what stands inside, so no
 * text can contain its own end; marks and invisible characters inside are written out, so that what is there is seen.
 */
import { sha256 } from "../domain/digest.ts";
import type { JsonValue } from "../schema/turn.ts";

/**
 * Controls (but tab and line feed), format characters (zero width, direction, tags), private, unassigned and broken ones,
 * line separators, and all that prints nothing by default (variation selectors, joiners, fillers).
 */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Most texts: nothing to look for. */
const PLAIN = /^[\t\n -~]*$/;

/** Unseen characters written out as `\u{202E}`. */
export function makeVisible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(
    UNSEEN,
    (character) => `\\u{${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}}`,
  );
}

/** The same in every text of a document, keys included. JSON's own quotes keep what is inside a text inside. */
export function makeVisibleDeep(value: JsonValue): JsonValue {
  if (typeof value === "string") return makeVisible(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(makeVisibleDeep);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [makeVisible(key), makeVisibleDeep(item)]));
}

export function markAsData(label: string, text: string): string {
  const shown = makeVisible(text).replace(/<(?=<<)|>(?=>>)/g, (mark) => (mark === "<" ? "\\u{3C}" : "\\u{3E}"));
  const name = makeVisible(label)
    .replace(/[\s<>"]/g, "_")
    .slice(0, 200);
  const mark = sha256(`${name}\n${shown}`).slice(0, 32);
  return `<<<DATA ${mark} from="${name}" characters=${shown.length}>>>\n${shown}\n<<<END ${mark}>>>`;
}
