/** Laws of particles after a printed figure: they follow its reading, not its last sign. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { afterFigure, readingEnd } from "../../pipeline/compose/language/ko-reading.ts";
import { print } from "../../pipeline/domain/print.ts";

describe("the particle after a figure", () => {
  test.each([
    ["+12.34%", "은 값", "는 값"],
    ["+12.34%", "으로, 이", "로, 이"],
    ["−0.28%p", "이 큰", "가 큰"],
    ["12,345원", "는 어제", "은 어제"],
    ["12,345원", "로 마쳐", "으로 마쳐"],
    ["718.66달러", "을 넘고", "를 넘고"],
    ["1조 4,200억달러", "과 견주면", "와 견주면"],
    ["1년", "를 보면", "을 보면"],
    ["3개월", "로는", "로는"],
    ["1주", "은", "는"],
    ["52주", "을", "를"],
    ["2026-04-30", "로", "로"],
    ["2026-04-30", "는", "은"],
    ["3", "는", "은"],
    ["7", "으로", "로"],
    ["6", "로", "으로"],
    ["2", "은", "는"],
    ["10", "와", "과"],
    ["100", "으로", "으로"],
    ["1,000", "가", "이"],
    ["20,000", "가", "이"],
    ["0.50", "를", "을"],
    ["$718.66", "은", "는"],
    ["₩12,345", "는", "은"],
    ["S&P", "은", "는"],
    ["ETF", "을", "를"],
    ["2026-05-04 08:00 KST", "은", "는"],
    ["12%", "이며 세전", "이며 세전"],
    ["12원", "며 세전", "이며 세전"],
    ["12%", "이었습니다", "였습니다"],
    ["12원", "였습니다", "이었습니다"],
    ["12%", "라는 값", "라는 값"],
    ["12원", "라는 값", "이라는 값"],
  ])("%s + %s is %s", (printed, text, expected) => {
    expect(afterFigure(printed, text)).toBe(expected);
  });

  test.each(["가격은", "이후", "과거", "고점", "로봇", "은행", "을지로", "나라", " 은"])(
    "%s is no particle",
    (text) => {
      for (const printed of ["3", "2"]) expect(afterFigure(printed, text)).toBe(text);
    },
  );

  it("is one of the two forms, whatever prints, and adapting twice changes nothing", () => {
    const rule = fc.constantFrom(
      "percent",
      "percent_signed",
      "points_signed",
      "price",
      "money_large",
      "count" as const,
    );
    const pair = fc.constantFrom(["은", "는"], ["이", "가"], ["을", "를"], ["과", "와"], ["으로", "로"]);
    fc.assert(
      fc.property(
        rule,
        fc.integer({ min: -9_999_999, max: 9_999_999 }),
        pair,
        fc.boolean(),
        (name, value, forms, first) => {
          const printed = print(name as never, String(value), "ko-KR", "KRW");
          const once = afterFigure(printed, `${forms[first ? 0 : 1]} 그`);
          expect(forms.map((form) => `${form} 그`)).toContain(once);
          expect(afterFigure(printed, once)).toBe(once);
          // 을 and 은 go together, whatever the figure.
          expect(afterFigure(printed, "는") === "은").toBe(afterFigure(printed, "를") === "을");
        },
      ),
    );
  });

  it("reads any text to a Hangul end", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => /[가-힣]$/.test(readingEnd(text))));
  });
});
