/**
 * English: text to words with dictionary forms and universal tags that carry what a rule needs to know of the form and the
 * scope, `rise/VERB:d-`: `:d` past or participle, `:g` -ing, `:s` third person, `:c` comparative, `:u` superlative,
 * `:w` a hidden character within a word, `^` shouted, `-` under an odd number of negations (en-negation.ts). Hyphens within words are dropped,
 * contractions opened, small number words are digits. It does not decide what a sentence means.
 */
import type { ItsFunction, WinkMethods } from "wink-nlp";
import { AssayError } from "../../domain/outcome.ts";
import type { Token } from "../../schema/sentence.ts";
import { type Analyser, type AnalyserOptions, MAX_TEXT } from "./analyser.ts";
import { negated } from "./en-negation.ts";
import { type Reading, readingOf } from "./en-reading.ts";
import { normalise } from "./normalise.ts";

/** Loads the library and its model (some 200 ms) once a process; what it returns is synchronous. */
export async function openEnglish(): Promise<Analyser> {
  opened ??= load();
  const tag = await opened;
  return { analyse: (text, options = {}) => analyse(text, options, tag) };
}

interface Word {
  text: string;
  lemma: string;
  pos: string;
}
type Tagger = (text: string) => Word[];

let opened: Promise<Tagger> | undefined;

async function load(): Promise<Tagger> {
  const [{ default: open }, { default: model }] = await Promise.all([
    import("wink-nlp"),
    import("wink-eng-lite-web-model"),
  ]);
  const nlp: WinkMethods = open(model, ["sbd", "pos"]);
  const { its } = nlp;
  return (text) => {
    const tokens = nlp.readDoc(text).tokens();
    // The package declares three arguments where its own `out` declares two.
    const lemmas = tokens.out(its.lemma as unknown as ItsFunction<string>);
    const tags = tokens.out(its.pos);
    return tokens.out(its.value).map((value, at) => ({ text: value, lemma: lemmas[at]!, pos: tags[at]! }));
  };
}

function analyse(original: string, options: AnalyserOptions, tagger: Tagger): Token[] {
  if (original.length > MAX_TEXT) {
    throw new AssayError("TEXT_TOO_LONG", `a text of ${original.length} characters is longer than ${MAX_TEXT}`, {
      hint: "give one sentence at a time",
    });
  }
  const { text, origins, hidden } = normalise(original);
  const reading = readingOf(text, options);
  const tokens = wordsIn(text, reading, tagger);
  const marks = negated(tokens);
  const visible = tokens.map((token, at) => {
    const start = origins[token.start]!;
    return {
      text: text.slice(token.start, token.end),
      lemma: token.lemma.replaceAll(/\s/gu, "").replaceAll("/", "_") || "_",
      tag: `${token.tag}${marks[at] ? "-" : ""}`,
      start,
      end: endInOriginal(origins, token.end),
    };
  });
  const unseen = [...hidden, ...disguisesIn(reading, origins)].sort((left, right) => left.start - right.start);
  return [...visible, ...unseen.map((found) => hiddenToken(original, found))];
}

/** Several units of the normalised text may come from one cluster of the original: the end is that cluster's. */
function endInOriginal(origins: readonly number[], end: number): number {
  const last = origins[end - 1]!;
  let next = end;
  while (next < origins.length - 1 && origins[next] === last) next += 1;
  return origins[next]!;
}

function disguisesIn({ disguised }: Reading, origins: readonly number[]) {
  return disguised.map(({ code, at }) => ({ code, start: origins[at]!, end: endInOriginal(origins, at + 1) }));
}

/** A letter of another script that looks like a Latin one is as unseen as a character without width. */
function hiddenToken(original: string, { code, start, end }: { code: string; start: number; end: number }): Token {
  const within =
    /[\p{L}\p{N}]\P{White_Space}*$/u.test(original.slice(0, start)) &&
    /^[^\s.,;:!?]*[\p{L}\p{N}]/u.test(original.slice(end));
  const letter = /\p{L}/u.test(original.slice(start, end));
  return { text: "", lemma: code, tag: within || letter ? "HID:w" : "HID", start, end };
}

export interface DraftToken {
  lemma: string;
  tag: string;
  /** Offsets in the normalised text. */
  start: number;
  end: number;
}

function wordsIn(text: string, reading: Reading, tagger: Tagger): DraftToken[] {
  const drafts: DraftToken[] = [];
  let cursor = 0;
  for (const word of tagger(reading.text)) {
    const found = reading.text.indexOf(word.text, cursor);
    if (found < 0 || word.text.trim() === "") continue;
    cursor = found + word.text.length;
    const start = reading.origins[found]!;
    const end = reading.origins[cursor - 1]! + 1;
    const place = reading.places.get(word.text);
    if (place !== undefined) drafts.push({ lemma: place.lemma, tag: place.tag, start: place.start, end: place.end });
    else {
      const { lemma, tag } = formBehind(drafts.at(-1), word, text.slice(start, end));
      drafts.push({ lemma: lemma.toLowerCase(), tag: `${tag}${reading.shouted.has(start) ? "^" : ""}`, start, end });
    }
  }
  return drafts;
}

/** The form where it rests on the word before, or on a capital that was folded: `no one`, `into won`, `in May`. */
function formBehind(before: DraftToken | undefined, word: Word, written: string): { lemma: string; tag: string } {
  if (isCurrency(word, before)) return { lemma: "won", tag: "NOUN" };
  if (word.text === "one" && before?.lemma === "no") return { lemma: "one", tag: "PRON" };
  if (isPastBehind(before) && INVARIABLE.has(word.text)) return { lemma: word.lemma, tag: "VERB:d" };
  return formOf(written === "May" && before !== undefined ? { ...word, pos: "PROPN" } : word);
}

