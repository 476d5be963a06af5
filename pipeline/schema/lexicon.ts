/**
 * A lexicon: for one language the words and the phrases that the sentence rules look for, as part of a channel's policy.
 * Patterns are those of domain/phrase. Each rule says where it comes from, by the name of an origin.
 */
import { z } from "zod";
import { isDate } from "../domain/date.ts";
import { LOCALES } from "../domain/locale.ts";
import { SEVERITIES } from "./verdict.ts";

const id = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/);
const patterns = z.array(z.string().min(1)).default([]);

export const lexicalRuleSchema = z.strictObject({
  id,
  code: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
  severity: z.enum(SEVERITIES),
  pattern: z.string().min(1),
  unless: patterns,
  unless_before: patterns,
  unless_after: patterns,
  unless_anywhere: patterns,
  /**
   * What a bound figure must be for the phrase to stand: the sign of a return or change (`positive`), of a difference
   * (`above`), or a place among peers (`first`, `rank`). Null: no figure can excuse it.
   */
  asserts: z.enum(["positive", "negative", "above", "below", "first", "rank"]).nullable().default(null),
  /** What the phrase does, in words for the person whose sentence it is in. */
  says: z.string().min(1).max(160),
  origin: id,
});
export type LexicalRule = z.infer<typeof lexicalRuleSchema>;

export const lexiconSchema = z.strictObject({
  schema: z.literal("lexicon/v1"),
  locale: z.enum(LOCALES),
  /** Exactly one of `checked_on` and `confirm: legal`. */
  origins: z.record(
    id,
    z
      .strictObject({
        source: z.string().min(1),
        checked_on: z.string().refine(isDate, "must be a calendar date YYYY-MM-DD").optional(),
        confirm: z.literal("legal").optional(),
      })
      .refine((found) => !!found.checked_on !== !!found.confirm, {
        message: "needs either checked_on or confirm: legal",
      }),
  ),
  /** Names that hold numerals and are neither measures nor counts, beside those that the universe registers. */
  names: z.array(z.string().min(1)),
  classes: z.record(z.string().regex(/^[a-z][a-z_]*$/), z.array(z.string().min(1)).min(1)),
  rules: z.array(lexicalRuleSchema).min(1),
});
export type Lexicon = z.infer<typeof lexiconSchema>;
