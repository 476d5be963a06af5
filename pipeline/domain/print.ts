/**
 * Exact value to printed text, by named rule. Rounding happens here, once, half away from zero. The minus is U+2212;
 * what rounds to zero prints without a sign. The second path has its own printing in SQL.
 */
import { type Decimal, decimal, toFixed } from "./decimal.ts";
import type { Locale } from "./locale.ts";

/**
 * percent          0.1 → 10.00%            percent_signed   0.1 → +10.00%         percent_1       0.931 → 93.1%
 * percent_stated   0.000068 → 0.0068%      points_signed    0.0028 → +0.28%p      number_2        0.58
 * price            12,345원 / ₩12,345 / 718.66달러 / $718.66
 * money            whole units of the currency, as price without decimals
 * money_large      ko: 16조 5,475억원, 1조 4,200억달러 (nearest 억; under 1억 as money); en: as money
 * count, rank      1,234           date, text, instant   as the value
 */
export const PRINT_RULES = [
  "percent",
  "percent_signed",
  "percent_1",
  "percent_stated",
  "points_signed",
  "number_2",
  "price",
  "money",
  "money_large",
  "count",
  "rank",
  "date",
  "instant",
  "text",
] as const;
export type PrintRule = (typeof PRINT_RULES)[number];

export const CURRENCY_DECIMALS: Record<string, number> = { KRW: 0, USD: 2 };
const KO_UNIT: Record<string, string> = { KRW: "원", USD: "달러" };
const EN_SIGN: Record<string, string> = { KRW: "₩", USD: "$" };
const MINUS = "\u2212";
const EOK = 100_000_000;

export function print(rule: PrintRule, value: string, locale: Locale, currency: string | null): string {
  switch (rule) {
    case "date":
    case "text":
      return value;
    case "instant":
      return `${toSeoulMinute(value)} KST`;
    case "percent":
      return signed(decimal(value).times(100), 2, false, "%");
    case "percent_signed":
      return signed(decimal(value).times(100), 2, true, "%");
    case "percent_1":
      return signed(decimal(value).times(100), 1, false, "%");
    case "percent_stated":
      return signed(decimal(value).times(100), Math.min(4, decimal(value).times(100).decimalPlaces()), false, "%");
    case "points_signed":
      return signed(decimal(value).times(100), 2, true, "%p");
    case "number_2":
      return signed(decimal(value), 2, false, "");
    case "count":
    case "rank":
      return signed(decimal(value), 0, false, "");
    case "price":
      return inCurrency(decimal(value), CURRENCY_DECIMALS[currency ?? ""] ?? 2, locale, currency);
    case "money":
      return inCurrency(decimal(value), 0, locale, currency);
    case "money_large":
      return locale === "ko-KR" ? inEok(decimal(value), currency) : inCurrency(decimal(value), 0, locale, currency);
  }
}

function signed(value: Decimal, decimals: number, plus: boolean, suffix: string): string {
  const text = toFixed(value, decimals);
  const isNegative = text.startsWith("-");
  const digits = grouped(isNegative ? text.slice(1) : text);
  const isZero = !/[1-9]/.test(digits);
  const sign = isNegative ? MINUS : plus && !isZero ? "+" : "";
  return `${sign}${digits}${suffix}`;
}

function inCurrency(value: Decimal, decimals: number, locale: Locale, currency: string | null): string {
  const digits = signed(value.abs(), decimals, false, "");
  const minus = value.isNegative() && /[1-9]/.test(digits) ? MINUS : "";
  if (currency === null) return minus + digits;
  if (locale === "ko-KR") return `${minus}${digits}${KO_UNIT[currency] ?? ` ${currency}`}`;
  return `${minus}${EN_SIGN[currency] ?? `${currency} `}${digits}`;
}

function inEok(value: Decimal, currency: string | null): string {
  const eok = decimal(toFixed(value.abs().div(EOK), 0));
  if (value.abs().lt(EOK)) return inCurrency(value, 0, "ko-KR", currency);
  const jo = eok.divToInt(10_000);
  const rest = eok.minus(jo.times(10_000));
  const parts = [
    jo.isZero() ? "" : `${grouped(jo.toFixed(0))}조`,
    rest.isZero() ? "" : `${grouped(rest.toFixed(0))}억`,
  ].filter((part) => part !== "");
  const unit = currency === null ? "" : (KO_UNIT[currency] ?? ` ${currency}`);
  return `${value.isNegative() ? MINUS : ""}${parts.join(" ")}${unit}`;
}

function grouped(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

/** `2026-05-04 08:00` in Seoul, which keeps no summer time. */
function toSeoulMinute(instant: string): string {
  return new Date(Date.parse(instant) + 9 * 3_600_000).toISOString().slice(0, 16).replace("T", " ");
}
