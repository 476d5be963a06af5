/**
 * Languages that a text has to be read in: that of its place, and another one whose script carries words of it. A sentence in
 * a language that nobody asked for is judged all the same.
 */
import { LOCALES, type Locale } from "../../domain/locale.ts";

const WORDS_OF: Record<Locale, RegExp> = {
  "ko-KR": /\p{Script=Hangul}{2}/u,
  // A name or two is no sentence, nor is a row of tickers.
  "en-US": /\p{Ll}{2,}(?:[\s,'’-]+\p{L}*\p{Ll}\p{L}*){2}/u,
};

export function readingsOf(text: string, locale: Locale): Locale[] {
  return [locale, ...LOCALES.filter((other) => other !== locale && WORDS_OF[other].test(text))];
}
