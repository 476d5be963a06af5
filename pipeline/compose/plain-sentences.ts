/** Text that is bound to nothing, as sentences for the gates. */
import type { Locale } from "../domain/locale.ts";
import type { Sentence } from "../schema/sentence.ts";
import type { Analysers } from "./language/open.ts";
import { readingsOf } from "./language/readings.ts";
import { splitSentences } from "./language/split.ts";

/** A plain sentence and where it begins in the line that it comes from. */
export interface PlainSentence extends Sentence {
  start: number;
}

/** Names that each language's lexicon knows. */
export function namesOf(lexicons: Readonly<Record<Locale, { names: readonly string[] }>>) {
  return { "ko-KR": lexicons["ko-KR"].names, "en-US": lexicons["en-US"].names } as const;
}

/** Sentences of one line, `id/1` and on, in each language that it has words of. Throws TEXT_TOO_LONG. */
export function plainSentences(
  analysers: Analysers,
  line: { id: string; text: string; locale: Locale; names: Readonly<Record<Locale, readonly string[]>> },
): PlainSentence[] {
  return splitSentences(line.text).flatMap(({ text, start }, index) =>
    readingsOf(text, line.locale).map((locale) => ({
      id: `${line.id}/${index + 1}${locale === line.locale ? "" : `/${locale}`}`,
      kind: "plain",
      locale,
      text,
      tokens: analysers[locale].analyse(text, { names: line.names[locale] }),
      slots: [],
      type: null,
      causal_edge: null,
      absence_receipt: null,
      start,
    })),
  );
}
