/**
 * Where a text says a number: runs of digits of any script, and number words of Korean and English. Meant for prose, so
 * it would rather miss a rare word than find one in an ordinary one (이 상품, 구조, 이차전지, 만일, someone); vague counts
 * (수백, 몇 배) are numbers, days named by a word (하루) are not. Judges no meaning.
 */
export interface Numeral {
  text: string;
  /** Offset in the text after `withoutInvisible`. */
  start: number;
  end: number;
}

/** Characters that draw nothing and can stand between two digits: zero-width, joiners, soft hyphen, selectors. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
/** Characters that change the order in which others are read. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, "");
}

export function hasBidiControl(text: string): boolean {
  return BIDI.test(text);
}

/** Digits of any script, superscripts, circled and Roman numeral characters, fractions; separators only between them. */
const DIGITS = /(?<![\p{N}\p{L}])[+\-−–±]?\p{N}+(?:[.,·'’٫٬．，]\p{N}+)*|\p{N}+(?:[.,·'’٫٬．，]\p{N}+)*/gu;
const ANY_NUMBER = /\p{N}/u;
/** Chinese numerals stand for themselves in any text. */
const HANJA = /[〇一二三四五六七八九十百千萬万億亿兆两兩]+/gu;

const ENGLISH_ONES =
  "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen";
const ENGLISH_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety";
const ENGLISH_LARGE = "hundreds?|thousands?|millions?|billions?|trillions?|dozens?";
const ENGLISH_ORDINAL =
  "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|twentieth|hundredth|thousandth";
const ENGLISH_MULTIPLE =
  "zero|half|halves|halved|thirds|double|doubles|doubled|doubling|twice|thrice|triple|triples|tripled|tripling|quadruple|quadrupled|(?:two|three|four|five|six|seven|eight|nine|ten|many|hundred)fold|(?:a|one|three)[ -]quarters?";
const ENGLISH_WORD = `(?:${ENGLISH_MULTIPLE}|${ENGLISH_ONES}|${ENGLISH_TENS}|${ENGLISH_LARGE}|${ENGLISH_ORDINAL})`;
const ENGLISH = new RegExp(`(?<![\\p{L}\\p{N}])${ENGLISH_WORD}(?:[ -](?:and )?${ENGLISH_WORD})*(?![\\p{L}])`, "giu");
/** Idioms that hold a number word and say no number. */
const ENGLISH_IDIOMS =
  /(?<!\p{L})(?:no one|one another|one[- ]off|third[- ]part(?:y|ies)|zero[- ]coupon|second[- ]hand|first[- ]hand|at first)(?!\p{L})/giu;

const LEFT = "(?<![\\p{L}\\p{N}])";
/** What may follow a counter: the end of the word or a particle, never more of a noun. */
const PARTICLES =
  "(?:은|는|이|가|을|를|의|에|에서|도|만|로|으로|와|과|나|이나|부터|까지|씩|간|째|쯤|가량|마다|보다|처럼|라도|인|이다|입니다|였|짜리|여|이상|이하|미만|초과|정도|뿐|뒤|전|후)?";
const RIGHT = `(?=${PARTICLES}(?![가-힣]))`;

const NATIVE_TENS = "열|스물|스무|서른|마흔|쉰|예순|일흔|여든|아흔";
const NATIVE_ONES = "한|두|세|네|다섯|여섯|일곱|여덟|아홉";
const NATIVE = `(?:(?:${NATIVE_TENS})(?:${NATIVE_ONES})?|${NATIVE_ONES}|서너|두세|두서너|네댓|대여섯|예닐곱)`;
const NATIVE_COUNTERS =
  "배|번째|번|개월|개|가지|차례|달|해|주|곳|명|분기|자릿수|자리|시간|건|종목|종|줄|권|살|갈래|단계|사람|군데|축|상품|지수|시장|펀드|회사|기업|나라|기간|구간|구성|국가|통화|방향|배수|토막|값";
const SINO_DIGITS = "일이삼사오육칠팔구";
const SINO_UNITS = "십백천만억조";
const SINO_COUNTERS =
  "퍼센트포인트|퍼센트|프로|개월|분기|분의|주일|년도|년대|년|달러|원|엔|유로|위안|배|회|위|개국|개|명|건|종목|번째|세기|포인트|베이시스포인트|거래일|영업일|단계|가지|차례|대";
/** Written without a space these mean something else (이원, 구원, 사원, 일위, 일대, 이대), so they need a unit before them. */
const JOINED_COUNTERS = "퍼센트포인트|퍼센트|개월|분기|주일|년도|년대|년|거래일|영업일|개국|번째";

