/** Laws of a claim's text: no numeral of its own in any dress, and no place without a figure that prints there. */
import { describe, expect, it, test } from "vitest";
import { type ClaimText, grammarFaults } from "../../pipeline/compose/grammar.ts";
import { lineOfRuns, printClaim, textOfRuns } from "../../pipeline/compose/print-slots.ts";
import type { Locale } from "../../pipeline/domain/locale.ts";
import { figureId } from "../../pipeline/schema/fact.ts";
import { FULL, factsOf, instrument } from "../render/fixtures.ts";

const facts = new Map(factsOf(instrument(), FULL).map((fact) => [figureId(fact), fact]));
const terms = { facts, names: ["S&P 500", "가온 대표200", "3년 국고채"] };
const SLOTS: Record<string, string> = {
  w: "label/total_return.1y",
  r: "total_return.1y",
  t: "total_return.3y",
  d: "max_drawdown.1y",
  c: "last_close",
  e: "end_session",
  k: "peer_rank.total_return.1y",
  n: "peer_count.total_return.1y",
};

function claim(text: string, locale: Locale = "ko-KR"): ClaimText {
  const slots = Object.entries(SLOTS)
    .filter(([name]) => text.includes(`{${name}}`))
    .map(([name, figure]) => ({ name, figure }));
  return { locale, text, slots };
}
const codesOf = (of: ClaimText) => [...new Set(grammarFaults(of, terms).map(({ code }) => code))];

describe("a numeral in any dress is refused", () => {
  test.each([
    "지난 {w} 총수익률은 {r}로 10%를 넘었습니다.",
    "지난 {w} 총수익률은 {r}로 두 배가 되었습니다.",
    "지난 {w} 총수익률은 {r}로 절반만 남았습니다.",
    "지난 {w} 총수익률은 {r}로 세 자릿수입니다.",
    "지난 {w} 총수익률은 {r}로 십오 퍼센트쯤입니다.",
    "지난 {w} 총수익률은 {r}로 １５퍼센트쯤입니다.",
    "지난 {w} 총수익률은 {r}로 ⅗ 수준입니다.",
    "지난 {w} 총수익률은 {r}로 ①위입니다.",
    "지난 {w} 총수익률은 {r}로 Ⅳ등급입니다.",
    "지난 {w} 총수익률은 {r}로 IV 등급입니다.",
    "지난 {w} 총수익률은 {r}로 二倍입니다.",
    "지난 {w} 총수익률은 {r}로 수십 배입니다.",
    "2025년 {w} 총수익률은 {r}입니다.",
    "S&P 600과 견주면 지난 {w} 총수익률은 {r}입니다.",
  ])("%s", (text) => {
    expect(codesOf(claim(text))).toEqual(["NUMERAL"]);
  });
  test.each([
    "Over {w} the total return was {r}, about ten percent.",
    "Over {w} the total return of {r} doubled the money.",
    "Over {w} the total return was {r}, half of it early.",
    "Over {w} the total return was {r}, in 2025.",
    "Over {w} the total return was {r}, the third best.",
  ])("%s", (text) => {
    expect(codesOf(claim(text, "en-US"))).toEqual(["NUMERAL"]);
  });
});

