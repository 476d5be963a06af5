/**
 * Whose figure a claim says it is: the product's own, its comparison's, its peers'. Read from the name that stands nearest before
 * a place, or right after it. Coarse on purpose, like claim-words: who reads a sentence must not have to guess.
 */
import type { Locale } from "../domain/locale.ts";
import type { PlacedFigure, WordFault } from "./claim-words.ts";

interface Subject {
  words: Readonly<Record<Locale, string>>;
  /** Figures that may stand under the name. */
  figures: RegExp;
  /** Whether the name may not stand in a sentence with figures none of which is its own. */
  isOther: boolean;
}

/** Figures that are wholly another's; a difference, a rank or a beta is between the two. */
const OF_OTHERS = /^(?:benchmark_return|peer_median)\b/;

const SUBJECTS: readonly Subject[] = [
  {
    words: {
      "ko-KR": "(?:이|본|해당) ?(?:상품|펀드|ETF)",
      "en-US": "\\b(?:the|this) (?:fund|product|ETF)\\b",
    },
    figures: new RegExp(`^(?!${OF_OTHERS.source.slice(1)})`),
    isOther: false,
  },
  {
    words: {
      "ko-KR": "비교 ?(?:ETF|지수|상품|대상)|벤치마크|기준 ?지수|지수(?=의|는|가|도)",
      "en-US":
        "\\bbenchmark\\b|\\bcomparison (?:ETF|fund|index)\\b|\\bindex(?=['’]s| (?:returned|gained|lost|rose|fell))",
    },
    figures: /^(?:benchmark_|beta\b|correlation\b|tracking_error\b|multiple_)/,
    isOther: true,
  },
  {
    words: { "ko-KR": "동종|비교군|중앙값", "en-US": "\\bpeers?\\b|\\bmedian\\b" },
    figures: /^peer_/,
    isOther: true,
  },
  {
    words: {
      "ko-KR": "(?:경쟁|다른|타|유사) ?(?:상품|펀드|ETF|운용사)|경쟁 ?상대|경쟁사|타사",
      "en-US":
        "\\b(?:rivals?|competitors?)\\b|\\b(?:rival|competing|other|similar|another) (?:funds?|products?|ETFs?|issuers?)\\b",
    },
    figures: /^(?:peer_|benchmark_)/,
    isOther: true,
  },
];

/** Right after a place: "{r} of the comparison ETF", "{r}는 비교 ETF의 총수익률입니다". */
const AFTER: Readonly<Record<Locale, (words: string) => string>> = {
  "ko-KR": (words) =>
    `^(?:은|는|이|가) (?:지난 \\{\\w+\\} )?(?:${words})의 (?:지난 \\{\\w+\\} )?[^{}]*?(?:수익률|성과|값)[이입였]`,
  "en-US": (words) => `^ (?:(?:is|was) )?(?:(?:that )?(?:of|for|by|from) )?(?:(?:the|its|a) )?(?:${words})`,
};

export function subjectFaults(locale: Locale, text: string, placed: readonly PlacedFigure[]): WordFault[] {
  // A date is nobody's figure.
  const figures = placed
    .filter(({ value }) => !/^\d{4}-\d\d-\d\d/.test(value ?? ""))
    .map((each) => ({ ...each, at: text.indexOf(each.place) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  const conflict = (detail: string): WordFault => ({ code: "SUBJECT_CONFLICT", detail });
  const misplaced = figures.flatMap(({ figure, place, at }, index) => {
    const before = figures[index - 1];
    const owner =
      ownerAfter(locale, text.slice(at + place.length)) ??
      ownerBefore(locale, text.slice(before === undefined ? 0 : before.at + before.place.length, at));
    if (owner === null) return OF_OTHERS.test(figure) ? [conflict(`${figure} under no name of its own`)] : [];
    return owner.subject.figures.test(figure) ? [] : [conflict(`"${owner.name}" is said of ${figure}`)];
  });
  const unborne = SUBJECTS.flatMap(({ words, figures: own, isOther }) => {
    const name = isOther && figures.length > 0 ? pattern(words[locale]).exec(text) : null;
    return name === null || figures.some(({ figure }) => own.test(figure))
      ? []
      : [conflict(`"${name[0]}" without a figure of it`)];
  });
  return [...misplaced, ...unborne];
}

interface Owner {
  subject: Subject;
  name: string;
}

function ownerAfter(locale: Locale, rest: string): Owner | null {
  for (const subject of SUBJECTS) {
    const found = pattern(AFTER[locale](subject.words[locale])).exec(rest);
    if (found !== null) return { subject, name: found[0].trim() };
  }
  return null;
}

/** The last name before it and after the figure before. */
function ownerBefore(locale: Locale, between: string): Owner | null {
  let nearest: (Owner & { at: number }) | null = null;
  for (const subject of SUBJECTS) {
    for (const { index, 0: name } of between.matchAll(new RegExp(subject.words[locale], "giu"))) {
      if (nearest === null || index > nearest.at) nearest = { subject, name, at: index };
    }
  }
  return nearest;
}

function pattern(words: string): RegExp {
  return new RegExp(words, "iu");
}
