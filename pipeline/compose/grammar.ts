/**
 * What a claim's text may be: one short sentence with places for figures and no numeral of its own, each place bound to a figure
 * of the product that is OK, all of one window, which it names, and under the name of whose it is. Refusals are values. Whether
 * the words agree with the figures is the sentence gates' question.
 */
import { windowLabel } from "../../templates/locales/index.ts";
import { findNumerals, hasBidiControl, withoutInvisible } from "../render/numerals.ts";
import type { Fact } from "../schema/fact.ts";
import type { Slot } from "../schema/sentence.ts";
import { type ClaimTails, tailFaults } from "./claim-tails.ts";
import { type ClaimWords, wordFaults } from "./claim-words.ts";
import { findNames } from "./language/names.ts";
import { splitSentences } from "./language/split.ts";

export const CLAIM_TEXT_MAX = 400;
/** A slot that prints the window of a figure: `label/total_return.1y` is 1년. */
export const LABEL = "label/";
export const PLACE = /\{([a-z][a-z0-9_]{0,31})\}/g;

export interface ClaimText extends ClaimWords, ClaimTails {
  slots: readonly Slot[];
  /** Of a claim for a card. A sentence of an answer has none: it may also say what there is not. */
  schema?: "claim/v1";
}

export interface GrammarTerms {
  /** The product's figures by id. */
  facts: ReadonlyMap<string, Fact>;
  /** Registered names that may hold digits. */
  names: readonly string[];
}

export const GRAMMAR_CODES = [
  "TEXT_MALFORMED",
  "TEXT_TOO_LONG",
  "SENTENCES_SEVERAL",
  "SLOT_MALFORMED",
  "SLOT_UNBOUND",
  "SLOT_UNUSED",
  "SLOT_REPEATED",
  "SLOT_CROWDED",
  "FIGURE_UNKNOWN",
  "FIGURE_UNAVAILABLE",
  "FIGURE_UNPRINTABLE",
  "WINDOW_ABSENT",
  "WINDOW_UNNAMED",
  "WINDOWS_MIXED",
  "NUMERAL",
  "NOTHING_BOUND",
  "MEASURE_CONFLICT",
  "SUBJECT_CONFLICT",
  "RANK_CONFLICT",
  "SIGN_CONFLICT",
  "CAUSE_UNNAMED",
  "ABSENCE_UNNAMED",
  "REQUEST",
  "DESTINATION",
  "EVENT_UNBOUND",
] as const;

export interface GrammarFault {
  code: (typeof GRAMMAR_CODES)[number];
  detail: string;
}

/** All that is wrong with the text; empty when it may go before the gates. */
export function grammarFaults(claim: ClaimText, terms: GrammarTerms): GrammarFault[] {
  if (claim.text.length > CLAIM_TEXT_MAX) {
    return [{ code: "TEXT_TOO_LONG", detail: `${claim.text.length} of ${CLAIM_TEXT_MAX} characters` }];
  }
  const placed = claim.slots
    .filter(({ figure }) => !figure.startsWith(LABEL))
    .map(({ name, figure }) => ({ place: `{${name}}`, figure, value: terms.facts.get(figure)?.value ?? null }));
  return [
    ...textFaults(claim),
    ...slotFaults(claim),
    ...figureFaults(claim, terms),
    ...numeralFaults(claim, terms),
    ...wordFaults(claim, placed),
    ...tailFaults(claim),
    ...looseFaults(claim),
  ];
}

/** Without a place a claim rests on research, a row of evidence or a search; a figure that it only names bears out no word of it. */
function looseFaults({ schema, slots, supports = [], absence_receipt }: ClaimText): GrammarFault[] {
  if (schema === undefined || slots.length > 0 || absence_receipt != null) return [];
  const isTold = supports.some(({ kind }) => kind === "research" || kind === "evidence");
  return isTold ? [] : [{ code: "NOTHING_BOUND", detail: "no place, and no research or evidence that it rests on" }];
}

