/**
 * What the analysis of Korean is put right by: one form for endings and particles that differ only by sound, numerals as one
 * token, and the words of the trade that the library's model takes apart wrongly. Grows by cases that were seen.
 */

interface Morph {
  lemma: string;
  tag: string;
  start: number;
  end: number;
}

/** Words that are read as one noun wherever they begin a word: the model takes them apart or glues particles to them. */
export const COMPOUNDS: readonly string[] = [
  ...["연환산", "연율", "연수익률", "백테스트", "백테스팅", "총수익률", "총보수", "순자산", "기초지수", "비교지수"],
  ...[
    "곱절",
    "갑절",
    "우상향",
    "갓성비",
    "쩐다",
    "개쩐다",
    "개쩌는",
    "레알",
    "기준가격",
    "기준가",
    "떡상",
    "떡락",
    "존버",
    "가즈아",
    "개이득",
    "꿀팁",
    "개꿀",
    "꿀잼",
    "핵이득",
    "모의실험",
    "무조건",
    "이자",
    "관련주",
    "기술주",
    "성장주",
    "가치주",
    "배당주",
    "사회초년생",
  ],
  ...["인버스", "레버리지", "환헤지", "롤오버", "듀레이션", "보증채", "괴리율", "호가", "예·적금", "예적금", "강추"],
  ...["최고가", "최저가", "최고점", "최저점", "최고치", "최저치", "무위험", "무손실", "확정급여", "확정기여"],
];

const FORMS: Record<string, Record<string, string>> = {
  JKS: { 가: "이", 께서: "이" },
  JKC: { 가: "이" },
  JKO: { 을: "를", ㄹ: "를" },
  JX: { 는: "은", ㄴ: "은" },
  JKB: { 으로: "로", 과: "와", 으로서: "로서", 으로써: "로써" },
  JC: { 과: "와" },
  ETM: { 은: "ㄴ", 을: "ㄹ", ㄴ다는: "다는", 는다는: "다는", ㄹ는지: "ㄹ지" },
  EP: { 았: "었", 였: "었", 으시: "시" },
  EC: {
    ...{ 아: "어", 여: "어", 아서: "어서", 여서: "어서", 아도: "어도", 여도: "어도", 아야: "어야", 여야: "어야" },
    ...{ ㄴ다고: "다고", 는다고: "다고", ㄴ다면: "다면", 는다면: "다면", ㄴ다며: "다며", 는데: "는데", ㄴ데: "는데" },
    ...{ 었으면: "면", 은데: "는데", 은지: "ㄴ지", 는지: "ㄴ지", 을지: "ㄹ지", 을수록: "ㄹ수록", 자마자: "자" },
  },
  EF: {
    습니다: "ㅂ니다",
    ㄴ다: "다",
    는다: "다",
    아요: "어요",
    여요: "어요",
    아: "어",
    습니까: "ㅂ니까",
    을까: "ㄹ까",
  },
};

/** 을/를 is 를, 은/는 is 은, 았/었 is 었, 으며/며 is 며. */
export function oneForm(text: string, tag: string): string {
  const form = FORMS[tag]?.[text];
  if (form !== undefined) return form;
  return (tag === "EC" || tag === "EF") && text.length > 1 && text.startsWith("으") ? text.slice(1) : text;
}

