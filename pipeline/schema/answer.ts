/**
 * What a run answers a person: sentences with places instead of numerals, each about one product whose figures it binds, or about
 * none. The host prints the places and judges the sentences each time the answer is shown; the document holds no number.
 */
import { z } from "zod";
import { LOCALES } from "../domain/locale.ts";
import { claimRecordSchema } from "./claim.ts";

export const ANSWER_SENTENCES_MAX = 24;

export const answerSentenceSchema = z.strictObject({
  id: z.string().regex(/^answer\/\d{1,2}$/),
  /** Whose figures it binds; null: it speaks of no product and binds none. */
  instrument: z.string().min(1).max(40).nullable(),
  ...claimRecordSchema.pick({ text: true, slots: true, type: true, supports: true, causal_edge: true }).shape,
});
export type AnswerSentence = z.infer<typeof answerSentenceSchema>;

export const answerSchema = z.strictObject({
  schema: z.literal("answer/v1"),
  locale: z.enum(LOCALES),
  sentences: z.array(answerSentenceSchema).min(1).max(ANSWER_SENTENCES_MAX),
});
export type Answer = z.infer<typeof answerSchema>;
