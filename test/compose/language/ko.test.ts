/** What the Korean analyser promises the sentence rules: dictionary forms however a word is spaced, and spans that lie in the text. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openKorean } from "../../../pipeline/compose/language/ko.ts";
import { AssayError } from "../../../pipeline/domain/outcome.ts";
import { toLine } from "../../../pipeline/domain/phrase.ts";

const korean = await openKorean();
const line = (text: string) => toLine(korean.analyse(text));
const visible = (text: string) => toLine(korean.analyse(text).filter(({ tag }) => !tag.startsWith("HID")));

describe("dictionary forms", () => {
  it.each([
    ["을/를, 은/는, 이/가 have one form", "원금을", "원금/NNG 를/JKO "],
    ["past endings have one form", "올랐다", "오르/VV 었/EP 다/EF "],
    ["a progressive is one aspect", "담고 있습니다", "담/VV 고있/VX ㅂ니다/EF "],
    ["a numeral with comma and point is one token", "3,200.5억 원", "3200.5/SN 억/NR 원/NNB "],
    ["full-width digits are digits", "５％", "5/SN %/SW "],
    ["a number word is one token", "삼천이백억 원", "삼천이백억/NR 원/NNB "],
    ["한 before a counter is a number", "한 번도", "한/MM 번/NNB 도/JX "],
    ["a suffix of a rate belongs to its noun", "수익률", "수익률/NNG "],
    ["an unknown noun gives up its particle", "듀레이션은", "듀레이션/NNG 은/JX "],
    ["보장돼요 is a predicate", "보장돼요", "보장/NNG 되/XSV 어요/EF "],
    ["a derived adjective is its noun and suffix", "가장 저렴한 ETF", "가장/MAG 저렴/NNG 하/XSA ㄴ/ETM ETF/SL "],
    ["a stem in ㄹ keeps its swallowed ending", "웃돌 것", "웃돌/VV ㄹ/ETM 것/NNB "],
    ["an honorific obligation is a verb", "사 두셔야 합니다", "사/VV 어/EC 두/VX 시/EP 어야/EC 하/XSV ㅂ니다/EF "],
    ["a number word without a unit is a number", "삼천억을", "삼천억/NR 를/JKO "],
    ["구조 is no number", "구조를", "구조/NNG 를/JKO "],
  ])("%s", (_, text, expected) => {
    expect(line(text)).toBe(expected);
  });

  it.each([
    "원 금 보 장",
    "원.금.보.장",
    "원-금-보-장",
    "원 금보장",
    "원·금·보·장",
    "원\u200b금\u200b보장",
    "원금 보장",
  ])("%s is read as 원금보장", (text) => {
    expect(visible(text)).toBe(visible("원금보장"));
  });

  it.each(["할 수 있는 한", "그 중 세 개", "더 할 수 없는"])(
    "%s stays apart: these are words of one syllable",
    (text) => {
      expect(line(text)).toMatch(/수\/NNB|세\/MM/);
    },
  );
});

describe("places", () => {
  it("a bound slot is one token that names its fact, and keeps its particle", () => {
    const slots = [{ name: "k", figure: "peer_rank.total_return.1y" }];
    const tokens = korean.analyse("{k}위로 올랐습니다. {x}", { slots });
    expect(tokens[0]).toMatchObject({ lemma: "{peer_rank.total_return}", tag: "SLOT", start: 0, end: 3 });
    expect(toLine(tokens)).toContain("위/NNG 로/JKB ");
    expect(tokens.filter(({ tag }) => tag === "SLOT")).toHaveLength(1);
  });

  it.each([
    ["S&P 500을 따릅니다", "name/NAME 를/JKO "],
    ["코스피200 지수", "name/NAME 지수/NNG "],
    ["코스피 2000선", "코스피/"],
  ])("a name is found however it is spaced, and never within a longer one: %s", (text, expected) => {
    expect(toLine(korean.analyse(text, { names: ["S&P 500", "코스피 200"] }))).toContain(expected);
  });

  it("a hidden character within a word is told from one beside it, last of all", () => {
    expect(korean.analyse("원\u200b금 보장\ufeff").slice(-2)).toEqual([
      { text: "", lemma: "U+200B", tag: "HID:w", start: 1, end: 2 },
      { text: "", lemma: "U+FEFF", tag: "HID", start: 6, end: 7 },
    ]);
  });

  it("offsets are those of the text as given", () => {
    const text = "총\u200b보수는 ５％입니다";
    const token = korean.analyse(text).find(({ lemma }) => lemma === "5");
    expect(text.slice(token!.start, token!.end)).toBe("５");
  });
});

describe("hostile text", () => {
  const anything = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 200 }),
    fc.string({ unit: "binary", maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          "원",
          "금",
          " ",
          ".",
          "보장",
          "합니다",
          "3",
          "%",
          "{r}",
          "\u200b",
          "ㅋ",
          "😀",
          "ᄇ",
          "\ud800",
          "QZX",
          "e\u0301",
        ),
        { maxLength: 60 },
      )
      .map((parts) => parts.join("")),
  );

  it("never throws, and every span lies in the text, in order and not empty", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const tokens = korean.analyse(text, { slots: [{ name: "r", figure: "total_return.1y" }], names: ["S&P 500"] });
        for (const { start, end, lemma, tag } of tokens) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(`${lemma}/${tag}`).toMatch(/^[^\s/]+\/[^\s/]+$/u);
        }
        expect(korean.analyse(text, { slots: [{ name: "r", figure: "total_return.1y" }], names: ["S&P 500"] })).toEqual(
          tokens,
        );
      }),
      { numRuns: 300 },
    );
  });

  it("refuses a text of more than 2,000 characters", () => {
    expect(() => korean.analyse("가".repeat(2001))).toThrow(AssayError);
    expect(korean.analyse("가".repeat(2000)).length).toBeGreaterThan(0);
  });
});