/** As the library gives it, and as it is: `lemma/TAG` with blanks between. */
const CORRECTIONS: readonly [given: string, right: string][] = [
  ...["번", "달", "해", "주", "개", "배", "종목", "차례", "가지", "곳", "명", "회", "푼", "건"].flatMap(
    (counted): [string, string][] =>
      ["NNG", "NNB"].flatMap((tag): [string, string][] => [
        [`하/VV ㄴ/ETM ${counted}/${tag}`, `한/MM ${counted}/${tag}`],
        [`하/XSV ㄴ/ETM ${counted}/${tag}`, `한/MM ${counted}/${tag}`],
        [`네/IC ${counted}/${tag}`, `네/MM ${counted}/${tag}`],
      ]),
  ),
  ...["억", "조", "만", "천", "백"].map((power): [string, string] => [`${power}원/NNG`, `${power}/NR 원/NNB`]),
  // 고 있 is one aspect and no border between clauses.
  ["고/EC 있/VX", "고있/VX"],
  ["고/EC 있/VV", "고있/VX"],
  ["두/MM 십/NR 시오/NR", "두/VX 십시오/EF"],
  ["십/NR 시오/NR", "십시오/EF"],
  ["시/EP ㅂ시오/EF", "십시오/EF"],
  ["시/EP 어요/EF", "세요/EF"],
  ["시기/NNG 바라/VV", "시/EP 기/ETN 바라/VV"],
  ["보시/NNG 기/XSN 바라/VV", "보/VX 시/EP 기/ETN 바라/VV"],
  ...["곳", "개", "명", "종목", "가지", "건", "배", "번"].flatMap((counted): [string, string][] =>
    ["NNG", "NNB"].map((tag) => [`쉬/VV ㄴ/ETM ${counted}/${tag}`, `쉰/NR ${counted}/${tag}`]),
  ),
  ...["조", "억", "만"].flatMap((power) =>
    ["NNB", "NNG"].map((tag): [string, string] => [`${power}/${tag} 원/NNB`, `${power}/NR 원/NNB`]),
  ),
  ["사/NNG 보/VV", "사/VV 어/EC 보/VX"],
  ["사/NNG 놓/VV", "사/VV 어/EC 놓/VX"],
  ["투자/NNG 자가/NNG", "투자자/NNG 이/JKS"],
  ["석/NNG 달/NNG", "석/MM 달/NNG"],
  ["주당/NNG", "주/NNG 당/XSN"],
  ["만/JX 명/NNG", "만/NR 명/NNB"],
  ["이렇/VA 어/EC 하/VX ㄴ/ETM 해/NNG", "이래/NNG 한/MM 해/NNG"],
  ["어/EC 둘/NR 만/JX 하/VX", "어/EC 두/VX ㄹ/ETM 만/NNB 하/XSA"],
  ["를/JKO 일/NR 없/VA", "ㄹ/ETM 일/NNG 없/VA"],
  ["기/ETN 대하/VV", "기대/NNG 하/XSV"],
  ["고/EC 꾸/VV 라/EC 지/VX", "고꾸라지/VV"],
  ["밑져야/NNG", "밑지/VV 어야/EC"],
  ["사면/NNG", "사/VV 면/EC"],
  ["안/NNG 사면/NNG", "안/MAG 사/VV 면/EC"],
  ["ㄹ/ETM 만/JX 하/VX", "ㄹ/ETM 만/NNB 하/XSA"],
  ["ㄹ/ETM 만해/NNP 요/JX", "ㄹ/ETM 만/NNB 하/XSA 어요/EF"],
  ["담기/VV 좋아/NNG 하/XSV 었/EP", "담/VV 기/ETN 좋/VA"],
  ["담기/VV", "담/VV 기/ETN"],
  ["지나/VV ㄴ/ETM 주의/NNG", "지나/VV ㄴ/ETM 주/NNG 의/JKG"],
  ["열/VV ㄴ/ETM 단위/NNG", "연/NNG 단위/NNG"],
  ["열/VV ㄴ/ETM", "연/NNG"],
  ["지/EC 마시/VV", "지/EC 말/VX 시/EP"],
  ["사/NNG 모으/VV", "사/VV 어/EC 모으/VV"],
  ["앞/NNG 서/VV", "앞서/VV"],
  ["나/JX 타/VV 어/EC 내/VX", "나타내/VV"],
  ["한/MM 하/VV 어/EC 동안/NNG", "한/MM 해/NNG 동안/NNG"],
  ["이/JKS 보다/JKB", "이/NP 보다/JKB"],
  ["사/NNG 두/VV", "사/VV 어/EC 두/VX"],
  ["권/NNG 하/XSV", "권하/VV"],
  ["두/JX", "두/MM"],
  ["리/NNP 없/VA", "리/NNB 없/VA"],
  ["에/JKB 듣/VV 었/EP", "에/JKB 들/VV 었/EP"],
  ["대/XPN 박/NNG", "대박/NNG"],
  ["타/VV 의/JKG", "타/NNG 의/JKG"],
];

