/**
 * The one shape of a gate: a question, the evidence it needs, its codes with meaning and remedy, and a pure check that
 * reports. A gate decides no verdict and knows no other gate; run.ts folds.
 */

import { findPhrases, type PhraseMatch, spanOf, toLine } from "../domain/phrase.ts";
import { type Cues, cuesOf, lacksCues, lemmasOf } from "../domain/phrase-cues.ts";
import { type Fact, figureId } from "../schema/fact.ts";
import type { LexicalRule, Lexicon } from "../schema/lexicon.ts";
import type { Sentence, Token } from "../schema/sentence.ts";
import type { Severity } from "../schema/verdict.ts";
import type { EvidenceKey, GateEvidence } from "./evidence.ts";

export const FAMILIES = ["data", "causality", "evidence", "numbers", "research", "compliance"] as const;
/**
 * admission: before anything of the product is composed or drawn; a BLOCK there ends it.
 * data: before render. sentences: every sentence alone, once per locale. page: after recalculation, once per locale.
 */
export const STAGES = ["admission", "data", "sentences", "page"] as const;
export type Stage = (typeof STAGES)[number];

export interface CodeTerms {
  /** The least severity; a policy may raise it and never lowers it. */
  severity: Severity;
  /** When the check itself may raise a REVIEW code to BLOCK; absent: never. */
  blocks_when?: string;
  meaning: string;
  remedy: string;
}

/** Codes of the run itself. Any check may report EVIDENCE_MISSING when what it was given is incomplete. */
export const ALWAYS_CODES = {
  EVIDENCE_MISSING: {
    severity: "BLOCK",
    meaning: "evidence that was declared or that the check needs is absent",
    remedy: "supply the missing file or rows and run again; absent evidence is never taken as good",
  },
  GATE_FAULT: {
    severity: "BLOCK",
    meaning: "a required check did not run as the policy demands, or failed while running",
    remedy: "report the fault with the batch id; the card stays in quarantine until the check runs",
  },
  NOTHING_EXAMINED: {
    severity: "BLOCK",
    meaning: "a check ran and found nothing to look at",
    remedy: "find out why its subjects are absent; a check that saw nothing proves nothing",
  },
} as const satisfies Record<string, CodeTerms>;

/** `blocks` raises a REVIEW code to BLOCK where its terms say when; `span` is the place in the subject's text. */
export type Report<C extends string> = (
  code: C | "EVIDENCE_MISSING",
  subject: string,
  detail?: string,
  options?: { blocks?: boolean; span?: [start: number, end: number] },
) => void;
/** Counts one subject that the check really looked at. */
export type Examined = (subject: string) => void;

export interface Gate<K extends EvidenceKey = EvidenceKey, C extends string = string> {
  id: string;
  version: number;
  family: (typeof FAMILIES)[number];
  stage: Stage;
  question: string;
  needs: readonly K[];
  codes: Record<C, CodeTerms>;
  check(evidence: Pick<GateEvidence, K>, report: Report<C>, examined: Examined): void;
}

export function defineGate<const K extends EvidenceKey, const C extends string = never>(gate: Gate<K, C>): Gate<K, C> {
  return gate;
}

/** Up to five examples and how many more there are: one finding per cause, readable by a person. */
export function examples(items: readonly string[], limit = 5): string {
  const shown = items.slice(0, limit).join("; ");
  return items.length > limit ? `${shown}; and ${items.length - limit} more` : shown;
}

export type FactsByFigure = ReadonlyMap<string, Fact>;

export function byFigure(facts: readonly Fact[]): FactsByFigure {
  return new Map(facts.map((fact) => [figureId(fact), fact]));
}

/** Exact value of an OK fact, else null. */
export function okValue(facts: FactsByFigure, figure: string): string | null {
  const fact = facts.get(figure);
  return fact?.status === "OK" ? fact.value : null;
}

/** A rule of the lexicon that a sentence breaks, and where. */
export interface Hit {
  rule: LexicalRule;
  match: PhraseMatch;
  span: [start: number, end: number];
}

/** Why a lexical code blocks: said once, for every gate that reads the lexicon. */
export const BLOCKS_BY_RULE = "the rule of the channel's lexicon says so";

