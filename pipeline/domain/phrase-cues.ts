/**
 * What a line must hold for a pattern to match at all: a list of sets of lemmas, one of each. Read off the pattern, so it can
 * only say no where the search would find nothing; most rules are answered without a search. What cannot be read says nothing.
 */
import { endOfMacro, splitOutside, type WordClasses } from "./phrase.ts";

export type Cues = readonly ReadonlySet<string>[];

/** Whether the search can be spared. */
export function lacksCues(cues: Cues, lemmas: ReadonlySet<string>): boolean {
  return cues.some((cue) => !hasCommon(cue, lemmas));
}

export function lemmasOf(line: string): Set<string> {
  return new Set(line.split(" ").map((token) => token.slice(0, token.lastIndexOf("/"))));
}

export function cuesOf(pattern: string, classes: WordClasses): Cues {
  return alternation(new Reader(pattern), classes);
}

class Reader {
  at = 0;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Up to the closing bracket or the end: each way through the alternatives needs one of its own cues. */
function alternation(reader: Reader, classes: WordClasses): Cues {
  const ways = [sequence(reader, classes)];
  while (reader.text[reader.at] === "|") {
    reader.at += 1;
    ways.push(sequence(reader, classes));
  }
  return ways.length === 1 ? ways[0]! : eitherOf(ways);
}

function eitherOf(ways: readonly Cues[]): Cues {
  const joined = new Set<string>();
  for (const way of ways) {
    const [smallest] = [...way].sort((left, right) => left.size - right.size);
    if (smallest === undefined) return [];
    for (const lemma of smallest) joined.add(lemma);
  }
  return [joined];
}

function sequence(reader: Reader, classes: WordClasses): Cues {
  const { text } = reader;
  const needed: ReadonlySet<string>[] = [];
  while (reader.at < text.length && text[reader.at] !== "|" && text[reader.at] !== ")") {
    const found = item(reader, classes);
    if (!isOptional(reader)) needed.push(...found);
  }
  return needed;
}

function item(reader: Reader, classes: WordClasses): Cues {
  const { text, at } = reader;
  if (text[at] === "(") {
    const opening = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(text.slice(at, at + 40))![0];
    reader.at += opening.length;
    const inside = alternation(reader, classes);
    reader.at += 1;
    // What stands around a match is not searched for.
    return /[=!]$/.test(opening) ? [] : inside;
  }
  if (text[at] === "[") {
    reader.at = text.indexOf("]", text[at + 1] === "]" ? at + 2 : at + 1) + 1;
    return [];
  }
  const end = text[at] === "<" ? endOfMacro(text, at) : at;
  if (end > at) {
    reader.at = end;
    return macro(text.slice(at + 1, end - 1), classes);
  }
  reader.at += text[at] === "\\" ? 2 : 1;
  return [];
}

/** Steps over the quantifier behind an item. */
function isOptional(reader: Reader): boolean {
  const quantifier = /^(?:[?*+]|\{\d+(?:,\d*)?\})\??/.exec(reader.text.slice(reader.at, reader.at + 12))?.[0] ?? "";
  reader.at += quantifier.length;
  return /^(?:[?*]|\{0)/.test(quantifier);
}

function macro(inner: string, classes: WordClasses): Cues {
  if (/^[*~/]/.test(inner)) return [];
  const name = inner.replace(/[+-]$/, "");
  const words = name.startsWith("'") ? splitOutside(name.slice(1, -1), "|") : (classes[name] ?? []);
  return eitherOf(words.map((word) => wordCues(word, classes)));
}

/** The pieces of a word that may not be left out. */
function wordCues(word: string, classes: WordClasses): Cues {
  return splitOutside(word, " ").flatMap((piece): Cues => {
    if (piece.endsWith("?")) return [];
    if (piece.startsWith("<")) return macro(piece.slice(1, -1), classes);
    const tag = piece.lastIndexOf("/");
    return [new Set([tag > 0 ? piece.slice(0, tag) : piece])];
  });
}

function hasCommon(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const [few, many] = left.size < right.size ? [left, right] : [right, left];
  for (const lemma of few) if (many.has(lemma)) return true;
  return false;
}