const BY_FIRST = new Map<string, { given: string[]; right: { lemma: string; tag: string }[] }[]>();
for (const [given, right] of CORRECTIONS) {
  const tokens = given.split(" ");
  const entry = {
    given: tokens,
    right: right.split(" ").map((token) => ({ lemma: token.split("/")[0]!, tag: token.split("/")[1]! })),
  };
  BY_FIRST.set(tokens[0]!, [...(BY_FIRST.get(tokens[0]!) ?? []), entry]);
}

export function corrected(given: readonly Morph[]): Morph[] {
  const morphs = given
    .flatMap((morph, index) => {
      const next = given[index + 1];
      // 6주의 성과: weeks, no warning.
      if (nameOf(morph) === "주의/NNG" && given[index - 1]?.tag === "SN" && given[index - 1]!.end === morph.start) {
        return [
          { ...morph, lemma: "주", tag: "NNB", end: morph.start + 1 },
          { ...morph, lemma: "의", tag: "JKG", start: morph.end - 1 },
        ];
      }
      if (morph.tag === "XR") return [{ ...morph, tag: "NNG" }];
      return (
        honorific(morph, next) ??
        counted(morph) ??
        derived(morph) ??
        obliged(morph) ??
        adnominal(morph, next) ??
        withoutParticle(morph, next)
      );
    })
    .map((morph) => (/^NN[GP]$/.test(morph.tag) && NUMBER_WORD.test(morph.lemma) ? { ...morph, tag: "NR" } : morph));
  const right: Morph[] = [];
  for (let at = 0; at < morphs.length; ) {
    const entry = BY_FIRST.get(nameOf(morphs[at]!))?.find(({ given }) =>
      given.every((name, ahead) => morphs[at + ahead] !== undefined && nameOf(morphs[at + ahead]!) === name),
    );
    const taken = morphs.slice(at, at + (entry?.given.length ?? 1));
    const start = Math.min(...taken.map((morph) => morph.start));
    const end = Math.max(...taken.map((morph) => morph.end));
    right.push(...(entry?.right.map((token) => ({ ...token, start, end })) ?? taken));
    at += taken.length;
  }
  return withJoined(right);
}

/** 삼천억을 넘었다: no unit follows. 구조 and 일조 are other words. */
const NUMBER_WORD = /^(?:[일이삼사오육칠팔구십백천만]{2,}[억조]|[일이삼사오육칠팔구십백천]억)$/u;

/** 거두실 수 is read as a noun; what stands before 실 수 is a verb. */
function honorific(morph: Morph, next: Morph | undefined): Morph[] | null {
  if (!/^NN[GP]$/.test(morph.tag) || !/^..*실$/u.test(morph.lemma) || next === undefined || nameOf(next) !== "수/NNB")
    return null;
  return [
    { ...morph, lemma: morph.lemma.slice(0, -1), tag: "VV" },
    { ...morph, lemma: "시", tag: "EP" },
    { ...morph, lemma: "ㄹ", tag: "ETM" },
  ];
}

/** 저렴하 is a word of its own in one sentence and 저렴 하 in the next: always the noun and its suffix. */
function derived(morph: Morph): Morph[] | null {
  const found = /^V[VA]$/.test(morph.tag) ? /^([가-힣]{2,})([하되])$/u.exec(morph.lemma) : null;
  if (found === null || /^(아니|[어이그저]떠|[이그저]러)$/u.test(found[1]!)) return null;
  const border = Math.max(morph.start + 1, Math.min(morph.start + found[1]!.length, morph.end - 1));
  return [
    { ...morph, lemma: found[1]!, tag: "NNG", end: border },
    {
      lemma: found[2]!,
      tag: morph.tag === "VA" ? "XSA" : "XSV",
      start: Math.min(border, morph.end - 1),
      end: morph.end,
    },
  ];
}

