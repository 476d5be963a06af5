import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_TEXT } from "../../../pipeline/compose/language/analyser.ts";
import { openEnglish } from "../../../pipeline/compose/language/en.ts";
import { toLine } from "../../../pipeline/domain/phrase.ts";

const english = await openEnglish();
const line = (text: string, options = {}) => toLine(english.analyse(text, options)).trimEnd();
describe("a word has its dictionary form and the tag of its form", () => {
  it.each([
    ["shares rose", "share/NOUN rise/VERB:d"],
    ["the fund outperforms", "the/DET fund/NOUN outperform/VERB:s"],
    ["it is the cheapest", "it/PRON be/AUX:s the/DET cheap/ADJ:u"],
    ["the best", "the/DET best/ADJ:u"],
    ["Guaranteed returns", "guarantee/VERB:d return/NOUN"],
    ["risk-free", "risk/NOUN free/ADJ"],
    ["one-year", "1/NUM year/NOUN"],
    ["it fell \u22123.2%", "it/PRON fall/VERB:d -3.2/NUM %/SYM"],
    ["$1,234.50", "$/SYM 1234.50/NUM"],
    ["ranked third", "rank/VERB:d third/ORD"],
    ["US shares", "u.s./NOUN share/NOUN"],
    ["it is locked in.", "it/PRON be/AUX:s lock/VERB:d in/ADP ./PUNCT"],
    ["converted into won", "convert/VERB:d into/ADP won/NOUN"],
  ])("%s", (text, expected) => {
    expect(line(text)).toBe(expected);
  });
});

describe("a negation reaches to the end of its clause", () => {
  it.each([
    ["it does not guarantee returns", ["guarantee", "return"]],
    ["no guarantee of gains", ["guarantee", "of", "gain"]],
    ["it can't lose, and it pays", ["lose"]],
    ["it is neither insured nor guaranteed", ["insure", "nor", "guarantee"]],
    ["it is not insured, guaranteed or endorsed", ["insure", ",", "guarantee", "or", "endorse"]],
    ["no guarantee that it will not lose", ["guarantee", "that", "it", "will", "not"]],
    ["it not only pays", []],
    ["there is no doubt that it pays", []],
    ["it is not a deposit but pays interest", ["a", "deposit"]],
    ["isn't it safe?", []],
  ])("%s", (text, expected) => {
    const reached = english.analyse(text).filter(({ tag }) => tag.endsWith("-"));
    expect(reached.map(({ lemma }) => lemma)).toEqual(expected);
  });
});

describe("names, slots and what nobody sees", () => {
  it("a slot that is bound is one token with its fact, one that is not is text", () => {
    const slots = [{ name: "r", figure: "total_return.1y" }];
    expect(line("It returned {r}.", { slots })).toBe("it/PRON return/VERB:d {total_return}/SLOT ./PUNCT");
    expect(line("It returned {x}.", { slots })).not.toContain("SLOT");
  });

  it("a registered name is one token, the longest first", () => {
    const names = ["S&P 500", "S&P 500 Growth"];
    expect(line("the S&P 500 Growth index", { names })).toBe("the/DET name/NAME index/NOUN");
  });

  it.each([
    ["spaced apart", "g u a r a n t e e d returns"],
    ["dotted apart", "g.u.a.r.a.n.t.e.e.d returns"],
    ["full width", "ｇｕａｒａｎｔｅｅｄ returns"],
    ["a hidden character within", "gu\u200baranteed returns"],
    ["letters of another script", "gu\u0430ranteed returns"],
    ["a sign in place of a letter", "gu@ranteed returns"],
  ])("a word %s has the lemma of the plain word", (_, text) => {
    const visible = english.analyse(text).filter(({ tag }) => !tag.startsWith("HID"));
    expect(visible.map(({ lemma }) => lemma)).toEqual(["guarantee", "return"]);
  });

  it("a hidden character is told at its place, and whether it is within a word", () => {
    const hidden = english.analyse("a\u200bb c\u202e").filter(({ tag }) => tag.startsWith("HID"));
    expect(hidden).toEqual([
      { text: "", lemma: "U+200B", tag: "HID:w", start: 1, end: 2 },
      { text: "", lemma: "U+202E", tag: "HID", start: 5, end: 6 },
    ]);
  });

  it("a shout is marked, an abbreviation is not", () => {
    expect(line("BUY NOW on NASDAQ")).toBe("buy/VERB^ now/ADV^ on/ADP nasdaq/NOUN");
  });
});

describe("any text", () => {
  it("has tokens within it, in reading order, without blank and slash in a lemma", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const tokens = english.analyse(text, { names: ["S&P 500"], slots: [{ name: "r", figure: "total_return.1y" }] });
        for (const { lemma, tag, start, end } of tokens) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(`${lemma}${tag}`).not.toMatch(/[\s/]/u);
          expect(lemma).not.toBe("");
        }
        const starts = tokens.filter(({ tag }) => !tag.startsWith("HID")).map(({ start }) => start);
        expect(starts).toEqual([...starts].sort((left, right) => left - right));
      }),
      { numRuns: 300 },
    );
  });

  it("past the bound is refused with a code", () => {
    expect(() => english.analyse("a".repeat(MAX_TEXT + 1))).toThrow(expect.objectContaining({ code: "TEXT_TOO_LONG" }));
  });
});
