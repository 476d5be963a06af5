/**
 * Finds phrases in a sentence of tokens. The sentence is one line, `lemma/TAG lemma/TAG `; a pattern is a regular expression
 * over it in which <class> stands for one word of a class, </TAG> for one token of a tag, <*3> for up to three tokens of any
 * kind, <~3> for up to three that do not leave the sentence, <~3!class> that also pass no word of the class, <'word|word'>
 * for words that need no class of their own. So a rule speaks of dictionary forms and endings, never of spellings. Pure;
 * patterns come from the policy.
 */
import { AssayError } from "./outcome.ts";

export interface PhraseToken {
  lemma: string;
  tag: string;
  start: number;
  end: number;
}

export interface PhrasePattern {
  pattern: string;
  /** Patterns that excuse a match: anywhere in its clause, before the match, after it. */
  unless: readonly string[];
  unless_before: readonly string[];
  unless_after: readonly string[];
  /** Excuses that a whole sentence gives, over the borders of its clauses: whose opinion it is. */
  unless_anywhere?: readonly string[];
}

/**
 * Words by class. A word is one or several pieces with blanks between them: a lemma (`예금자 보호`), a lemma of one tag
 * (`보/VX`), a whole class or another macro (`<not>`, `</EP>`), each with `?` behind it where it may be left out. A tag that
 * ends in `-` marks a word that a negation reaches: <word+> is one that none reaches, <word-> one that it reaches.
 */
export type WordClasses = Readonly<Record<string, readonly string[]>>;

/** Matches of one pattern: indices of the first token and of the one after the last. */
export interface PhraseMatch {
  first: number;
  after: number;
}

/** Which name it is says nothing to a rule: lines that differ only in names are one line. */
export function toLine(tokens: readonly PhraseToken[]): string {
  return tokens.map(({ lemma, tag }) => `${tag === "NAME" ? "name" : lemma}/${tag} `).join("");
}

/** Every match that nothing excuses, in reading order. */
export function findPhrases(line: string, phrase: PhrasePattern, classes: WordClasses): PhraseMatch[] {
  const matches = [...line.matchAll(compiled(phrase.pattern, classes, SEARCHES))].filter(([text]) => text !== "");
  if (matches.length === 0) return [];
  if (phrase.unless_anywhere?.some((pattern) => compiled(pattern, classes).test(line))) return [];
  const borders = bordersIn(line, classes);
  const excused = new Map<string, boolean>();
  return matches
    .map((match) => ({ start: match.index, end: match.index + match[0].length }))
    .filter(
      ({ start, end }) =>
        !isExcused(clauseAround(line, borders, start, end), phrase.unless, classes, excused) &&
        !phrase.unless_before.some((pattern) => compiled(pattern, classes).test(before(line, start))) &&
        !phrase.unless_after.some((pattern) => compiled(pattern, classes).test(line.slice(end, end + REACH))),
    )
    .map(({ start, end }) => ({ first: tokensIn(line.slice(0, start)), after: tokensIn(line.slice(0, end - 1)) + 1 }));
}

/** A language that names the class `clause_border` has excuses that reach no further than their clause. */
function bordersIn(line: string, classes: WordClasses): number[] {
  if (classes[BORDER] === undefined) return [];
  return [...line.matchAll(compiled(`<${BORDER}>`, classes, SEARCHES))].map(({ index }) => index);
}

const BORDER = "clause_border";

function clauseAround(line: string, borders: readonly number[], start: number, end: number): string {
  const from = borders.findLast((border) => border <= start) ?? 0;
  return line.slice(
    from,
    borders.find((border) => border >= end),
  );
}

function isExcused(
  clause: string,
  patterns: readonly string[],
  classes: WordClasses,
  known: Map<string, boolean>,
): boolean {
  const answer = known.get(clause) ?? patterns.some((pattern) => compiled(pattern, classes).test(clause));
  known.set(clause, answer);
  return answer;
}

/** What excuses a match stands near it; so a long line costs as much for each match as a short one. */
const REACH = 200;

/** Whole tokens before the match. */
function before(line: string, start: number): string {
  return line.slice(start <= REACH ? 0 : line.indexOf(" ", start - REACH) + 1, start);
}

/** Offsets in the sentence's text that a match covers. */
export function spanOf(tokens: readonly PhraseToken[], { first, after }: PhraseMatch): [start: number, end: number] {
  const covered = tokens.slice(first, after);
  return [Math.min(...covered.map(({ start }) => start)), Math.max(...covered.map(({ end }) => end))];
}

/** Throws PATTERN_INVALID for an unknown class or a malformed expression; remembers what it compiled. */
export function compiled(pattern: string, classes: WordClasses, memory = TESTS): RegExp {
  const known = memory.get(classes) ?? new Map<string, RegExp>();
  memory.set(classes, known);
  const compiledBefore = known.get(pattern);
  if (compiledBefore !== undefined) return compiledBefore;
  let expression: RegExp;
  try {
    const expanded = expandAll(pattern, classes, [], "");
    // A phrase begins with a token; said first, it spares the search most of the line.
    expression = memory === SEARCHES ? new RegExp(`${AT_TOKEN}(?:${expanded})`, "gu") : new RegExp(expanded, "u");
  } catch (cause) {
    if (cause instanceof AssayError) throw cause;
    throw new AssayError("PATTERN_INVALID", `${pattern}: ${(cause as Error).message}`, { cause });
  }
  known.set(pattern, expression);
  return expression;
}

