/**
 * A sentence as the sentence rules see it: text, its tokens with dictionary forms, and what it is bound to. Analysis takes
 * time and a model of the language, so it is made before (compose/language) and handed to the gates as evidence.
 */
import type { Locale } from "../domain/locale.ts";
import type { EpistemicType } from "./claim.ts";

/**
 * `tag` is the analyser's: Sejong tags in Korean, universal parts of speech in English, and in both NAME for a registered
 * name, SLOT for a figure that the host prints, HID for a character that a reader cannot see (always last).
 */
export interface Token {
  /** As written, after normalisation. */
  text: string;
  /** Dictionary form; of a SLOT `{fact}`, of a HID `U+200B`. No white space and no slash. */
  lemma: string;
  tag: string;
  /** UTF-16 offsets in the sentence's text as given, end exclusive. */
  start: number;
  end: number;
}

/** A place in the text where the host prints a figure: `{r}` bound to `total_return.1y`. */
export interface Slot {
  name: string;
  figure: string;
}

export const SENTENCE_KINDS = ["claim", "research", "fixed", "name", "plain"] as const;

export interface Sentence {
  /** Where it stands: `claims/2`, `research/risks/1`, `tiles/1`, `line/7`. */
  id: string;
  /** claim: proposed by a composer; research: of a definition; fixed: the template's words; name: a name or stated text as supplied; plain: of a person, bound to nothing. */
  kind: (typeof SENTENCE_KINDS)[number];
  locale: Locale;
  text: string;
  tokens: Token[];
  slots: Slot[];
  /** What the sentence says it is; null where nothing says it. */
  type: EpistemicType | null;
  /** The edge that it names for saying why, as `id`. */
  causal_edge: string | null;
  /** The query receipt that it names for saying that something is absent. */
  absence_receipt: string | null;
}
