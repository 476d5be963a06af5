/**
 * How a printed figure ends when it is read aloud in Korean, and the particle that follows from it: 12.3%는, 3개월은, S&P가,
 * 2026-04-30으로. Reads the end only; it does not spell numbers out.
 */
import { josa } from "es-hangul";

/** Particles by the form after a consonant and the form after a vowel. */
const PAIRS = [
  ["으로부터", "로부터"],
  ["으로서", "로서"],
  ["으로써", "로써"],
  ["으로", "로"],
  ["이란", "란"],
  ["이나", "나"],
  ["이었", "였"],
  ["은", "는"],
  ["이", "가"],
  ["을", "를"],
  ["과", "와"],
] as const;

/** The copula keeps its 이 in writing wherever it was written (12%이며); after a consonant it must have it. */
const COPULA = ["라는", "라고", "며", "고"];

const WRITTEN = PAIRS.flatMap((pair) => pair.map((form) => ({ form, pair }))).sort(
  (one, other) => other.form.length - one.form.length,
);
/** After these a word may go on: 로는, 와의, 였습니다. Otherwise what begins like a particle is another word (가격, 이후). */
const GOES_ON = /^(?:는|도|만|의)?(?![가-힣])/;
const STEM = new Set(["이었", "였"]);

/** The text after a figure, with the particle that it begins with adapted to the figure's end; else unchanged. */
export function afterFigure(printed: string, text: string): string {
  const found = WRITTEN.find(
    ({ form }) => text.startsWith(form) && (STEM.has(form) || GOES_ON.test(text.slice(form.length))),
  );
  if (found === undefined) {
    const copula = COPULA.find((form) => text.startsWith(form) && GOES_ON.test(text.slice(form.length)));
    return copula !== undefined && readingEndsInConsonant(printed) ? `이${text}` : text;
  }
  return particle(readingEnd(printed), found.pair) + text.slice(found.form.length);
}

function particle(reading: string, [afterConsonant, afterVowel]: readonly [string, string]): string {
  // After ㄹ it is 로, and so are 로서, 로써 and 로부터.
  const kind = afterConsonant.startsWith("으로") ? "으로/로" : "은/는";
  const isConsonant = ["으로", "은"].includes(josa.pick(reading, kind));
  return isConsonant ? afterConsonant : afterVowel;
}

function readingEndsInConsonant(printed: string): boolean {
  return josa.pick(readingEnd(printed), "은/는") === "은";
}

const DIGITS = ["영", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구"];
const UNITS: Record<string, string> = {
  "%p": "퍼센트포인트",
  "%": "퍼센트",
  "‰": "퍼밀",
  "×": "배",
  $: "달러",
  "₩": "원",
  "€": "유로",
};
const LETTERS: Record<string, string> = {
  A: "에이",
  B: "비",
  C: "씨",
  D: "디",
  E: "이",
  F: "에프",
  G: "지",
  H: "에이치",
  I: "아이",
  J: "제이",
  K: "케이",
  L: "엘",
  M: "엠",
  N: "엔",
  O: "오",
  P: "피",
  Q: "큐",
  R: "알",
  S: "에스",
  T: "티",
  U: "유",
  V: "브이",
  W: "더블유",
  X: "엑스",
  Y: "와이",
  Z: "제트",
};

/** What the last sign is read as, in Hangul. A date ends in 일. A text of signs alone is read as if it ended in a vowel. */
export function readingEnd(printed: string): string {
  const text = printed.normalize("NFC").replace(/[\s)\]}"'’”」』.]+$/u, "");
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return "일";
  const unit = Object.keys(UNITS).find((sign) => text.endsWith(sign));
  if (unit !== undefined) return UNITS[unit]!;
  const last = text.at(-1) ?? "";
  if (/[가-힣]/.test(last)) return last;
  if (/\d/.test(last)) {
    // ₩12,345 and $5 are read with their unit behind the number.
    const sign = /^[−-]?([$₩€])/u.exec(text)?.[1];
    return sign === undefined ? digitEnd(text) : UNITS[sign]!;
  }
  return LETTERS[last.toUpperCase()] ?? "가";
}

/** 10 is 십, 100 백, 1,000 천, 10,000 만; a zero behind the point is 영. */
function digitEnd(text: string): string {
  const last = text.at(-1)!;
  if (last !== "0" || /[.]\d*$/.test(text)) return DIGITS[Number(last)]!;
  const zeros = /0+$/.exec(text.replaceAll(",", ""))![0].length;
  if (/^[−+-]?0+$/.test(text.replaceAll(",", ""))) return "영";
  return zeros >= 8 ? "억" : zeros >= 4 ? "만" : (["", "십", "백", "천"][zeros] ?? "만");
}
