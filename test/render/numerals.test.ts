/** Which spans of a text are numbers. Tables first: what must be found, and ordinary prose in which nothing is. */
import { describe, expect, test } from "vitest";
import { findNumerals, hasBidiControl, withoutInvisible } from "../../pipeline/render/numerals.ts";

const FOUND: [text: string, expected: string[]][] = [
  ["수익률은 +45.56%입니다", ["+45.56"]],
  ["−7.37%", ["−7.37"]],
  ["1,234,567원", ["1,234,567"]],
  ["2026-04-30", ["2026", "04", "30"]],
  ["1-3 Month", ["1", "3"]],
  ["S&P500과 K2", ["500", "2"]],
  ["３개월", ["３"]],
  ["٤٥٫٥٦", ["٤٥٫٥٦"]],
  ["① 그리고 ½", ["①", "½"]],
  ["m²", ["²"]],
  ["𝟓배", ["𝟓"]],
  ["16조 5,475억원", ["16", "5,475"]],
  ["두 배로 올랐습니다", ["두 배"]],
  ["세배 이상", ["세배"]],
  ["한 자릿수 성장", ["한 자릿수"]],
  ["두자릿수로", ["두자릿수"]],
  ["열 배가 되었다", ["열 배"]],
  ["두 상품을 비교", ["두 상품"]],
  ["두 해석이 있다", ["두"]],
  ["다섯 지수", ["다섯 지수"]],
  ["열두 달 동안", ["열두 달"]],
  ["서너 곳", ["서너 곳"]],
  ["둘은 다르다", ["둘"]],
  ["하나의 지수", ["하나"]],
  ["첫 거래일", ["첫"]],
  ["첫째, 둘째", ["첫째", "둘"]],
  ["세 번째로", ["세 번째"]],
  ["절반이 주식", ["절반"]],
  ["반으로 줄었다", ["반으로"]],
  ["반토막이 났다", ["반토막"]],
  ["약 반 이상", ["반 이상"]],
  ["삼 년 동안", ["삼 년"]],
  ["삼년간", ["삼년"]],
  ["일 년 수익률", ["일 년"]],
  ["육 개월", ["육 개월"]],
  ["일주일 뒤", ["일주일"]],
  ["오십 퍼센트", ["오십 퍼센트"]],
  ["오백 개", ["오백 개"]],
  ["이십을 넘는", ["이십"]],
  ["삼천만 원", ["삼천만 원"]],
  ["이십오 개", ["이십오 개"]],
  ["오조 원", ["오조 원"]],
  ["백배", ["백배"]],
  ["십만 원", ["십만 원"]],
  ["수백 종목", ["수백 종목"]],
  ["수십억 달러", ["수십억 달러"]],
  ["몇 배나", ["몇 배"]],
  ["수년간 이어진", ["수년"]],
  ["삼분의 일", ["삼분의 일"]],
  ["삼 점 오 퍼센트", ["삼 점 오 퍼센트"]],
  ["사분기 실적", ["사분기"]],
  ["사흘 연속", ["사흘"]],
  ["二倍", ["二"]],
  ["It doubled in two years", ["doubled", "two"]],
  ["twenty-one funds", ["twenty-one"]],
  ["one hundred and five", ["one hundred and five"]],
  ["Half of the assets", ["Half"]],
  ["a tenfold rise", ["tenfold"]],
  ["the first quarter", ["first"]],
  ["more than twice", ["twice"]],
  ["millions of shares", ["millions"]],
  ["three quarters", ["three quarters"]],
  ["ｔｗｏ years", ["ｔｗｏ"]],
];

/** One word or phrase each, of the kind that stands on cards. */
const INNOCENT: string[] = [
  "이 상품은 환율 변동에 노출됩니다.",
  "이 지수의 구성 종목은 정기적으로 바뀝니다.",
  "만일 거래가 없으면 자료가 없습니다.",
  "상품 구조와 비용을 확인하십시오.",
  "이차전지 산업에 투자합니다.",
  "삼성자산운용이 운용합니다.",
  "하나자산운용, 하나은행, 하나증권",
  "이후 만기까지 보유합니다. 이상과 이하, 오만과 이만 줄입니다.",
  "조사 결과와 사실 관계, 사천 지역, 천만에요",
  "과거의 운용실적이 미래의 수익률을 보장하지 않습니다.",
  "반도체 업종의 반등과 반영, 반면 상반기와 하반기의 반기 보고서",
  "세계 시장과 세금, 세 부담, 네이버, 네트워크",
  "열린 시장, 한편 유지되는 한 변동합니다. 한국거래소, 한화자산운용",
  "일일 수익률의 배수를 추구합니다. 일반 투자자, 일부 자료, 일정 기간, 일회성 요인",
  "하루 동안의 수익률, 매일 재조정",
  "수익률, 수수료, 수탁, 수조, 수만휘",
  "구성, 구간, 구분, 구원, 사원, 조원, 이원화, 일원화, 이주, 이점, 이 점을",
  "백분율로 표시, 천연가스, 억제, 조정, 육성, 칠레, 팔레트, 구리",
  "두루 살펴, 둘러싼, 셋업, 넷플릭스, 첫인상",
  "이 주의 일정, 이 달의 상품, 이 회사의 위험",
  "배당 재투자 기준, 배율, 개별 종목, 원화 환산, 총보수",
  "상품정보 조회, 조회 건수, 손실 만회, 구조대, 조사 건은, 조사위, 조회수",
  "지수만 반영, 점수만, 최고점, 저점, 고점 대비",
  "상장일, 기준일, 분배락일, 월요일, 일요일",
  "비교 ETF보다 낮습니다. 순자산, 동종 상품의 중앙값",
  "Someone else, no one, one another, often, weight, tension, bone, attend, money",
  "third-party data, zero-coupon bonds, a seconded analyst, firstly",
  "Total return with distributions reinvested; not available",
];

describe("numerals", () => {
  test.each(FOUND)("%s", (text, expected) => {
    expect(findNumerals(text).map((numeral) => numeral.text)).toEqual(expected);
  });

  test.each(INNOCENT)("ordinary prose holds none: %s", (text) => {
    expect(findNumerals(text).map((numeral) => numeral.text)).toEqual([]);
  });

  test("characters that draw nothing do not part a number", () => {
    expect(findNumerals(withoutInvisible("4\u200b5\u2060.\u00ad5\ufeff6")).map((numeral) => numeral.text)).toEqual([
      "45.56",
    ]);
    expect(findNumerals(withoutInvisible("두\u200b 배")).map((numeral) => numeral.text)).toEqual(["두 배"]);
  });

  test("controls that reorder reading are seen", () => {
    expect(hasBidiControl("12\u202e34")).toBe(true);
    expect(hasBidiControl("12\u200b34")).toBe(false);
  });
});
