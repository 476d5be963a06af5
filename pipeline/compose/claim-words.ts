/**
 * Words of a claim that its places must bear out: the name of a measure beside its figure, a place in a ranking, gain and loss,
 * a cause, an absence. Coarse on purpose and for proposed claims alone: a wording that is refused can be said otherwise. Whether
 * a sentence is fair is the gates' question.
 */
import type { Locale } from "../domain/locale.ts";
import type { Fact } from "../schema/fact.ts";
import { subjectFaults } from "./claim-subjects.ts";

export interface PlacedFigure {
  /** Of the place, as in the text: `{r}`. */
  place: string;
  figure: string;
  value: Fact["value"];
}

export interface WordFault {
  code:
    | "MEASURE_CONFLICT"
    | "SUBJECT_CONFLICT"
    | "RANK_CONFLICT"
    | "SIGN_CONFLICT"
    | "CAUSE_UNNAMED"
    | "ABSENCE_UNNAMED";
  detail: string;
}

interface Measure {
  words: Readonly<Record<Locale, RegExp>>;
  figures: RegExp;
  /** Figures of which one must stand in the sentence, wherever it has the word; null: any or none. */
  nearby: RegExp | null;
}

const RETURNS = /^(?:total_return|benchmark_return|peer_(?:median|rank|count)\.total_return|multiple_)/;
/** A sentence on returns may give the difference alone, beside another word. */
const COMPARED = new RegExp(`${RETURNS.source}|^benchmark_difference`);

/** Longer names first: what one has taken is no other's. */
const MEASURES: readonly Measure[] = [
  named(
    /(?:기초 ?지수|비교 ?지수|벤치마크|지수)(?:의)? 수익률/,
    /(?:benchmark|index) return/,
    /^benchmark_(?:return|difference)/,
  ),
  named(/(?:분배금|배당) ?수익률|분배율/, /(?:distribution|dividend) yield/, /^distribution_yield/),
  named(/가격 ?수익률/, /price return/, /^price_return/),
  named(/총 ?수익률/, /total return/, RETURNS, COMPARED),
  named(/변동성/, /volatility/, /^(?:volatility|tracking_error)/),
  named(/낙폭/, /drawdown/, /^max_drawdown/),
  named(/총 ?보수|보수율/, /expense ratio|management fee/, /^total_expense_ratio/),
  named(/상관 ?계수/, /correlation/, /^correlation/),
  named(/추적 ?오차/, /tracking error/, /^tracking_error/),
  named(/괴리율/, /premium|discount/, /^premium/),
  named(
    /매달|매월|다달이|매주|분기마다|달마다/,
    /monthly|quarterly|weekly|every (?:month|quarter|week)/,
    /^distribution_count/,
  ),
  named(/거래 ?대금/, /traded value|trading value/, /^average_daily_value/),
  beside(/베타/, /beta/, /^beta/),
  beside(/순자산(?! ?가치)(?: ?총액)?/, /net assets/, /^(?:fund_)?net_assets/),
  beside(/종가/, /close|closing price/, /^(?:last_close|position_52w|premium)/),
  beside(/최고가/, /high/, /^high_52w/),
  beside(/최저가/, /low/, /^low_52w/),
];

/** What stands between a measure and its figure when one is said of the other. */
const SAID: Readonly<Record<Locale, string>> = {
  "ko-KR": "(?:은|는|이|가|도|만|을|를)? ?",
  "en-US": "(?: (?:was|is|of|at|stood at|stands at|came to|comes to|reached|amounted to))? ",
};

export function wordFaults(
  { locale, text, causal_edge, absence_receipt }: ClaimWords,
  placed: readonly PlacedFigure[],
): WordFault[] {
  const faults = [
    ...measureFaults(locale, text, placed),
    ...subjectFaults(locale, text, placed),
    ...rankFaults(text, placed),
    ...signFaults(text, placed),
  ];
  const cause = CAUSES[locale].exec(text);
  if (cause !== null && causal_edge == null) faults.push({ code: "CAUSE_UNNAMED", detail: cause[0] });
  const absence = ABSENCES[locale].exec(text);
  if (absence !== null && absence_receipt == null) faults.push({ code: "ABSENCE_UNNAMED", detail: absence[0] });
  return faults;
}

export interface ClaimWords {
  locale: Locale;
  text: string;
  causal_edge?: string | null;
  absence_receipt?: string | null;
}

function measureFaults(locale: Locale, text: string, placed: readonly PlacedFigure[]): WordFault[] {
  const faults: WordFault[] = [];
  let rest = text;
  for (const { words, figures, nearby } of MEASURES) {
    for (const match of [...rest.matchAll(new RegExp(words[locale], "giu"))].reverse()) {
      const [word] = match;
      const after = new RegExp(`^${SAID[locale]}(\\{[a-z0-9_]+\\})`, "iu").exec(text.slice(match.index + word.length));
      const beside = placed.find(({ place }) => place === after?.[1]);
      if (beside !== undefined && !figures.test(beside.figure)) {
        faults.push({ code: "MEASURE_CONFLICT", detail: `"${word}" beside ${beside.figure}` });
      } else if (nearby !== null && placed.length > 0 && !placed.some(({ figure }) => nearby.test(figure))) {
        faults.push({ code: "MEASURE_CONFLICT", detail: `"${word}" without a figure of it` });
      }
      rest = `${rest.slice(0, match.index)}${" ".repeat(word.length)}${rest.slice(match.index + word.length)}`;
    }
  }
  // The other side is named, or its figure reads as the product's own.
  for (const { figure } of placed) {
    const others = OTHERS.find(({ figures }) => figures.test(figure));
    if (others !== undefined && !others.words.test(text)) {
      faults.push({ code: "MEASURE_CONFLICT", detail: `${figure} under no name of its own` });
    }
  }
  return faults;
}

