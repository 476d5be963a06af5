/**
 * Session calendars for demonstration series: weekdays without the market's holidays, approximately. Substitute
 * holidays, one-off closures and early closes are left out; Korean lunar holidays are tabled for 2014–2030 only.
 */
import { addDays, type DateText, fromDays, toDays } from "../../domain/date.ts";
import type { Market } from "../../domain/instant.ts";

/** Days since 1970 of each session in [from, to], ascending. */
export function sessionDays(market: Market, from: DateText, to: DateText): number[] {
  return weekdays(from, to, market === "KR" ? koreanHolidays : usHolidays);
}

/** Days on which currencies are quoted: weekdays without New Year and Christmas. */
export function fxDays(from: DateText, to: DateText): number[] {
  return weekdays(from, to, (year) => [`${year}-01-01`, `${year}-12-25`]);
}

function weekdays(from: DateText, to: DateText, holidaysOf: (year: number) => DateText[]): number[] {
  const closed = new Set<number>();
  for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)) + 1; year++) {
    for (const date of holidaysOf(year)) closed.add(toDays(date));
  }
  const days: number[] = [];
  for (let day = toDays(from); day <= toDays(to); day++) {
    const isWeekend = weekdayOf(day) === SUNDAY || weekdayOf(day) === SATURDAY;
    if (!isWeekend && !closed.has(day)) days.push(day);
  }
  return days;
}

const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;

/** 1970-01-01 was a Thursday. */
function weekdayOf(day: number): number {
  return (((day + THURSDAY) % 7) + 7) % 7;
}

function usHolidays(year: number): DateText[] {
  const fixed = [`${year}-01-01`, ...(year >= 2022 ? [`${year}-06-19`] : []), `${year}-07-04`, `${year}-12-25`];
  return [
    ...fixed.map(toObserved),
    nthWeekday(year, 1, MONDAY, 3),
    nthWeekday(year, 2, MONDAY, 3),
    addDays(easterSunday(year), -2),
    addDays(nthWeekday(year, 6, MONDAY, 1), -7),
    nthWeekday(year, 9, MONDAY, 1),
    nthWeekday(year, 11, THURSDAY, 4),
  ];
}

function toObserved(date: DateText): DateText {
  const weekday = weekdayOf(toDays(date));
  return addDays(date, weekday === SUNDAY ? 1 : weekday === SATURDAY ? -1 : 0);
}

/** The nth given weekday of a month. (The last Monday of May is a week before the first Monday of June.) */
function nthWeekday(year: number, month: number, weekday: number, nth: number): DateText {
  const first = toDays(`${year}-${String(month).padStart(2, "0")}-01`);
  return fromDays(first + ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7);
}

/** Gregorian computus in whole numbers. */
function easterSunday(year: number): DateText {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const skipped = century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25);
  const epact = (skipped + 19 * golden + 15) % 30;
  const moon = epact - Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11));
  const weekday = (year + Math.floor(year / 4) + moon + 2 - century + Math.floor(century / 4)) % 7;
  const fromMarch = moon - weekday + 28;
  return addDays(`${year}-03-01`, fromMarch - 1);
}

/** New Year's moon, harvest moon (a day either side is closed too) and Buddha's birthday, month-day. */
const LUNAR: Record<number, readonly [string, string, string]> = {
  2014: ["01-31", "09-08", "05-06"],
  2015: ["02-19", "09-27", "05-25"],
  2016: ["02-08", "09-15", "05-14"],
  2017: ["01-28", "10-04", "05-03"],
  2018: ["02-16", "09-24", "05-22"],
  2019: ["02-05", "09-13", "05-12"],
  2020: ["01-25", "10-01", "04-30"],
  2021: ["02-12", "09-21", "05-19"],
  2022: ["02-01", "09-10", "05-08"],
  2023: ["01-22", "09-29", "05-27"],
  2024: ["02-10", "09-17", "05-15"],
  2025: ["01-29", "10-06", "05-05"],
  2026: ["02-17", "09-25", "05-24"],
  2027: ["02-07", "09-15", "05-13"],
  2028: ["01-27", "10-03", "05-02"],
  2029: ["02-13", "09-22", "05-20"],
  2030: ["02-03", "09-12", "05-09"],
};

function koreanHolidays(year: number): DateText[] {
  const fixed = ["01-01", "03-01", "05-01", "05-05", "06-06", "08-15", "10-03", "10-09", "12-25", "12-31"];
  const dates = fixed.map((monthDay) => `${year}-${monthDay}`);
  const lunar = LUNAR[year];
  if (lunar === undefined) return dates;
  for (const feast of [`${year}-${lunar[0]}`, `${year}-${lunar[1]}`]) {
    dates.push(addDays(feast, -1), feast, addDays(feast, 1));
  }
  dates.push(`${year}-${lunar[2]}`);
  return dates;
}
