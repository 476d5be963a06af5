/**
 * Measures the sentence rules of one language over a corpus: `npx tsx test/gates/measure-corpus.ts LOCALE FILE [CODE]`. For each
 * code hits, misses, false alarms, precision and recall; then every miss and every false finding with its rule. It counts;
 * that a figure is good enough is for corpus.test.ts to say.
 */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { openEnglish } from "../../pipeline/compose/language/en.ts";
import { openKorean } from "../../pipeline/compose/language/ko.ts";
import { findPhrases, toLine } from "../../pipeline/domain/phrase.ts";
import { type LexicalRule, type Lexicon, lexiconSchema } from "../../pipeline/schema/lexicon.ts";

export interface CorpusLine {
  id: string;
  text: string;
  expect: string[];
  also?: string[];
  category: string;
}

export interface Measured {
  line: CorpusLine;
  /** Codes raised, each with the gravest rule that raised it. */
  raised: Map<string, LexicalRule>;
  tokens: string;
}

export interface CodeFigures {
  hits: number;
  misses: number;
  alarms: number;
}

export function readCorpus(file: URL | string): CorpusLine[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as CorpusLine);
}

export function readLexicon(locale: string): Lexicon {
  const file = new URL(`../../pipeline/gates/policy/lexicon.${locale}.v1.yaml`, import.meta.url);
  return lexiconSchema.parse(parse(readFileSync(file, "utf8"), { maxAliasCount: 0 }));
}

export async function measure(locale: string, corpus: readonly CorpusLine[]): Promise<Measured[]> {
  const analyser = await (locale === "ko-KR" ? openKorean() : openEnglish());
  const lexicon = readLexicon(locale);
  return corpus.map((line) => {
    const tokens = toLine(analyser.analyse(line.text, { names: lexicon.names }));
    const raised = new Map<string, LexicalRule>();
    for (const rule of lexicon.rules) {
      if (findPhrases(tokens, rule, lexicon.classes).length === 0) continue;
      if (raised.get(rule.code)?.severity !== "BLOCK") raised.set(rule.code, rule);
    }
    return { line, raised, tokens };
  });
}

/** A code that the corpus allows (`also`) counts neither way. */
export function figuresOf(measured: readonly Measured[]): Map<string, CodeFigures> {
  const figures = new Map<string, CodeFigures>();
  const of = (code: string) => {
    const known = figures.get(code) ?? { hits: 0, misses: 0, alarms: 0 };
    figures.set(code, known);
    return known;
  };
  for (const { line, raised } of measured) {
    for (const code of line.expect) of(code)[raised.has(code) ? "hits" : "misses"] += 1;
    for (const code of raised.keys()) if (!permitted(line, code)) of(code).alarms += 1;
  }
  return figures;
}

export function permitted(line: CorpusLine, code: string): boolean {
  return line.expect.includes(code) || (line.also ?? []).includes(code);
}

async function main(locale: string, file: string, only: string | undefined): Promise<void> {
  const measured = await measure(locale, readCorpus(file));
  const concerns = (code: string) => only === undefined || code === only;
  const share = (part: number, whole: number) => (whole === 0 ? "   –" : (part / whole).toFixed(3));
  console.log("code                   hits  miss false  precision recall");
  for (const [code, { hits, misses, alarms }] of [...figuresOf(measured)].sort()) {
    const counts = [hits, misses, alarms].map((count) => String(count).padStart(5)).join(" ");
    console.log(`${code.padEnd(22)}${counts}      ${share(hits, hits + alarms)}  ${share(hits, hits + misses)}`);
  }
  const innocent = measured.filter(({ line }) => line.expect.length === 0);
  const blocked = innocent.filter(({ raised }) => [...raised.values()].some(({ severity }) => severity === "BLOCK"));
  const passed = measured.filter(({ line, raised }) => line.expect.length > 0 && raised.size === 0);
  console.log(
    `innocent ${innocent.length}, of them blocked ${blocked.length}; guilty that pass unseen ${passed.length}\n`,
  );
  for (const { line, raised, tokens } of measured) {
    const missed = line.expect.filter((code) => !raised.has(code) && concerns(code));
    const alarms = [...raised].filter(([code]) => !permitted(line, code) && concerns(code));
    if (missed.length + alarms.length === 0) continue;
    console.log(`${line.id} [${line.category}] ${line.text}`);
    if (missed.length > 0) console.log(`   MISS  ${missed.join(" ")}`);
    for (const [code, { id, severity }] of alarms) console.log(`   FALSE ${severity} ${code} by ${id}`);
    console.log(`   ${tokens}`);
  }
}

const [, script, locale, file, only] = process.argv;
if (script !== undefined && import.meta.url.endsWith(script.split("/").at(-1)!) && locale !== undefined) {
  await main(locale, file ?? "", only);
}
