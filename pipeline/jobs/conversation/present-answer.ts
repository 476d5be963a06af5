/**
 * An answer as people are shown it: the host prints the figures, and the sentence gates judge each sentence under the batch's policy.
 * A sentence that is blocked is not shown, its codes are; what is only to be reviewed is shown with them.
 */
import { type Analysers, openAnalysers } from "../../compose/language/open.ts";
import { namesOf, plainSentences } from "../../compose/plain-sentences.ts";
import { printClaim, textOfRuns } from "../../compose/print-slots.ts";
import { judgeText } from "../../gates/judge-text.ts";
import type { Answer, AnswerSentence } from "../../schema/answer.ts";
import type { ClaimRecord } from "../../schema/claim.ts";
import { figureId } from "../../schema/fact.ts";
import type { Dossier } from "../../schema/step-documents.ts";
import type { Finding, Verdict } from "../../schema/verdict.ts";
import type { RunContext } from "../context.ts";
import { judgeClaims } from "../steps/judge-claims.ts";
import { namesFor, vocabularyFor } from "../steps/vocabulary.ts";
import { type FrozenDesk, withoutRefused } from "./frozen-desk.ts";

export interface ShownSentence {
  id: string;
  instrument: string | null;
  /** With its figures printed; null: a gate blocks it. */
  text: string | null;
  /** Ids of the figures that it binds. */
  figures: string[];
  verdict: Verdict;
  findings: Pick<Finding, "code" | "severity" | "detail">[];
}

export async function presentAnswer(
  context: RunContext,
  { products }: FrozenDesk,
  answer: Answer,
): Promise<ShownSentence[]> {
  const analysers = await openAnalysers();
  const shown = new Map<string, ShownSentence>();
  for (const sentence of answer.sentences.filter(({ instrument }) => instrument === null)) {
    shown.set(sentence.id, presentUnbound(context, analysers, answer, sentence));
  }
  for (const { instrument, dossier } of products) {
    const own = answer.sentences.filter((sentence) => sentence.instrument === instrument);
    if (own.length === 0) continue;
    const { facts } = withoutRefused(JSON.parse((await context.objects.get(dossier)).toString("utf8")) as Dossier);
    for (const one of presentBound(context, analysers, answer, own, facts)) shown.set(one.id, one);
  }
  return answer.sentences.map(({ id, instrument }) => shown.get(id) ?? notOnDesk(id, instrument));
}

function presentUnbound(
  { policy }: RunContext,
  analysers: Analysers,
  { locale }: Answer,
  { id, text }: AnswerSentence,
): ShownSentence {
  const { findings } = judgeText(
    policy,
    plainSentences(analysers, { id, text, locale, names: namesOf(policy.lexicons) }),
  );
  return toShown({ id, instrument: null, slots: [] }, text, findings);
}

function presentBound(
  context: RunContext,
  analysers: Analysers,
  { locale }: Answer,
  own: readonly AnswerSentence[],
  facts: Dossier["facts"],
): ShownSentence[] {
  const instrument = context.instruments.get(own[0]!.instrument!)!;
  const records = own.map((sentence) => toRecord(sentence, instrument.instrument, locale));
  const names = namesFor(context, instrument, locale);
  const { findings } = judgeClaims(context, analysers, instrument, locale, facts, records, names, []);
  const terms = {
    facts: new Map(facts.map((fact) => [figureId(fact), fact])),
    entities: vocabularyFor(context, instrument, locale).entities,
  };
  return own.map((sentence, index) =>
    toShown(sentence, textOfRuns(printClaim(records[index]!, terms)), findings.get(sentence.id) ?? []),
  );
}

/** As the gates know sentences that bind figures. What speaks against an answer is the next question, not part of it. */
function toRecord(sentence: AnswerSentence, instrument: string, locale: Answer["locale"]): ClaimRecord {
  const { id, text, slots, type, supports, causal_edge } = sentence;
  const own = slots.map(({ figure }) => ({ kind: "fact" as const, figure: figure.replace(/^label\//, "") }));
  return {
    schema: "claim/v1",
    ...{ id, instrument, locale, role: "point", text, slots, type, causal_edge },
    supports: [...own, ...supports],
    opposing: { kind: "found", supports: [] },
    confidence: "medium",
    absence_receipt: null,
    turn: "",
    receipt: "",
  };
}

function toShown(
  { id, instrument, slots }: Pick<AnswerSentence, "id" | "instrument" | "slots">,
  text: string,
  found: readonly Finding[],
): ShownSentence {
  const isBlocked = found.some(({ severity }) => severity === "BLOCK");
  return {
    id,
    instrument,
    text: isBlocked ? null : text,
    figures: [...new Set(slots.map(({ figure }) => figure.replace(/^label\//, "")))],
    verdict: isBlocked ? "BLOCK" : found.length > 0 ? "REVIEW" : "PASS",
    findings: found.map(({ code, severity, detail }) => ({ code, severity, detail })),
  };
}

function notOnDesk(id: string, instrument: string | null): ShownSentence {
  const detail = `${instrument} is not among the cards of the run`;
  return {
    ...{ id, instrument, text: null, figures: [], verdict: "BLOCK" },
    findings: [{ code: "PRODUCT_UNKNOWN", severity: "BLOCK", detail }],
  };
}

/** For the terminal and for the file: sentence, its figures, and what the gates said of it. */
export function answerInWords(shown: readonly ShownSentence[]): string {
  const lines = shown.flatMap(({ instrument, text, figures, verdict, findings }) => {
    const codes = [...new Set(findings.map(({ code }) => code))].join(", ");
    const bound = figures.length === 0 ? [] : [`    [${instrument}: ${figures.join(", ")}]`];
    if (text === null) return [`- (not shown: ${codes})`, ...bound];
    return [`- ${text}`, ...bound, ...(verdict === "REVIEW" ? [`    (to be reviewed: ${codes})`] : [])];
  });
  return `${lines.join("\n")}\n`;
}
