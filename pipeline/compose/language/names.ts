/**
 * Where registered names stand in a text, and which fact a figure is of. A name is found however its parts are spaced and
 * cased, the longest first, and never within a longer word or number.
 */
import { CATALOGUE } from "../../schema/catalogue.ts";

export interface NamePlace {
  start: number;
  end: number;
  /** The name as registered without white space and slashes. */
  lemma: string;
}

export function findNames(text: string, names: readonly string[]): NamePlace[] {
  const expression = expressionOf(names);
  if (expression === null) return [];
  return [...text.matchAll(expression.pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    lemma: expression.lemmas.get(bare(match[0]).toLowerCase())!,
  }));
}

/** `total_return.1y` is a figure of the fact `total_return`. */
export function figureFact(figure: string): string {
  const fact = FACTS.find((candidate) => figure === candidate || figure.startsWith(`${candidate}.`));
  return fact ?? figure.split(".")[0]!;
}

const FACTS = CATALOGUE.map(({ fact }) => fact).sort((left, right) => right.length - left.length);

interface Expression {
  pattern: RegExp;
  lemmas: ReadonlyMap<string, string>;
}

function expressionOf(names: readonly string[]): Expression | null {
  const known = MEMORY.get(names);
  if (known !== undefined) return known;
  const folded = [...new Set(names.map((name) => name.normalize("NFKC")))].filter((name) => bare(name) !== "");
  if (folded.length === 0) return null;
  const alternatives = folded
    .sort((left, right) => bare(right).length - bare(left).length)
    .map((name) => {
      const parts = name.match(/\p{N}+|[^\p{N}\s/]+/gu) ?? [];
      const last = parts.at(-1)!;
      // Korean particles are written to a name; a letter or numeral that follows makes it another name.
      const border = /\p{Script=Hangul}$/u.test(last) ? "" : "(?![A-Za-z0-9]|[.,]\\d)";
      return parts.map((part) => part.replaceAll(/[$()*+./?[\\\]^{|}]/g, "\\$&")).join("[\\s/]{0,2}") + border;
    });
  const expression = {
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join("|")})`, "giu"),
    lemmas: new Map(folded.map((name) => [bare(name).toLowerCase(), bare(name)])),
  };
  MEMORY.set(names, expression);
  return expression;
}

const MEMORY = new WeakMap<readonly string[], Expression>();

function bare(name: string): string {
  return name.replaceAll(/[\s/]/gu, "");
}
