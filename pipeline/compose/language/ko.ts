/**
 * Korean: text to morphemes with dictionary forms and Sejong tags. Endings and particles that differ only by the sound before
 * them have one form (을/를 is 를, 았/었 is 었), numerals are one token, syllables that were spaced or dotted apart
 * are joined first. It does not decide what a sentence means.
 */
import { AssayError } from "../../domain/outcome.ts";
import type { Token } from "../../schema/sentence.ts";
import { type Analyser, type AnalyserOptions, MAX_TEXT } from "./analyser.ts";
import { COMPOUNDS, corrected, oneForm } from "./ko-corrections.ts";
import { figureFact, findNames } from "./names.ts";
import { normalise } from "./normalise.ts";

interface Morpheme {
  text: string;
  pos: string;
  /** Of the word that the morpheme is in. */
  start: number;
  end: number;
}

interface Draft {
  lemma: string;
  tag: string;
  start: number;
  end: number;
}
type Place = Draft;

/** Loads the library and its model (some 150 ms) once a process; what it returns is synchronous. */
export async function openKorean(): Promise<Analyser> {
  opened ??= load();
  const morphemes = await opened;
  return { analyse: (text, options = {}) => analyse(text, options, morphemes) };
}

let opened: Promise<(text: string) => Morpheme[]> | undefined;

async function load(): Promise<(text: string) => Morpheme[]> {
  const { Garu } = await import("garu-ko");
  const warn = console.warn;
  // The package calls its own loader in a form that the loader warns of; that is no news to an operator.
  console.warn = () => {};
  try {
    const garu = await Garu.load();
    return (text) => {
      const result = garu.analyze(text);
      return Array.isArray(result) ? (result[0]?.tokens ?? []) : result.tokens;
    };
  } finally {
    console.warn = warn;
  }
}

function analyse(original: string, options: AnalyserOptions, morphemes: (text: string) => Morpheme[]): Token[] {
  if (original.length > MAX_TEXT) {
    throw new AssayError("TEXT_TOO_LONG", `a text of ${original.length} characters is longer than ${MAX_TEXT}`, {
      hint: "give one sentence at a time",
    });
  }
  const { text, origins, hidden } = normalise(original);
  const reading = readingOf(text, placesIn(text, options));
  const tokens = corrected(placed(narrowed(morphemes(reading.text), reading), reading.places)).map((token) => ({
    text: text.slice(token.start, token.end),
    lemma: token.lemma.replaceAll(/[\s/]/gu, "") || "_",
    tag: token.tag,
    start: origins[token.start]!,
    end: endInOriginal(origins, token.end),
  }));
  return [...tokens, ...hidden.map((found) => hiddenToken(original, found))];
}

/** `HID:w` within a word, where it can only hide the word; `HID` beside one, where it is often left over from copying. */
function hiddenToken(original: string, { code, start, end }: { code: string; start: number; end: number }): Token {
  const within =
    /[\p{L}\p{N}][^\p{L}\p{N}\s]*$/u.test(original.slice(0, start)) &&
    /^[^\p{L}\p{N}\s]*[\p{L}\p{N}]/u.test(original.slice(end));
  return { text: "", lemma: code, tag: within ? "HID:w" : "HID", start, end };
}

/** Several units of the normalised text may come from one cluster of the original: the end is that cluster's. */
function endInOriginal(origins: readonly number[], end: number): number {
  const last = origins[end - 1]!;
  let next = end;
  while (next < origins.length - 1 && origins[next] === last) next += 1;
  return origins[next]!;
}

