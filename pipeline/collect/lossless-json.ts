/**
 * JSON whose numbers keep their digits. JSON.parse would turn 0.10 into 0.1 and a 20-digit number into another one, so
 * every literal is marked before parsing: strings become `s…` and numbers the string `n…`. Keys are marked too, and so
 * `__proto__` is a key like any other; one that its object has already is marked `d…`, where JSON.parse would let the last win.
 */

/** A parsed JSON value: strings and numbers marked, keys marked. */
export type MarkedJson = string | boolean | null | MarkedJson[] | { [key: string]: MarkedJson };

const NUMBER = /-?\d[\d.eE+-]*/y;
/** Behind a string: it was a key. */
const COLON = /[ \t\n\r]*:/y;

/** Throws SyntaxError for what is not JSON, RangeError for nesting beyond the parser's stack. */
export function parseMarked(json: string): MarkedJson {
  JSON.parse(json);
  return JSON.parse(marked(json)) as MarkedJson;
}

/** The value at a key of a marked object; undefined where there is none. */
export function member(value: MarkedJson | undefined, key: string): MarkedJson | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, `s${key}`) ? value[`s${key}`] : undefined;
}

/** A key that some object in the value names twice; undefined when none does. */
export function repeatedKey(value: MarkedJson): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) {
    const twice = Object.keys(value).find((key) => key.startsWith("d"));
    if (twice !== undefined) return twice.slice(1);
  }
  for (const inner of Object.values(value)) {
    const twice = repeatedKey(inner);
    if (twice !== undefined) return twice;
  }
  return undefined;
}

/** The text of a marked string or number. */
export function textOf(value: string): string {
  return value.slice(1);
}

/** Only ever given text that JSON.parse has accepted: outside strings a digit or minus always begins a number. */
function marked(json: string): string {
  const parts: string[] = [];
  /** Keys of the objects that are open here; those of an array stay empty. */
  const open: Set<string>[] = [];
  let copied = 0;
  let at = 0;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === 0x22) {
      const end = stringEnd(json, at + 1) + 1;
      COLON.lastIndex = end;
      const isRepeated = COLON.test(json) && !added(open.at(-1)!, JSON.parse(json.slice(at, end)));
      parts.push(json.slice(copied, at + 1), isRepeated ? "d" : "s");
      copied = at + 1;
      at = end;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(json)![0];
      parts.push(json.slice(copied, at), `"n${number}"`);
      at += number.length;
      copied = at;
    } else {
      if (code === 0x7b || code === 0x5b) open.push(new Set());
      else if (code === 0x7d || code === 0x5d) open.pop();
      at += 1;
    }
  }
  parts.push(json.slice(copied));
  return parts.join("");
}

/** False when it was there before. */
function added(known: Set<string>, key: string): boolean {
  const before = known.size;
  return known.add(key).size > before;
}

/** Position of the closing quote: the first that an even number of backslashes precedes. */
function stringEnd(json: string, from: number): number {
  let quote = json.indexOf('"', from);
  for (;;) {
    let slashes = 0;
    while (json.charCodeAt(quote - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return quote;
    quote = json.indexOf('"', quote + 1);
  }
}
