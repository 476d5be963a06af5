import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readKoreanMoney } from "../../pipeline/collect/korean-money.ts";
import { isSameNumeral, JUNK, readNumeral, shiftPoint } from "../../pipeline/collect/numeral.ts";
import { readDate } from "../../pipeline/collect/session-date.ts";
import { isPlainNumeral } from "../../pipeline/domain/decimal.ts";

describe("a number text becomes a plain numeral, digit for digit", () => {
  test.each([
    ["121.55999755859375", "121.55999755859375"],
    ["0.10", "0.10"],
    ["  20100 ", "20100"],
    ["1,234,567.89", "1234567.89"],
    ["1e-05", "0.00001"],
    ["1.42e12", "1420000000000"],
    ["1.5E+3", "1500"],
    ["-2.5e-3", "-0.0025"],
    ["+7", "7"],
    ["007.50", "7.50"],
    [".5", "0.5"],
    ["5.", "5"],
    ["-0.0", "0.0"],
    ["123456789012345678901234567890", "123456789012345678901234567890"],
    ["3,503,434,315", "3503434315"],
  ])("%s → %s", (text, expected) => expect(readNumeral(text)).toBe(expected));

  test.each(["", "  ", "NaN", "nan", "null", "N/A", "n/a", "-"])("%j is blank", (text) => {
    expect(readNumeral(text)).toBeNull();
  });

  test.each([
    "1,23",
    "12,3456",
    ",123",
    "1,,234",
    "1.2.3",
    "0x10",
    "Infinity",
    "1e",
    "e5",
    ".",
    "+",
    "--1",
    "1 234",
    "12%",
    "$5",
    "₩5",
    "１２",
    "1,234e5",
    "1e999",
    "1e-60",
    "1234567890123456789012345678901",
    "0.1234567890123456789012345678901",
    "=1+1",
    "9".repeat(100_000),
    "<b>1</b>",
  ])("%s is refused, not guessed at", (text) => expect(readNumeral(text)).toBe(JUNK));

  test("any plain numeral is itself, so no float stands between", () => {
    const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`));
    fc.assert(
      fc.property(fc.nat(), digits(15), fc.boolean(), (whole, fraction, isNegative) => {
        const text = `${isNegative && whole > 0 ? "-" : ""}${whole}.${fraction}`;
        expect(readNumeral(text)).toBe(text);
      }),
    );
  });

  test("an exponent moves the point and nothing else", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 25n }), fc.integer({ min: 0, max: 4 }), (mantissa, exponent) => {
        expect(readNumeral(`${mantissa}e${exponent}`)).toBe(String(mantissa * 10n ** BigInt(exponent)));
      }),
    );
  });

  test("a double printed by any program is read as the double it prints", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-20, max: 1e25, noNaN: true }), (value) => {
        const read = readNumeral(String(value));
        expect(typeof read === "string" && Number(read)).toBe(value);
      }),
    );
  });

  test("whatever the text, the answer is a plain numeral, null or JUNK", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+0-9.,eE%]{0,40}$/)), (text) => {
        const read = readNumeral(text);
        expect(read === null || read === JUNK || isPlainNumeral(read as string)).toBe(true);
      }),
    );
  });

  test("thousands groups change nothing", () => {
    fc.assert(
      fc.property(fc.nat(), (value) => {
        expect(readNumeral(value.toLocaleString("en-US"))).toBe(String(value));
      }),
    );
  });
});

test.each([
  ["0.7", -2, "0.007"],
  ["0.0068", -2, "0.000068"],
  ["100", -2, "1.00"],
  ["1.5", 12, "1500000000000"],
  ["-3", -1, "-0.3"],
])("moving the point of %s by %i gives %s", (text, places, expected) =>
  expect(shiftPoint(text, places)).toBe(expected),
);

test.each([
  ["1.50", "1.5", true],
  ["2.0", "2", true],
  ["20", "2", false],
  ["0.1", "0.10000000000000001", false],
  [null, "0", false],
  [null, null, true],
])("%s and %s are the same number: %s", (one, other, expected) => expect(isSameNumeral(one, other)).toBe(expected));

describe("Korean money text becomes whole won", () => {
  test.each([
    ["16조 5,475억", "16547500000000"],
    ["16조5,475억원", "16547500000000"],
    ["5,589억", "558900000000"],
    ["1조", "1000000000000"],
    ["3,200만", "32000000"],
    ["1.5조", "1500000000000"],
    ["1억 2,345만 6,789원", "123456789"],
    ["1,234원", "1234"],
    ["-5억", "-500000000"],
  ])("%s → %s", (text, expected) => expect(readKoreanMoney(text)).toBe(expected));

  test.each(["", "원", "5589", "1억 2조", "3억 4억", "1,23억", "억", "1조 5", "295백만", "1.23456789만", "$5억"])(
    "%j is refused",
    (text) => expect(readKoreanMoney(text)).toBeNull(),
  );
});

describe("a date text becomes a calendar date", () => {
  test.each([
    ["2026-04-30", "2026-04-30"],
    ["2026/04/30", "2026-04-30"],
    ["2026.04.30", "2026-04-30"],
    ["20260430", "2026-04-30"],
    [" 2024-02-29 ", "2024-02-29"],
    ["2026-02-29", null],
    ["2026-04-31", null],
    ["2026-13-01", null],
    ["2026/04-30", null],
    ["30.04.2026", null],
    ["04/30/2026", null],
    ["1899-12-31", null],
    ["2026-4-3", null],
    ["2026-04-30T00:00", null],
    ["45777", null],
    ["", null],
  ])("%j → %s", (text, expected) => expect(readDate(text)).toBe(expected));
});