/** Slots, names and compounds that are one token whatever is around them; none overlaps another. */
function placesIn(text: string, { slots = [], names = [], common = [] }: AnalyserOptions): Place[] {
  const candidates = [
    ...[...text.matchAll(SLOT)].flatMap((match): Place[] => {
      const slot = slots.find(({ name }) => name === match[1]);
      return slot === undefined ? [] : [placeOf(match, `{${figureFact(slot.figure)}}`, "SLOT")];
    }),
    ...[...findNames(text, names), ...findNames(text, common)].map((place) => ({ ...place, tag: "NAME" })),
    ...findNames(text, COMPOUNDS).map((place) => ({ ...place, tag: "NNG" })),
    ...[...text.matchAll(NUMBER_WORDS)].map((match) => placeOf(match, match[0], "NR")),
    ...[...text.matchAll(PICTURE)].map((match) => placeOf(match, match[0], "SW")),
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
/** 삼천이백억 원, 영점오 퍼센트: whole, where something is counted by it. 조사, 만일 and 이사 are other words. */
const NUMBER_WORDS = new RegExp(
  [
    "(?<![가-힣])(?![조억일])(?=[영일이삼사오육칠팔구]*[십백천만억조])[영일이삼사오육칠팔구십백천만억조]{2,}" +
      "(?= ?(?:원|퍼센트|프로|%|배|개|종목|달러|위|엔|유로|위안|명|좌)(?:[을를이가에의은는입으로정씩대]|[^가-힣]|$))",
    "(?<![가-힣])[영일이삼사오육칠팔구십백천점]+(?:할(?=[을를이가은 ]|$)|(?= ?퍼센트| ?프로(?![가-힣])))",
  ].join("|"),
  "gu",
);
const PICTURE = /\p{Emoji_Presentation}|(?![©®])\p{Extended_Pictographic}|[\u{10000}-\u{10ffff}]/gu;

interface Reading {
  text: string;
  /** For each unit of `text` the offset in the normalised text. */
  origins: number[];
  places: Map<string, Place>;
}

/** What the library reads: places stand as foreign words that the text does not hold, spaced syllables are joined. */
function readingOf(text: string, places: readonly Place[]): Reading {
  const reading: Reading = { text: "", origins: [], places: new Map() };
  const mark = MARKS.find((candidate) => !text.toUpperCase().includes(candidate)) ?? MARKS[0]!;
  const separators = separatorsIn(text);
  const borders = new Set([...text.matchAll(VERBAL)].map(({ index }) => index));
  const write = (units: string, origin: number) => {
    reading.text += units;
    for (let unit = 0; unit < units.length; unit += 1) reading.origins.push(origin);
  };
  let at = 0;
  const copyTo = (end: number) => {
    for (; at < end; at += 1) {
      if (borders.has(at)) write(" ", at);
      if (!separators.has(at)) write(JAMO[text.charCodeAt(at)] ?? text[at]!, at);
    }
  };
  for (const place of places) {
    copyTo(place.start);
    const word =
      mark + [...reading.places.size.toString(26)].map((digit) => LETTERS[Number.parseInt(digit, 26)]).join("");
    reading.places.set(word, place);
    // A foreign letter right beside it would melt into the word; a Korean particle must not be parted from it.
    if (/[A-Za-z]$/.test(reading.text) || place.tag === "SW") write(" ", place.start);
    write(word, place.start);
    at = place.end;
    if (/[A-Za-z]/.test(text[at] ?? "") || place.tag === "SW") write(" ", place.start);
  }
  copyTo(text.length);
  return reading;
}

const MARKS = ["QZX", "ZXQ", "XQJ", "JQX", "WQX"];
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Normalising turns ㅋ into the conjoining letter; the library and the lexicon know the one that is typed. */
const JAMO: Record<number, string> = Object.fromEntries(
  [..."ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"].map((letter, index) => [0x1100 + index, letter]),
);

/** Offsets of the blanks, dots and dashes that stand between the syllables of a word written apart: 원 금 보 장, 원.금.보.장. */
function separatorsIn(text: string): Set<number> {
  const found = [...text.matchAll(APART)].filter(([run]) => {
    const syllables = run.match(/(?<![가-힣])[가-힣](?![가-힣])/gu) ?? [];
    const free = syllables.filter(
      (syllable, index) => FREE.includes(syllable) || (syllable === "수" && endsInRieul(syllables[index - 1])),
    ).length;
    return /[^가-힣 ]/u.test(run) || free * 2 < syllables.length;
  });
  return new Set(
    [...found, ...text.matchAll(BROKEN)].flatMap((match) =>
      [...match[0]].flatMap((unit, index) => (/[가-힣]/u.test(unit) ? [] : [match.index + index])),
    ),
  );
}

function endsInRieul(syllable: string | undefined): boolean {
  return syllable !== undefined && (syllable.charCodeAt(0) - 0xac00) % 28 === 8;
}

const APART =
  /(?<![가-힣])[가-힣](?:(?: ?[.\-·ㆍ_*~,|] ?| )[가-힣](?![가-힣])){2,}(?:(?: ?[.\-·ㆍ_*~,|] ?| )[가-힣]{2,5})?(?![가-힣])/gu;
/** Where a predicate begins after its noun in forms that the model takes for a longer noun: 보장|받으실, 보장|돼요. */
const VERBAL = /(?<=[가-힣]{2})(?:하셔|하시[는고면려]|하십|받으|받[아았는을고게지]|돼(?!지)|됐)/gu;
/** Words of one syllable that often stand in a row: 할 수 있는 한, 그 중 세 개. */
const FREE =
  "것할될볼낼줄갈올클질날이그한두세네석넉등및약연월일년원또더잘못안각총전후중내외말때데바지적번개주달해큰새온본둘배명곳건위회";
/** Words that somebody hides by one blank or dot within them. */
const BROKEN = new RegExp(
  ["원금보장", "원금보전", "수익보장", "확정수익", "무위험", "손실없", "최고수익"]
    .map((word) => `(?<![가-힣])${[...word].join("(?:[ .·_*-]{0,2})")}`)
    .join("|"),
  "gu",
);

/** The library gives the offsets of the word: a morpheme written as it is said is found within it, others share what lies between. */
function narrowed(morphemes: readonly Morpheme[], reading: Reading): Draft[] {
  let word = -1;
  let at = 0;
  const spans = morphemes.map(({ text, start, end }) => {
    if (start !== word) at = start;
    word = start;
    const found = reading.text.slice(0, end).indexOf(text, at);
    if (found < 0) return { start: at, end: -1, limit: end };
    at = found + text.length;
    return { start: found, end: at, limit: end };
  });
  return spans.map((span, index) => {
    const next = spans.slice(index + 1).find(({ end }) => end >= 0);
    const until = span.end >= 0 ? span.end : Math.min(span.limit, next?.start ?? span.limit);
    const last = Math.max(until, span.start + 1, 1) - 1;
    const from = Math.min(span.start, last);
    return {
      lemma: oneForm(morphemes[index]!.text, morphemes[index]!.pos),
      tag: morphemes[index]!.pos,
      start: reading.origins[from]!,
      end: reading.origins[last]! + 1,
    };
  });
}

/** The foreign words that stood for places are those places again. */
function placed(drafts: readonly Draft[], places: ReadonlyMap<string, Place>): Draft[] {
  return drafts.map((draft) => ({ ...draft, ...places.get(draft.lemma) }));
}
