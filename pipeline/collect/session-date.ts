/** A payload's date text to `YYYY-MM-DD`. Four spellings, year first; day-first dates are refused, never guessed at. */
import { isDate } from "../domain/date.ts";

const ISO = /^\d{4}-\d\d-\d\d$/;
const OTHER = /^(\d{4})(?:([/.])(\d\d)\2(\d\d)|(\d\d)(\d\d))$/;

/** Null when the text is no date of these spellings, or names a day that never was (2026-02-30). */
export function readDate(text: string): string | null {
  const trimmed = text.length > 40 ? text : text.trim();
  if (ISO.test(trimmed)) return isRealDay(trimmed) ? trimmed : null;
  const match = OTHER.exec(trimmed);
  if (match === null) return null;
  const date = `${match[1]}-${match[3] ?? match[5]}-${match[4] ?? match[6]}`;
  return isRealDay(date) ? date : null;
}

/** Days 1 to 28 exist in every month: only the others need the calendar, which is slow on half a million rows. */
function isRealDay(date: string): boolean {
  return /^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/.test(date) || isDate(date);
}