const SEARCHES = new WeakMap<WordClasses, Map<string, RegExp>>();
const TESTS = new WeakMap<WordClasses, Map<string, RegExp>>();
const NAMED = /<([*~]\d{1,2}(?:![a-z][a-z_]*)?|\/[A-Z]+|[a-z][a-z_]*[+-]?)>/uy;
const PIECE = /^([^\s<>]+?)(\?)?$/u;
type Polarity = "" | "+" | "-";
/** What may follow the slash of a lemma whose tag is not given. */
const REST: Record<Polarity, string> = { "": "\\S+", "+": "\\S*[^\\s-]", "-": "\\S*-" };
/** Before a whole token: the line's beginning or the blank that ends the token before. */
const AT_TOKEN = "(?<!\\S)";

/** Every macro of a pattern; a regular expression's own `(?<` and `\k<` are not touched. */
function expandAll(pattern: string, classes: WordClasses, within: readonly string[], outer: Polarity): string {
  let expression = "";
  for (let at = 0; at < pattern.length; ) {
    const end =
      pattern[at] === "<" && !/(?:\(\?|\\k)$/.test(pattern.slice(Math.max(0, at - 2), at))
        ? endOfMacro(pattern, at)
        : at;
    expression += end > at ? expand(pattern.slice(at + 1, end - 1), classes, within, outer) : pattern[at];
    at = Math.max(end, at + 1);
  }
  return expression;
}

/** The offset behind the macro that begins here, or this offset where none does. Words in quotes may hold macros. */
export function endOfMacro(text: string, at: number): number {
  if (text[at + 1] !== "'") {
    NAMED.lastIndex = at;
    return NAMED.test(text) ? NAMED.lastIndex : at;
  }
  let depth = 0;
  for (let next = at; next < text.length; next += 1) {
    if (text.startsWith("<'", next)) depth += 1;
    const closing = /^'[+-]?>/.exec(text.slice(next, next + 3));
    if (closing !== null && text[next - 1] !== "<") depth -= 1;
    if (depth === 0) return next + closing![0].length;
  }
  throw new AssayError("PATTERN_INVALID", `${text.slice(at, at + 40)} has no end`);
}

function expand(macro: string, classes: WordClasses, within: readonly string[], outer: Polarity): string {
  if (/^[*~]/.test(macro)) {
    const [most, barred] = macro.slice(1).split("!");
    const sentence = macro.startsWith("~") ? "(?!\\S+/(?:SF |PUNCT))" : "";
    const border = barred === undefined ? "" : `(?!${expand(barred, classes, within, "")})`;
    return `(?:${sentence}${border}\\S+ ){0,${most}}?`;
  }
  if (macro.startsWith("/")) return `(?:${AT_TOKEN}[^\\s/]+${literal(macro)}\\S* )`;
  const [, name, own] = /^(.+?)([+-]?)$/su.exec(macro)!;
  const polarity = own === "" ? outer : (own as Polarity);
  if (name!.startsWith("'")) return oneOf(splitOutside(name!.slice(1, -1), "|"), classes, within, polarity);
  const words = Object.hasOwn(classes, name!) ? classes[name!]! : [];
  if (words.length === 0) throw new AssayError("PATTERN_INVALID", `<${name}> names no class of words`);
  if (within.includes(name!)) throw new AssayError("PATTERN_INVALID", `<${name}> is made of itself`);
  return oneOf(words, classes, [...within, name!], polarity);
}

function oneOf(words: readonly string[], classes: WordClasses, within: readonly string[], polarity: Polarity): string {
  const alternatives = [...words]
    .sort((left, right) => right.length - left.length)
    .map((word) =>
      splitOutside(word, " ")
        .map((piece) => expandPiece(piece, classes, within, polarity))
        .join(""),
    );
  return `(?:${AT_TOKEN}(?:${alternatives.join("|")}))`;
}

function expandPiece(piece: string, classes: WordClasses, within: readonly string[], polarity: Polarity): string {
  const end = piece.startsWith("<") ? endOfMacro(piece, 0) : 0;
  if (end > 0 && /^\??$/.test(piece.slice(end))) {
    const expression = expand(piece.slice(1, end - 1), classes, within, polarity);
    return piece.length > end ? `(?:${expression})?` : expression;
  }
  const [, lemma, optional] = PIECE.exec(piece) ?? [];
  if (lemma === undefined) {
    throw new AssayError("PATTERN_INVALID", `${JSON.stringify(piece)} is neither a lemma nor <a macro>`);
  }
  const expression = `${literal(lemma)}${lemma.includes("/") ? "" : `/${REST[polarity]}`} `;
  return optional === undefined ? expression : `(?:${expression})?`;
}

/** Parts between separators that stand in no macro. */
export function splitOutside(text: string, separator: string): string[] {
  const parts = [""];
  for (let at = 0; at < text.length; ) {
    const end = text[at] === "<" ? endOfMacro(text, at) : at;
    if (end === at && text[at] === separator) parts.push("");
    else parts[parts.length - 1] += text.slice(at, Math.max(end, at + 1));
    at = Math.max(end, at + 1);
  }
  return parts;
}

function literal(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/g, "\\$&");
}

function tokensIn(line: string): number {
  return line.split(" ").length - 1;
}
