/**
 * The English text that the library reads: lower case, since it takes a capital for a name; registered names, slots and pictures as
 * words that the text does not hold; letters spaced apart joined; letters of other scripts that look Latin as Latin.
 * Keeps the way back to the normalised text.
 */
import type { AnalyserOptions } from "./analyser.ts";
import { figureFact, findNames } from "./names.ts";

export interface Place {
  start: number;
  end: number;
  lemma: string;
  tag: string;
}

export interface Reading {
  text: string;
  /** For each unit of `text` the offset in the normalised text. */
  origins: number[];
  places: Map<string, Place>;
  /** Offsets in the normalised text at which a word in capitals begins that is no abbreviation. */
  shouted: Set<number>;
  disguised: { code: string; at: number }[];
}

export function readingOf(text: string, options: AnalyserOptions): Reading {
  const places = placesIn(text, options);
  const reading: Reading = { text: "", origins: [], places: new Map(), shouted: shoutedIn(text), disguised: [] };
  const skipped = separatorsIn(text);
  const latin = disguisesIn(text);
  const mark = MARKS.find((candidate) => !text.toLowerCase().includes(candidate)) ?? MARKS[0]!;
  const write = (units: string, origin: number) => {
    reading.text += units;
    for (let unit = 0; unit < units.length; unit += 1) reading.origins.push(origin);
  };
  let at = 0;
  const copyTo = (end: number) => {
    for (; at < end; at += 1) {
      if (skipped.has(at)) continue;
      if (isCountry(text, at)) {
        write("u.s.", at);
        at += 1;
        continue;
      }
      const letter = isInnerHyphen(text, at) ? " " : (latin.get(at) ?? PLAIN[text[at]!] ?? text[at]!);
      if (latin.has(at)) reading.disguised.push({ code: codeOf(text[at]!), at });
      // The library takes `in.` for inches.
      if (letter === "." && / in$/.test(reading.text)) write(" ", at);
      const lower = letter.toLowerCase();
      write(lower.length === 1 ? lower : letter, at);
    }
  };
  for (const place of places) {
    copyTo(place.start);
    const word =
      mark + [...reading.places.size.toString(26)].map((digit) => LETTERS[Number.parseInt(digit, 26)]).join("");
    reading.places.set(word, place);
    write(` ${word} `, place.start);
    at = place.end;
  }
  copyTo(text.length);
  return reading;
}

const MARKS = ["zqx", "qzj", "xqz", "jqx", "wqx"];
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** Typographic forms of what the library knows in ASCII. */
const PLAIN: Record<string, string> = {
  "’": "'",
  "‘": "'",
  ʼ: "'",
  "“": '"',
  "”": '"',
  "‐": "-",
  "‑": "-",
  "–": "-",
  "−": "-",
  "—": ";",
  "~": "-",
  "×": "x",
  "⁄": "/",
  "…": ".",
};

/** `US` in capitals is the country, in lower case it would be the pronoun. */
function isCountry(text: string, at: number): boolean {
  return (
    /^US(?![\p{L}\p{N}])/u.test(text.slice(at, at + 3)) && !/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 1), at))
  );
}

/** `risk-free` is read as `risk free`; `10-15`, `-3` and a dash between words stay. */
function isInnerHyphen(text: string, at: number): boolean {
  const around = (text[at - 1] ?? " ") + (text[at + 1] ?? " ");
  return /[-\u2010\u2011]/.test(text[at]!) && /^[\p{L}\p{N}]{2}$/u.test(around) && /\p{L}/u.test(around);
}

function codeOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

function placesIn(text: string, { slots = [], names = [], common = [] }: AnalyserOptions): Place[] {
  const candidates = [
    ...[...text.matchAll(SLOT)].flatMap((match): Place[] => {
      const slot = slots.find(({ name }) => name === match[1]);
      return slot === undefined ? [] : [placeOf(match, `{${figureFact(slot.figure)}}`, "SLOT")];
    }),
    ...[...findNames(text, names), ...findNames(text, common)].map((place) => ({ ...place, tag: "NAME" })),
    ...[...text.matchAll(PICTURE)].map((match) => placeOf(match, match[0], "PIC")),
  ];
  const places: Place[] = [];
  for (const place of candidates) {
    if (!places.some(({ start, end }) => place.start < end && start < place.end)) places.push(place);
  }
  return places.sort((left, right) => left.start - right.start);
}