/** What a name may not say either. Of measures, ranks and style a name is free: it is printed as it is registered. */
const OF_NAMES = ["GUARANTEE", "TARGET_RETURN", "COMPARISON_TO_DEPOSIT", "COMPLIANCE_BLOCK"];
/** Of these a name that is registered may be innocent (Target Income): a person looks. */
const REVIEWED_IN_NAMES = ["TARGET_RETURN", "COMPLIANCE_BLOCK"];

/** What of a code's rules the sentence breaks, in the lexicon's order. Throws where the policy has no lexicon of its language. */
export function hitsOf(sentence: Sentence, lexicons: Readonly<Record<string, Lexicon>>, code: string): Hit[] {
  const lexicon = lexicons[sentence.locale];
  if (lexicon === undefined) throw new Error(`the policy has no lexicon of ${sentence.locale}`);
  if (sentence.kind === "name" && !OF_NAMES.includes(code)) return [];
  const { tokens } = sentence;
  return matchesOf(readingOf(tokens), lexicon, code).map(({ rule, match }) => ({
    rule,
    match,
    span: spanOf(tokens, match),
  }));
}

interface Reading {
  line: string;
  lemmas: ReadonlySet<string>;
}

/** Fifteen gates read the same tokens. */
function readingOf(tokens: readonly Token[]): Reading {
  const known = READINGS.get(tokens);
  if (known !== undefined) return known;
  const line = toLine(tokens);
  const made = { line, lemmas: lemmasOf(line) };
  READINGS.set(tokens, made);
  return made;
}

const READINGS = new WeakMap<readonly Token[], Reading>();

/** The same fixed words stand on a hundred cards: each line is searched once a code. */
function matchesOf({ line, lemmas }: Reading, lexicon: Lexicon, code: string): LineMatch[] {
  const { rules, memory } = codeOf(lexicon, code);
  const known = memory.get(line);
  if (known !== undefined) return known;
  const matches = rules
    .filter(({ cues }) => !lacksCues(cues, lemmas))
    .flatMap(({ rule }) => findPhrases(line, rule, lexicon.classes).map((match) => ({ rule, match })));
  if (memory.size >= MEMORY_LINES) memory.clear();
  memory.set(line, matches);
  return matches;
}

/** One finding for a sentence and code: the gravest of the hits, the first among equals. */
export function reportHits<C extends string>(
  sentence: Sentence,
  hits: readonly Hit[],
  report: Report<C>,
  code: C & string,
): void {
  const worst = hits.find(({ rule }) => rule.severity === "BLOCK") ?? hits[0];
  if (worst === undefined) return;
  const words = sentence.text.slice(...worst.span);
  report(code, sentence.id, `${worst.rule.says}: "${words}"`, {
    blocks: worst.rule.severity === "BLOCK" && !(sentence.kind === "name" && REVIEWED_IN_NAMES.includes(code)),
    span: worst.span,
  });
}

/** The whole check of a gate that asks the lexicon and nothing else. */
export function lexicalCheck<C extends string>(code: C): Gate<"sentences" | "rules", C>["check"] {
  return ({ sentences, rules }, report, examined) => {
    for (const sentence of sentences) {
      examined(sentence.id);
      reportHits(sentence, hitsOf(sentence, rules.lexicons, code), report, code);
    }
  };
}

interface CodeRules {
  rules: { rule: LexicalRule; cues: Cues }[];
  memory: Map<string, LineMatch[]>;
}

function codeOf(lexicon: Lexicon, code: string): CodeRules {
  const codes = CODES.get(lexicon) ?? new Map<string, CodeRules>();
  CODES.set(lexicon, codes);
  const known = codes.get(code);
  if (known !== undefined) return known;
  const rules = lexicon.rules
    .filter((rule) => rule.code === code)
    .map((rule) => ({ rule, cues: cuesOf(rule.pattern, lexicon.classes) }));
  const made: CodeRules = { rules, memory: new Map() };
  codes.set(code, made);
  return made;
}

interface LineMatch {
  rule: LexicalRule;
  match: PhraseMatch;
}
const CODES = new WeakMap<Lexicon, Map<string, CodeRules>>();
const MEMORY_LINES = 20_000;