const OTHERS = [
  { figures: /^benchmark_/, words: /비교|벤치마크|지수|benchmark|comparison|index/iu },
  { figures: /^peer_/, words: /동종|비교군|중앙값|peer|median/iu },
  { figures: /^fx_/, words: /환율|통화|exchange|currency/iu },
];

function rankFaults(text: string, placed: readonly PlacedFigure[]): WordFault[] {
  const wants: [RegExp, RegExp][] = [
    [/(\{[a-z0-9_]+\}) ?위(?!치|험)/gu, /^peer_rank\./],
    [/(\{[a-z0-9_]+\}) ?(?:개|곳|종목|종) ?(?:중|가운데)/gu, /^peer_count\./],
    [/\b(?:rank(?:s|ed)?|place) (\{[a-z0-9_]+\})/giu, /^peer_rank\./],
    [/(\{[a-z0-9_]+\}) (?:peers|comparable)/giu, /^peer_count\./],
  ];
  const isFirst = placed.some(({ figure, value }) => figure.startsWith("peer_rank.") && value === "1");
  const leading = isFirst ? null : /선두|으뜸|독보|압도적|\b(?:unrivalled|unmatched|top performer)\b/iu.exec(text);
  const led: WordFault[] =
    leading === null ? [] : [{ code: "RANK_CONFLICT", detail: `"${leading[0]}" without a first place` }];
  const misplaced = wants.flatMap(([pattern, figures]) =>
    [...text.matchAll(pattern)].flatMap(([words, place]) => {
      const bound = placed.find((each) => each.place === place);
      if (bound === undefined || figures.test(bound.figure)) return [];
      return [{ code: "RANK_CONFLICT" as const, detail: `"${words}" is bound to ${bound.figure}` }];
    }),
  );
  return [...led, ...misplaced];
}

/** Gain or loss said of a figure: its sign says so too. */
function signFaults(text: string, placed: readonly PlacedFigure[]): WordFault[] {
  const said: [RegExp, boolean][] = [
    [/(\{[a-z0-9_]+\})(?:의|만큼의?|나|정도의?|을|를)? ?(?:손실|손해|돈을 잃|잃)/gu, true],
    [/(\{[a-z0-9_]+\})(?:의|만큼의?|나|정도의?|을|를)? ?(?:이익|이득|차익|돈을 벌|벌었|벌어)/gu, false],
    [/\b(?:loss|losses|lost|losing) (?:of |by )?(\{[a-z0-9_]+\})/giu, true],
    [/\b(?:profit|gain|gains|gained|earned|earning|made) (?:of |by )?(\{[a-z0-9_]+\})/giu, false],
  ];
  return said.flatMap(([pattern, isLoss]) =>
    [...text.matchAll(pattern)].flatMap(([words, place]) => {
      const value = placed.find((each) => each.place === place)?.value ?? null;
      if (value === null || (/[1-9]/.test(value) && value.startsWith("-") === isLoss)) return [];
      return [{ code: "SIGN_CONFLICT" as const, detail: `"${words}" of ${value}` }];
    }),
  );
}

const CAUSES: Readonly<Record<Locale, RegExp>> = {
  "ko-KR":
    /때문|덕분|덕택|덕에|탓[에이으]|(?:으?로|에) (?:인해|인하여|말미암|힘입|기인)|(?:영향|여파|결과|효과|수혜)(?:으?로|를 받아)|원인은|이끌었|견인했/u,
  "en-US":
    /\b(?:because|due to|owing to|thanks to|as a result|result(?:s|ed) from|driven by|caused by|on the back of|attributed to|boosted by|helped by|led by)\b/iu,
};
const ABSENCES: Readonly<Record<Locale, RegExp>> = {
  "ko-KR": /(?<!보장|확실|약속)(?:은|는|이|가|도) (?:전혀 |아예 |한 번도 )?없(?:습니다|었|으며|고|다|음)/u,
  "en-US":
    /\b(?:there (?:is|are|was|were) no|(?:has|have|had) (?:had )?no|none of|has never|have never|was never)\b(?! (?:guarantee|assurance|promise))/iu,
};

function named(korean: RegExp, english: RegExp, figures: RegExp, nearby: RegExp | null = figures): Measure {
  return { words: { "ko-KR": korean, "en-US": english }, figures, nearby };
}

function beside(korean: RegExp, english: RegExp, figures: RegExp): Measure {
  return named(korean, english, figures, null);
}
