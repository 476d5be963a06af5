/** Text that is bound to nothing, as sentences for the gates. */
import type { Locale } from "../domain/locale.ts";
import type { Sentence } from "../schema/sentence.ts";
import type { Analysers } from "./language/open.ts";
import { splitSentences } from "./language/split.ts";

/** A plain sentence and where it begins in the line that it comes from. */
export interface PlainSentence extends Sentence {
  start: number;
}

/** Sentences of one line, `id/1` and on. Throws TEXT_TOO_LONG. */
export function plainSentences(
  analysers: Analysers,
  line: { id: string; text: string; locale: Locale; names: readonly string[] },
): PlainSentence[] {
  return splitSentences(line.text).map(({ text, start }, index) => ({
    id: `${line.id}/${index + 1}`,
    kind: "plain",
    locale: line.locale,
    text,
    tokens: analysers[line.locale].analyse(text, { names: line.names }),
    slots: [],
    type: null,
    causal_edge: null,
    absence_receipt: null,
    start,
  }));
}