/** 사 두셔야, 눈여겨보셔야: an honorific verb that is read as a noun. */
function obliged(morph: Morph): Morph[] | null {
  const found = /^NN[GP]$/.test(morph.tag) ? /^([가-힣]+)셔야$/u.exec(morph.lemma) : null;
  if (found === null) return null;
  return [
    { ...morph, lemma: found[1]!, tag: "VV" },
    { ...morph, lemma: "시", tag: "EP" },
    { ...morph, lemma: "어야", tag: "EC" },
  ];
}

/** 웃돌 것, 벌 수: a stem that ends in ㄹ swallows the ending that joins it to a noun. */
function adnominal(morph: Morph, next: Morph | undefined): Morph[] | null {
  const swallows =
    /^(VV|VA|VX|XSV)$/.test(morph.tag) && (morph.lemma.charCodeAt(morph.lemma.length - 1) - 0xac00) % 28 === 8;
  if (!swallows || next === undefined || !/^NN[BG]$/.test(next.tag) || next.start < morph.end) return null;
  return [morph, { lemma: "ㄹ", tag: "ETM", start: morph.end - 1, end: morph.end }];
}

/** 3위 and 1월 are at times read as names. */
function counted(morph: Morph): Morph[] | null {
  const found = /^NN[GP]$/.test(morph.tag) ? /^(\d+)([가-힣]+)$/u.exec(morph.lemma) : null;
  if (found === null) return null;
  const border = Math.min(morph.start + found[1]!.length, morph.end - 1);
  return [
    { lemma: found[1]!, tag: "SN", start: morph.start, end: border },
    { lemma: found[2]!, tag: "NNB", start: border, end: morph.end },
  ];
}

/** A word that the model does not know keeps its particle (듀레이션은/NNG); no particle follows such a word. */
function withoutParticle(morph: Morph, next: Morph | undefined): Morph[] {
  const found = /^NN[GP]$/.test(morph.tag)
    ? /^([가-힣]{2,})(까지|부터|에서|으로|보다|처럼|[을를은는과와의])$/u.exec(morph.lemma)
    : null;
  if (found === null || (next !== undefined && next.start <= morph.end && /^[JEX]/.test(next.tag))) return [morph];
  const particle = found[2]!;
  const tag = PARTICLES[particle] ?? "JKB";
  const border = Math.max(morph.end - particle.length, morph.start + 1);
  return [
    { ...morph, lemma: found[1]!, end: border },
    { lemma: oneForm(particle, tag), tag, start: Math.min(border, morph.end - 1), end: morph.end },
  ];
}

const PARTICLES: Record<string, string> = {
  ...{ 을: "JKO", 를: "JKO", 은: "JX", 는: "JX", 과: "JC", 와: "JC", 의: "JKG", 까지: "JX", 부터: "JX" },
};

function nameOf({ lemma, tag }: Morph): string {
  return `${lemma}/${tag}`;
}

/** 수익|률 and 변동|성 are one noun of the trade; `3`, `,`, `200` written together are one numeral; its lemma has neither comma nor blank. */
function withJoined(morphs: readonly Morph[]): Morph[] {
  const joined: Morph[] = [];
  for (const morph of morphs) {
    const last = joined.at(-1);
    const before = joined.at(-2);
    const follows = last !== undefined && last.end === morph.start;
    if (morph.tag === "XSN" && follows && last.tag === "NNG" && /^[률율성]$/u.test(morph.lemma)) {
      joined.splice(-1, 1, { ...last, lemma: last.lemma + morph.lemma, end: morph.end });
    } else if (morph.tag === "SN" && follows && last.tag === "SN") {
      joined.splice(-1, 1, { ...last, lemma: last.lemma + morph.lemma, end: morph.end });
    } else if (
      morph.tag === "SN" &&
      follows &&
      /^[.,]$/.test(last.lemma) &&
      before?.tag === "SN" &&
      before.end === last.start
    ) {
      const point = last.lemma === "." ? "." : "";
      joined.splice(-2, 2, { ...before, lemma: before.lemma + point + morph.lemma, end: morph.end });
    } else {
      joined.push(morph);
    }
  }
  return joined;
}
