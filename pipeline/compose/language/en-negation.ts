/**
 * Which words of an English sentence stand under a negation: a negator reaches from itself to the border of its clause, and two
 * that reach the same word undo each other ("no guarantee that it will not lose"). Idioms that only look negative
 * (not only, no doubt, without fail) reach nothing. What precedes a negator is left to the rules.
 */
interface Word {
  lemma: string;
  tag: string;
}

/** For each word whether an odd number of negators reaches it. */
export function negated(words: readonly Word[]): boolean[] {
  const reached = words.map(() => 0);
  for (const [at, { lemma }] of words.entries()) {
    if (NEXT_ONLY.has(lemma)) {
      if (words[at + 1] !== undefined) reached[at + 1]! += 1;
      continue;
    }
    // `neither … nor …` is one negation.
    if (!NEGATORS.has(lemma) || isIdiom(words, at) || (lemma === "nor" && reached[at]! % 2 === 1)) continue;
    const end = clauseEnd(words, at);
    for (let word = at + 1; word < end; word += 1) reached[word]! += 1;
  }
  return reached.map((count) => count % 2 === 1);
}

const NEGATORS = new Set("not no never neither nor none nothing nobody nowhere without cannot n't hardly".split(" "));
const NEXT_ONLY = new Set(["non"]);
/** After these words a negator says nothing of what follows. */
const AFTER: Record<string, ReadonlySet<string>> = {
  not: new Set("only just merely least surprisingly".split(" ")),
  no: new Set([
    "doubt",
    "question",
    "matter",
    "wonder",
    "less",
    "mistake",
    "sooner",
    "brainer",
    ",",
    ".",
    "!",
    ";",
    "1",
  ]),
  without: new Set(["doubt", "fail", "question", "exception", "hesitation", "delay"]),
  nothing: new Set(["less", "short", "but"]),
};

function isIdiom(words: readonly Word[], at: number): boolean {
  // "Isn't it safe?" says that it is.
  if (at === 1 && words[0]!.tag.startsWith("AUX") && words.at(-1)!.lemma === "?") return true;
  const next = words[at + 1]?.lemma ?? "";
  if (AFTER[words[at]!.lemma]?.has(next)) return true;
  return words[at]!.lemma === "without" && next === "a" && words[at + 2]?.lemma === "doubt";
}

const BORDERS = new Set(
  '. ; : ! ? but however although though whereas while unless because since yet so ( ) "'.split(" "),
);

/** A comma ends the clause unless a list goes on after it; `and` ends it where a new predicate begins. */
function clauseEnd(words: readonly Word[], from: number): number {
  for (let at = from + 1; at < words.length; at += 1) {
    const { lemma } = words[at]!;
    if (BORDERS.has(lemma)) return at;
    if (lemma === "," && !goesOn(words, at, from)) return at;
    if (lemma === "and" && beginsClause(words, at + 1)) return at;
  }
  return words.length;
}

function goesOn(words: readonly Word[], comma: number, from: number): boolean {
  if (comma === from + 1) return true;
  const after = words.slice(comma + 1, comma + 7).map(({ lemma }) => lemma);
  const list = after.findIndex((lemma) => lemma === "or" || lemma === "nor");
  return list >= 0 && !words.slice(comma + 1, comma + 1 + list).some(({ tag }) => isPredicate(tag));
}

function beginsClause(words: readonly Word[], at: number): boolean {
  const [first, second] = [words[at], words[at + 1]];
  if (first === undefined) return false;
  if (/^(?:PRON|AUX)/.test(first.tag) || isPredicate(first.tag)) return true;
  return first.tag.startsWith("ADV") && second !== undefined && /^(?:AUX|VERB)/.test(second.tag);
}

function isPredicate(tag: string): boolean {
  return /^(?:VERB:s|AUX)/.test(tag);
}
