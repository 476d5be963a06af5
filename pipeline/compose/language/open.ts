/** Opens the analysers of all locales: half a second, once a process. */
import type { Locale } from "../../domain/locale.ts";
import type { Analyser } from "./analyser.ts";
import { openEnglish } from "./en.ts";
import { openKorean } from "./ko.ts";

export type Analysers = Readonly<Record<Locale, Analyser>>;

let opened: Promise<Analysers> | undefined;

export function openAnalysers(): Promise<Analysers> {
  opened ??= Promise.all([openKorean(), openEnglish()]).then(([korean, english]) => ({
    "ko-KR": korean,
    "en-US": english,
  }));
  return opened;
}