function isPastBehind(before: DraftToken | undefined): boolean {
  return before !== undefined && before.lemma !== "do" && /^(?:NOUN|PROPN|NAME|AUX:|ADV|PRON)/.test(before.tag);
}

/** Verbs whose past is their dictionary form: after a subject or an auxiliary they are taken for the past. */
const INVARIABLE = new Set(["cut", "hit", "hurt", "beat", "shed", "shut", "split", "cost"]);

/** The library takes every `won` for a verb. */
function isCurrency({ text }: Word, before: DraftToken | undefined): boolean {
  if (text !== "won" || before === undefined) return false;
  return (
    /^(?:ADP|DET|NUM|ADJ|SYM|PART)/.test(before.tag) ||
    /^(?:korean|million|billion|trillion|weak|strong)$/.test(before.lemma)
  );
}

/** The dictionary form with the tag of the form. */
function formOf({ text, lemma, pos }: Word): { lemma: string; tag: string } {
  if (/^[+-]?\.?\d/.test(text)) return { lemma: text.replaceAll(",", ""), tag: ORDINAL.test(text) ? "ORD" : "NUM" };
  const numeral = NUMERALS[text];
  if (numeral !== undefined) return { lemma: numeral, tag: "NUM" };
  if (UNABRIDGED.has(text)) return { lemma: "cd", tag: "NOUN" };
  if (ORDINALS.has(text)) return { lemma: text, tag: "ORD" };
  if (EXTREMES.has(text)) return { lemma: text, tag: "ADJ:u" };
  const extreme = EXTREME.exec(text);
  if (extreme !== null) return { lemma: extreme[1]!, tag: "ADJ:u" };
  if (COMPARATIVES.has(text)) return { lemma, tag: `${pos}:c` };
  const irregular = IRREGULAR[text];
  if (irregular !== undefined) return { lemma: irregular, tag: "VERB:d" };
  if (pos === "ADJ" && lemma !== text) return { lemma, tag: `ADJ${degreeOf(text)}` };
  if (/(?:[a-z]{3})ed$/.test(text)) return { lemma: lemma === text ? stemOf(text) : lemma, tag: `${pos}:d` };
  if (pos === "AUX") return { lemma, tag: PAST_AUXILIARIES.has(text) ? "AUX:d" : /s$/.test(text) ? "AUX:s" : "AUX" };
  if (pos !== "VERB")
    return { lemma: lemma === text && /^(?:NOUN|PROPN|X)/.test(pos) ? singular(text) : lemma, tag: pos };
  if (text.endsWith("ing")) return { lemma: lemma === text ? stemOf(text) : lemma, tag: "VERB:g" };
  if (lemma === text || lemma === text.replace(/s(?=e$)/, "z")) return { lemma, tag: pos };
  return { lemma, tag: `VERB:${/s$/.test(text) ? "s" : "d"}` };
}

const ORDINAL = /^\d+(?:st|nd|rd|th)$/;
const ORDINALS = new Set(
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth hundredth".split(
    " ",
  ),
);
/** Number words are digits, so that `one-year` and `1-year` are the same words. */
const NUMERALS: Record<string, string> = Object.fromEntries([
  ..."zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((word, value) => [word, String(value)]),
  ..."twenty thirty forty fifty sixty seventy eighty ninety".split(" ").map((word, at) => [word, String(20 + 10 * at)]),
]);
const PAST_AUXILIARIES = new Set(["was", "were", "been", "did", "had"]);
/** Their dictionary form would be that of `good`, `bad`, `many`, `little`. */
const EXTREMES = new Set(["best", "worst", "most", "least"]);
/** What the library takes for an adverb or a noun. */
const EXTREME = /^(low|high|cheap|fast|strong|deep|small|great|short|long|new|old|steep|slow|rich|smart)est$/;
/** What the library takes for a short spelling of another word (`could`). */
const UNABRIDGED = new Set(["cd", "cds"]);
const COMPARATIVES = new Set(["more", "less", "fewer", "better", "worse"]);
/** Past forms that the library takes for another part of speech or does not know. */
const IRREGULAR: Record<string, string> = {
  rose: "rise",
  fell: "fall",
  outshone: "outshine",
  outdid: "outdo",
  overcame: "overcome",
};

/** Of a participle that the library did not take for a verb or does not know: `guaranteed`, `capped`, `overweighting`. */
function stemOf(participle: string): string {
  if (participle.startsWith("un")) return participle;
  const bare = participle.replace(/(?:ed|ing)$/, "");
  if (bare.endsWith("i")) return `${bare.slice(0, -1)}y`;
  if (/([b-df-hj-np-rtv-z])\1$/.test(bare) && !/(?:ll|ss)$/.test(bare)) return bare.slice(0, -1);
  return /(?:[aiou]t|[cgsuvz]|[^aeiou][aio]k|dl|bl|[aeiou]r|as|e)$/.test(bare) &&
    !/(?:ss|it|[aou]it|er|eat)$/.test(bare)
    ? `${bare}e`
    : bare;
}

function degreeOf(adjective: string): "" | ":c" | ":u" {
  if (adjective.endsWith("est")) return ":u";
  return adjective.endsWith("er") ? ":c" : "";
}

/** Of a plural that the library's dictionary lacks: `etfs`, `backtests`. */
function singular(word: string): string {
  return /^[a-z]{3,}[^aious\W]s$/.test(word) ? word.slice(0, -1) : word;
}