describe("a place that is no figure's is refused", () => {
  test.each([
    ["지난 {w} 총수익률은 {x}입니다.", ["SLOT_UNBOUND"]],
    ["지난 {w} 총수익률은 {r }입니다.", ["SLOT_MALFORMED"]],
    ["지난 {w} 총수익률은 {{r}}입니다.", ["SLOT_MALFORMED"]],
    ["총수익률은 {r}입니다.", ["WINDOW_UNNAMED"]],
    ["지난 {w} 총수익률은 {t}입니다.", ["WINDOWS_MIXED"]],
    ["지난 {w} 총수익률은 {r}, 종가는 {c}입니다.", ["WINDOWS_MIXED"]],
    ["지난 {w} 총수익률은 {r}{d}입니다.", ["SLOT_CROWDED"]],
    ["지난 {w} 총수익률은 {r}.{d}입니다.", ["SLOT_CROWDED"]],
    ["지난 {w} 총수익률은 -{r}입니다.", ["SLOT_CROWDED"]],
    ["지난 {w} 총수익률은 {r}%입니다.", ["SLOT_CROWDED"]],
    ["지난 {w} 순위는 동종 {n}만 개 중 {k}위입니다.", ["SLOT_CROWDED", "NUMERAL"]],
    ["지난 {w} 총수익률은 {r} 배입니다.", ["SLOT_CROWDED"]],
    ["지난 {w} 총수익률은 {r}입니다. 좋았습니다.", ["SENTENCES_SEVERAL"]],
    ["지난 {w} 총수익률은\u200b {r}입니다.", ["TEXT_MALFORMED"]],
    ["지난 {w} 총수익률은 \u202e{r}입니다.", ["TEXT_MALFORMED"]],
    [" 지난 {w} 총수익률은 {r}입니다.", ["TEXT_MALFORMED"]],
    ["{w} {r}", ["TEXT_MALFORMED", "SLOT_CROWDED"]],
    [`지난 {w} 총수익률은 {r}${"아".repeat(400)}`, ["TEXT_TOO_LONG"]],
  ] as const)("%s: %j", (text, codes) => {
    expect(codesOf(claim(text))).toEqual(codes);
  });

  test.each([
    [{ name: "r", figure: "total_return.2y" }, "FIGURE_UNKNOWN"],
    [{ name: "r", figure: "peer_median.total_return.5y" }, "FIGURE_UNAVAILABLE"],
    [{ name: "r", figure: "underlying_index" }, "FIGURE_UNPRINTABLE"],
    [{ name: "r", figure: "label/last_close" }, "WINDOW_ABSENT"],
  ] as const)("%j is %s", (slot, code) => {
    expect(codesOf({ locale: "ko-KR", text: "이 값은 {r}입니다.", slots: [slot] })).toContain(code);
  });

  it("a slot that is bound twice, or stands nowhere", () => {
    const slots = [
      ...claim("{r}").slots,
      { name: "r", figure: "total_return.3y" },
      { name: "q", figure: "last_close" },
    ];
    expect(codesOf({ locale: "ko-KR", text: "총수익률은 {r}입니다.", slots })).toEqual(
      expect.arrayContaining(["SLOT_REPEATED", "SLOT_UNUSED"]),
    );
  });
});

describe("an innocent look-alike passes, and prints as the page will say it", () => {
  test.each([
    ["지난 {w} 총수익률은 {r}로 동종 {n}개 중 {k}위입니다.", "지난 1년 총수익률은 +45.56%로 동종 4개 중 1위입니다."],
    ["{e} 조회 기준 종가는 {c}입니다.", "2026-08-28 조회 기준 종가는 84,515원입니다."],
    ["지난 {w}만 보면 총수익률은 {r}입니다.", "지난 1년만 보면 총수익률은 +45.56%입니다."],
    ["지난 {w}를 보면 낙폭은 {d}이었습니다.", "지난 1년을 보면 낙폭은 −7.37%였습니다."],
    ["S&P 500과 견주어 지난 {w} 총수익률은 {r}입니다.", "S&P 500과 견주어 지난 1년 총수익률은 +45.56%입니다."],
    [
      "구조와 조사를 함께 보면 지난 {w} 총수익률은 {r}입니다.",
      "구조와 조사를 함께 보면 지난 1년 총수익률은 +45.56%입니다.",
    ],
  ])("%s", (text, printed) => {
    const own = claim(text);
    expect(grammarFaults(own, terms)).toEqual([]);
    expect(textOfRuns(printClaim(own, { facts, entities: {} }))).toBe(printed);
  });

  it("a registered name stands as the field that it equals; figures are places for readback", () => {
    const runs = printClaim(claim("가온 대표200은 지난 {w} 동안 {r} 올랐습니다."), {
      facts,
      entities: { name_ko: "가온 대표200" },
    });
    expect(runs[0]).toEqual({ kind: "classed", numeral: "entity", of: "name_ko", text: "가온 대표200" });
    expect(lineOfRuns(runs)).toEqual({
      text: "가온 대표200은 지난 1년 동안 {f1} 올랐습니다.",
      slots: [{ name: "f1", figure: "total_return.1y" }],
    });
  });
});
