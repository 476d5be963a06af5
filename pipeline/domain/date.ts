/** Calendar dates as `YYYY-MM-DD` text in the proleptic Gregorian calendar, years 1900 to 2199. No clock, no zone. */

export type DateText = string;

const SHAPE = /^(19|20|21)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const DAY_MS = 86_400_000;

export function isDate(text: string): boolean {
  return SHAPE.test(text) && fromDays(toDays(text)) === text;
}

/** Days since 1970-01-01. */
export function toDays(date: DateText): number {
  return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10))) / DAY_MS;
}

export function fromDays(days: number): DateText {
  return new Date(days * DAY_MS).toISOString().slice(0, 10);
}

export function addDays(date: DateText, days: number): DateText {
  return fromDays(toDays(date) + days);
}

/** Calendar months, the day clamped to the month's end: 2026-05-31 − 3 months = 2026-02-28. */
export function addMonths(date: DateText, months: number): DateText {
  const index = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months;
  const year = Math.floor(index / 12);
  const month = index - year * 12;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(Number(date.slice(8, 10)), lastDay);
  return `${year}-${String(month + 1).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** `later` − `earlier` in calendar days. */
export function daysBetween(earlier: DateText, later: DateText): number {
  return toDays(later) - toDays(earlier);
}
