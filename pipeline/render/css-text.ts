/**
 * Text that a style sheet puts on the page: generated content, list marks, counters. Finds what could print a numeral,
 * and refuses sheets that draw what cannot be read (images, imported sheets). Resolves no cascade: a rule that applies
 * to nothing counts all the same.
 */
import { AssayError } from "../domain/outcome.ts";

const PRINTING =
  /(?<![\w.#-])(?:content|quotes|list-style|list-style-type|symbols|additive-symbols|prefix|suffix|negative|pad|string-set)\s*:/gi;
/** Values that take their text from somewhere else. */
const INDIRECT = /(?<![\w-])(?:attr|counters?|var|string|symbols)\s*\(/i;

/** The value texts that may print a numeral: strings as they read, and indirect values as they are written. */
export function generatedTexts(sheet: string): string[] {
  const css = unescapeCss(sheet.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " "));
  for (const match of css.matchAll(/url\(\s*["']?([^)"']*)/gi)) {
    const target = match[1] ?? "";
    if (!/^(?:data:font\/|#)/i.test(target)) throw unreadable(`url(${target.slice(0, 40)})`);
  }
  if (/@import/i.test(css)) throw unreadable("@import");
  const texts: string[] = [];
  for (const match of css.matchAll(PRINTING)) {
    const value = valueAt(css, match.index + match[0].length);
    if (INDIRECT.test(value)) texts.push(value.trim());
    for (const string of value.matchAll(/"([^"]*)"|'([^']*)'/g)) texts.push(string[1] ?? string[2] ?? "");
  }
  return texts;
}

/** Whether text could be read in another order than it is written, or ordered lists print their marks. */
export function reordersText(sheet: string): boolean {
  return /(?<![\w-])(?:unicode-bidi|direction)\s*:\s*(?!normal|ltr|isolate\s*[;}])/i.test(unescapeCss(sheet));
}

export function hidesListMarks(sheet: string): boolean {
  return /(?<![\w-])list-style(?:-type)?\s*:\s*none/i.test(sheet);
}

function valueAt(css: string, start: number): string {
  let quote = "";
  for (let at = start; at < css.length; at += 1) {
    const character = css[at]!;
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ";" || character === "}" || character === "{") return css.slice(start, at);
  }
  return css.slice(start);
}

/** `\34 5` reads 45. An escaped quote, brace or semicolon would end what it stands in, so it becomes a blank. */
function unescapeCss(css: string): string {
  return css.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, hex: string | undefined, plain: string | undefined) => {
    const point = hex === undefined ? undefined : Number.parseInt(hex, 16);
    const character = point === undefined ? (plain ?? "") : point <= 0x10ffff ? String.fromCodePoint(point) : "";
    return /["'{};\n]/.test(character) ? " " : character;
  });
}

function unreadable(what: string): AssayError {
  return new AssayError("READBACK_UNREADABLE", `the style sheet draws what cannot be read back: ${what}`);
}
