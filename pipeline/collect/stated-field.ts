/**
 * One stated text of a metadata source to a field: fees to a ratio, money to whole units, dates to `YYYY-MM-DD`, names as
 * they stand. The contract's unit decides; a text that contradicts it is a UNIT_CONFLICT, never reinterpreted, since
 * 0.7 as a percentage and as a fraction are a hundredfold apart and both look like a fee.
 */
import { fromDays } from "../domain/date.ts";
import type { METADATA_UNITS, MetadataField } from "../schema/batch.ts";
import type { StatedField } from "../schema/observation.ts";
import { readKoreanMoney } from "./korean-money.ts";
import { isBlank, readNumeral, shiftPoint } from "./numeral.ts";
import { readDate } from "./session-date.ts";

type Unit = (typeof METADATA_UNITS)[number];
export type FieldReading = Pick<StatedField, "value" | "currency"> | { conflict: string };

const LONGEST_TEXT = 200;
const LONGEST_DESCRIPTION = 10_000;
/** Control, format (bidi marks, zero width), private and separating characters: what a person reads would not be what is there. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;
const SECONDS_A_DAY = 86_400;

/** Null where the source states nothing. */
export function readField(field: MetadataField, text: string, unit: Unit | undefined): FieldReading | null {
  if (isBlank(text)) return null;
  switch (field) {
    case "total_expense_ratio":
      return readFee(text, unit);
    case "net_assets":
    case "fund_net_assets":
      return readMoney(text, unit);
    case "listed_on":
    case "inception_on":
      return readDay(text, unit);
    default:
      if (unit !== undefined) return { conflict: `text has no unit, the contract says ${unit}` };
      return readText(text.trim(), field.startsWith("description_") ? LONGEST_DESCRIPTION : LONGEST_TEXT);
  }
}

function readText(value: string, longest: number): FieldReading {
  if ([...value].length > longest) return { conflict: `longer than ${longest} characters` };
  if (HIDDEN.test(value)) return { conflict: "holds control or invisible characters" };
  return { value, currency: null };
}

function readFee(text: string, unit: Unit | undefined): FieldReading {
  if (unit !== "percent" && unit !== "fraction") return { conflict: "a fee needs the unit percent or fraction" };
  const trimmed = text.trim();
  const isMarked = trimmed.endsWith("%");
  if (isMarked && unit === "fraction") return { conflict: "a percent sign where the contract says fraction" };
  const numeral = readNumeral(isMarked ? trimmed.slice(0, -1) : trimmed);
  if (typeof numeral !== "string" || numeral.startsWith("-")) return { conflict: "not a fee" };
  const ratio = unit === "percent" ? shiftPoint(numeral, -2) : numeral;
  return typeof ratio === "string" ? { value: ratio, currency: null } : { conflict: "more digits than a fee has" };
}

function readMoney(text: string, unit: Unit | undefined): FieldReading {
  if (unit === "krw_text") {
    const won = readKoreanMoney(text);
    return won === null ? { conflict: "not Korean money text with 조, 억, 만 or 원" } : { value: won, currency: "KRW" };
  }
  if (unit !== "KRW" && unit !== "USD") return { conflict: "an amount needs the unit krw_text, KRW or USD" };
  const numeral = readNumeral(text);
  return typeof numeral === "string"
    ? { value: numeral, currency: unit }
    : { conflict: `not a plain amount of ${unit}` };
}

function readDay(text: string, unit: Unit | undefined): FieldReading {
  if (unit === undefined || unit === "date") {
    const date = readDate(text);
    return date === null ? { conflict: "not a date" } : { value: date, currency: null };
  }
  if (unit !== "epoch_seconds") return { conflict: `a date has no unit ${unit}` };
  const seconds = readNumeral(text);
  // Eleven digits reach past the year 2199; more are milliseconds under the wrong name.
  if (typeof seconds !== "string" || !/^-?\d{1,11}(\.0+)?$/.test(seconds))
    return { conflict: "not seconds since 1970" };
  const date = readDate(fromDays(Math.floor(Number(seconds) / SECONDS_A_DAY)));
  return date === null
    ? { conflict: "not seconds since 1970 of the years 1900 to 2199" }
    : { value: date, currency: null };
}