const KOREAN: RegExp[] = [
  // 두 배, 세 번째, 한 자릿수, 열두 달, 서너 곳
  new RegExp(`${LEFT}${NATIVE}\\s?(?:${NATIVE_COUNTERS})${RIGHT}`, "gu"),
  // 두 + any noun; tens and from five on need no counter either
  new RegExp(`${LEFT}(?:두|(?:${NATIVE_TENS})(?:${NATIVE_ONES})?|다섯|여섯|일곱|여덟|아홉)(?=\\s+[가-힣])`, "gu"),
  // 하나, 둘, 셋 as nouns; 첫, 첫째, 둘째
  new RegExp(`${LEFT}(?:하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉|스물)${RIGHT}`, "gu"),
  new RegExp(`${LEFT}첫(?:째|\\s?번째|(?=\\s))`, "gu"),
  // 삼천만 원, 이십오 개, 십만 명; beginnings of ordinary words (구조대, 조사 건) are left alone
  new RegExp(
    `${LEFT}(?!구조|사조|조|만일|천대|만회|만대)(?:[${SINO_DIGITS}]?[${SINO_UNITS}])+(?:(?<=[십백천])[${SINO_DIGITS}])?\\s?(?:${SINO_COUNTERS})${RIGHT}`,
    "gu",
  ),
  // 오십, 이백, 십만, 삼천, 오억 alone or with a particle
  new RegExp(
    `${LEFT}(?:[${SINO_DIGITS}][십백](?:[${SINO_DIGITS}])?|[십백천]만|[삼사오육칠팔구][천](?<!사천)|[일이삼사오육칠팔구]억)${RIGHT}`,
    "gu",
  ),
  // 수백, 수십만, 몇천; 몇 배, 수년, 수차례
  new RegExp(`${LEFT}(?:수|몇)(?:십|백|천)[만억조]?(?:\\s?(?:${SINO_COUNTERS}))?${RIGHT}`, "gu"),
  new RegExp(
    `${LEFT}(?:몇\\s?(?:${NATIVE_COUNTERS}|년|퍼센트)|수(?:만|억|조)\\s?(?:${SINO_COUNTERS})|수(?:년|개월|차례|배))${RIGHT}`,
    "gu",
  ),
  // 삼 년, 오 퍼센트, 일 분기; 이 is “this” before most counters
  new RegExp(
    `${LEFT}(?:[일삼사오육칠팔구영]\\s(?:${SINO_COUNTERS})|이\\s(?:년|개월|퍼센트|퍼센트포인트|배|분의|주일|분기))${RIGHT}`,
    "gu",
  ),
  // 삼년, 육개월, 일주일, 일분기, 삼배
  new RegExp(`${LEFT}(?:[${SINO_DIGITS}영](?:${JOINED_COUNTERS})|[삼사오육칠팔]배)${RIGHT}`, "gu"),
  // 삼 점 오 퍼센트
  new RegExp(
    `${LEFT}[${SINO_DIGITS}영${SINO_UNITS}]+\\s?점\\s?[${SINO_DIGITS}영공]+\\s?(?:퍼센트|프로|배|포인트)`,
    "gu",
  ),
  // 삼분의 일
  new RegExp(`${LEFT}[${SINO_DIGITS}${SINO_UNITS}]+\\s?분의\\s?[${SINO_DIGITS}]`, "gu"),
  // 절반, 반, 반토막, 갑절; 반 alone only as a word of its own
  new RegExp(
    `${LEFT}(?:절반|갑절|곱절|반\\s?토막|반값|반\\s?년|반의\\s?반|반(?:으로|은|을|이|만|\\s이상|\\s이하)?(?![가-힣]))`,
    "gu",
  ),
  // named spans of days
  new RegExp(`${LEFT}(?:이틀|사흘|나흘|닷새|엿새|열흘|보름)${RIGHT}`, "gu"),
];

/** Syllables that the Korean rules begin with, at the beginning of a word: most texts have none and are done. */
const KOREAN_START =
  /(?<![\p{L}\p{N}])[한두세네다여일아열스서마쉰예대둘셋넷하첫이삼사오육칠팔구영십백천만억조수몇절갑곱반나닷엿보]/u;

/** Numerals of a text from left to right; where two rules overlap, the longer from the left. */
export function findNumerals(text: string): Numeral[] {
  const found: Numeral[] = [];
  const collect = (pattern: RegExp, source: string) => {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(source); match !== null; match = pattern.exec(source)) {
      const end = match.index + match[0].trimEnd().length;
      found.push({ text: text.slice(match.index, end), start: match.index, end });
    }
  };
  if (ANY_NUMBER.test(text)) collect(DIGITS, text);
  if (KOREAN_START.test(text)) for (const pattern of KOREAN) collect(pattern, text);
  if (/[A-Za-zＡ-Ｚａ-ｚ]{3}/.test(text)) collect(ENGLISH, blankIdioms(toAsciiLetters(text)));
  if (/[\u4e00-\u9fff〇]/.test(text)) collect(HANJA, text);
  if (found.length < 2) return found;
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Numeral[] = [];
  for (const numeral of found) if (numeral.start >= (kept.at(-1)?.end ?? 0)) kept.push(numeral);
  return kept;
}

function blankIdioms(text: string): string {
  return text.replace(ENGLISH_IDIOMS, (idiom) => "_".repeat(idiom.length));
}

/** Full-width letters one to one, so that offsets stay. */
function toAsciiLetters(text: string): string {
  return text.replace(/[Ａ-Ｚａ-ｚ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0));
}
