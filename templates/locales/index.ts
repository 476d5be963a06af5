/** Registry of the locales, and the label that names a figure's window in each. */
import type { Locale } from "../../pipeline/domain/locale.ts";
import { en } from "./en.ts";
import { ko } from "./ko.ts";
import type { CardWords } from "./words.ts";

export const WORDS: Record<Locale, CardWords> = { "ko-KR": ko, "en-US": en };

/** `total_return.3m` → 3개월; `high_52w` → 52주; null where a figure has no window. Ids split at their last dot. */
export function windowLabel(figure: string, locale: Locale): string | null {
  const dot = figure.lastIndexOf(".");
  const words = WORDS[locale];
  return (dot < 0 ? words.fact_windows[figure] : words.windows[figure.slice(dot + 1)]) ?? null;
}

/** Exposure badge of an `exposure_multiple`: "2" → 2배 / 2×, "-1" → −1배 / −1× (U+2212). */
export function multipleBadge(exposureMultiple: string, locale: Locale): string {
  return WORDS[locale].badges.multiple
    .replace("{sign}", exposureMultiple.startsWith("-") ? "\u2212" : "")
    .replace("{multiple}", exposureMultiple.replace("-", ""));
}