function textFaults({ text }: ClaimText): GrammarFault[] {
  const faults: GrammarFault[] = [];
  const isSeen = withoutInvisible(text) === text && !hasBidiControl(text) && !/[\p{C}\u2028\u2029]/u.test(text);
  if (!isSeen || text !== text.trim() || text !== text.normalize("NFC") || !/\p{L}/u.test(text.replace(PLACE, ""))) {
    faults.push({
      code: "TEXT_MALFORMED",
      detail: "not one line of composed, visible characters without outer blanks",
    });
  }
  const foreign = MARKUP.exec(text)?.[0] ?? text.match(FOREIGN)?.[0];
  if (foreign !== undefined) {
    faults.push({
      code: "TEXT_MALFORMED",
      detail: `markup, an address or a foreign letter: ${JSON.stringify(foreign)}`,
    });
  }
  const sentences = splitSentences(text).length;
  if (sentences > 1) faults.push({ code: "SENTENCES_SEVERAL", detail: `${sentences} sentences; a claim is one` });
  return faults;
}

/** A claim is words of a language that is read here: no markup, nowhere to go, no letter that looks like another. */
const MARKUP = /[<>`|\\]|:\/\/|www\.|@|(?<=[a-z]{2})\.(?=[a-z]{2})/iu;
const FOREIGN =
  /(?!\p{Script=Hangul}|\p{Script=Latin}|\p{Script=Han}|\p{Script=Greek})\p{L}|[\uFF21-\uFF3A\uFF41-\uFF5A]/u;

function slotFaults({ text, slots }: ClaimText): GrammarFault[] {
  const used = [...text.matchAll(PLACE)].map(([, name]) => name!);
  const bound = slots.map(({ name }) => name);
  const named = (code: GrammarFault["code"], names: readonly string[]): GrammarFault[] =>
    [...new Set(names)].map((name) => ({ code, detail: `{${name}}` }));
  const rest = text.replace(PLACE, "");
  // Beside a figure, a sign, a unit or another figure would make it read as a different one.
  const crowded = text.match(CROWDED);
  return [
    ...(/[{}]/.test(rest) ? [{ code: "SLOT_MALFORMED" as const, detail: "a brace that is no place of a figure" }] : []),
    ...named(
      "SLOT_UNBOUND",
      used.filter((name) => !bound.includes(name)),
    ),
    ...named(
      "SLOT_UNUSED",
      bound.filter((name) => !used.includes(name)),
    ),
    ...named(
      "SLOT_REPEATED",
      bound.filter((name, index) => bound.indexOf(name) < index),
    ),
    ...(crowded === null ? [] : [{ code: "SLOT_CROWDED" as const, detail: JSON.stringify(crowded[0]) }]),
  ];
}

const CROWDED = new RegExp(
  [
    "[+\\-−–±~#№$₩€£¥%‰.,:/\\p{L}\\p{N}]\\{(?<![가-힣]\\{)",
    "\\}[^\\p{L}]?\\{",
    "[\\p{Pd}▲▼△▽↑↓⬆⬇]\\{",
    "(?:마이너스|플러스|음의|양의|minus|plus|negative|positive) ?\\{",
    "\\}[%‰+\\-−–±$₩€£¥/\\p{N}A-Za-z]",
    "\\}[.,:]\\S",
    "\\} ?[십백천만억조]{1,2} ?(?:원|달러|엔|유로|위안|개|명|주|좌|종목|퍼센트|%)",
    "\\}[십백천억조](?![가-힣])",
    "\\} ?(?:배(?![당분수])|곱절|갑절|퍼센트|프로(?![가-힣])|%|‰|×)",
    "\\} (?:percent|per cent|percentage|basis|bps?|hundred|thousand|million|billion|trillion|fold|dozen|times (?:over|the))",
  ].join("|"),
  "iu",
);

function figureFaults({ locale, slots }: ClaimText, { facts }: GrammarTerms): GrammarFault[] {
  const faults: GrammarFault[] = [];
  const labels = new Set<string>();
  const named = new Map<string, string | null>();
  for (const { figure } of slots) {
    const isLabel = figure.startsWith(LABEL);
    const own = isLabel ? figure.slice(LABEL.length) : figure;
    const fact = facts.get(own);
    const window = windowLabel(own, locale);
    if (fact === undefined) faults.push({ code: "FIGURE_UNKNOWN", detail: own.slice(0, 120) });
    else if (fact.status !== "OK" || fact.value === null) {
      faults.push({ code: "FIGURE_UNAVAILABLE", detail: `${own}: ${fact.reason ?? "no value"}` });
    } else if (isLabel && window === null) faults.push({ code: "WINDOW_ABSENT", detail: own });
    // A stated text can hold anything: it has its place in the sections, where nothing reads on around it.
    else if (!isLabel && fact.unit === "text") faults.push({ code: "FIGURE_UNPRINTABLE", detail: own });
    else if (isLabel) labels.add(window!);
    else if (window !== null || (fact.unit !== "date" && fact.unit !== "instant")) named.set(own, window);
  }
  if (labels.size > 1) faults.push({ code: "WINDOWS_MIXED", detail: [...labels].join(", ") });
  const [label] = labels;
  for (const [figure, window] of named) {
    if (window !== null && label === undefined) faults.push({ code: "WINDOW_UNNAMED", detail: `${figure}: ${window}` });
    else if (label !== undefined && window !== label) {
      faults.push({ code: "WINDOWS_MIXED", detail: `${figure} under ${label}` });
    }
  }
  return faults;
}

function numeralFaults({ text }: ClaimText, { names }: GrammarTerms): GrammarFault[] {
  // A place stands for a word of its own, so that what is left and right of it makes no numeral together.
  let rest = text.replace(PLACE, (place) => "\u00a0".repeat(place.length));
  for (const { start, end } of findNames(rest, names).reverse()) {
    rest = `${rest.slice(0, start)}${"\u00a0".repeat(end - start)}${rest.slice(end)}`;
  }
  // A word of Latin letters ends where Hangul begins: double입니다.
  const folded = rest.normalize("NFKC").replace(/(?<=[A-Za-z])(?=[가-힣])/g, " ");
  const found = [
    ...[rest, folded].flatMap((one) => findNumerals(one).map((numeral) => numeral.text)),
    ...(folded.match(ROMAN) ?? []),
    ...(folded.match(SPELLED) ?? []),
  ];
  return [...new Set(found)].map((numeral) => ({ code: "NUMERAL", detail: JSON.stringify(numeral) }));
}

/** Numerals in Latin letters of more than one: II, IV, XLV, MMXXVI. CD, DM, MIX and the like are words. */
const ROMAN =
  /(?<![A-Za-z\p{N}])(?!MIX(?![A-Z]))(?=[A-Z]*[IVX]|[ivx])(?=[MDCLXVI]{2,}|[ivx]{2,})(?:(?:MM|MC[MD]|MDC)?(?:X[LC]|L?X{0,3})(?:IX|IV|V?I{0,3})|x{0,3}(?:ix|iv|v?i{0,3}))(?![A-Za-z\p{N}])/gu;
/** Spelled out, whatever is written to it: 십오 퍼센트쯤입니다, 삼십쯤, 네 곱, 팔월, 壹佰, lOO퍼센트. */
const SPELLED =
  /(?<![가-힣])(?:[영일이삼사오육칠팔구십백천만억조]+ ?(?:퍼센트|프로(?![그젝필])|달러|개월)|[일이삼사오육칠팔구][십백](?!견)|(?:두|세|네|서너|너댓|몇) ?곱|제곱|(?:일|삼|사|오|유|칠|팔|구|시|십일|십이)월(?![가-힣]*[급드]))|[壹貳贰參叁肆伍陸陆柒捌玖拾佰仟廿卅]|(?<![A-Za-z])[lIO]{2,} ?(?:퍼센트|프로|배|위|원)/gu;