function placeOf(match: RegExpMatchArray, lemma: string, tag: string): Place {
  return { start: match.index!, end: match.index! + match[0].length, lemma, tag };
}

const SLOT = /\{([a-z][a-z0-9_]*)\}/g;
/** A plain arrow is a sign between dates. */
const PICTURE = /(?![#*\d©®™])(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}|[\u25a0-\u27bf\u2b00-\u2bff])/gu;

/** Offsets of what stands between the letters of a word written apart: `g u a r a n t e e d`, `g.u.a.r.a.n.t.e.e.d`, `G-U-A…`. */
function separatorsIn(text: string): Set<number> {
  return new Set(
    [...text.matchAll(APART)].flatMap((match) =>
      [...match[0]].flatMap((unit, index) => (/[A-Za-z]/.test(unit) ? [] : [match.index + index])),
    ),
  );
}

const APART = /(?<![\p{L}\p{N}])\p{L}([ .\-_*·|])(?:\p{L}\1){2,}\p{L}(?![\p{L}\p{N}])/gu;

/** Offsets of letters of other scripts, and of signs that stand for a letter, within words that hold Latin letters. */
function disguisesIn(text: string): Map<number, string> {
  const found = new Map<number, string>(
    [...text.matchAll(SIGN_WITHIN)].map(({ 0: sign, index }) => [index, SIGNS[sign]!] as const),
  );
  for (const { 0: word, index } of text.matchAll(/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+/gu)) {
    if (!/\p{Script=Latin}/u.test(word)) continue;
    for (let at = 0; at < word.length; at += 1) {
      const letter = LOOKALIKES[word[at]!];
      if (letter !== undefined) found.set(index + at, letter);
    }
  }
  return found;
}

/** `gu@ranteed`; not an address, whose name is followed by a point and more. */
const SIGN_WITHIN = /(?<=(?<![\p{L}\p{N}])\p{L}+)[@$0](?=\p{Ll}{2,}(?![\p{L}\p{N}]|\.\p{L}))/gu;
const SIGNS: Record<string, string> = { "@": "a", $: "s", "0": "o" };

const LOOKALIKES: Record<string, string> = Object.fromEntries(
  [
    ["асеорхуіјѕһԁԛԝ", "aceopxyijshdqw"],
    ["АВСЕНІЈКМОРЅТХУ", "ABCEHIJKMOPSTXY"],
    ["αεικνοορτυχ", "aeiknooptux"],
    ["ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"],
  ].flatMap(([from, to]) => [...from!].map((letter, at) => [letter, [...to!][at]!])),
);

/**
 * Words in capitals that are shouts and not abbreviations (NASDAQ, REIT): those that are known to be shouted, and two in a row
 * of four letters or more.
 */
function shoutedIn(text: string): Set<number> {
  const capitals = [...text.matchAll(/(?<![\p{L}\p{N}&.])\p{Lu}{2,}(?![\p{L}\p{N}&])/gu)];
  const shouted = new Set<number>();
  for (const [at, match] of capitals.entries()) {
    const next = capitals[at + 1];
    const adjacent = next !== undefined && /^[\s,!'-]*$/.test(text.slice(match.index + match[0].length, next.index));
    if (SHOUTS.has(match[0].toLowerCase())) shouted.add(match.index);
    if (adjacent && match[0].length >= 4 && next[0].length >= 4) shouted.add(match.index).add(next.index);
  }
  return shouted;
}

const SHOUTS = new Set(
  (
    "act all always amazing beat best big boom buy cash deal don't easy ever every fast free great guarantee guaranteed gains high highest huge hurry income " +
    "invest largest last limited low lowest massive miss money must never new no not now number only profit profits returns rich risk risk-free rush safe sale save sell soon surge " +
    "time today top up very win winner winning you your zero this fund growth performance warning important"
  ).split(" "),
);
