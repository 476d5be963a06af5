/** What an analyser of a language does: text to tokens with dictionary forms. One file a language; both are synchronous once open. */
import type { Slot, Token } from "../../schema/sentence.ts";

export interface AnalyserOptions {
  /** Places `{name}` in the text and the figures bound to them; a place that is named by none is plain text. */
  slots?: readonly Slot[];
  /** Registered names: each occurrence becomes one NAME token, longest first. */
  names?: readonly string[];
  /** Names that are the same for every text: a long list that is made ready once. */
  common?: readonly string[];
}

export interface Analyser {
  /** Tokens in reading order, then one HID token for each hidden character. Throws TEXT_TOO_LONG past 2,000 characters. */
  analyse(text: string, options?: AnalyserOptions): Token[];
}

export const MAX_TEXT = 2000;
