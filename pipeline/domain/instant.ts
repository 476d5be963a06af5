/**
 * Instants as UTC text with milliseconds and `Z`, and the closing instants of the markets. Early closes are not
 * modelled: a session closes at its market's regular time.
 */
import type { DateText } from "./date.ts";
import { AssayError } from "./outcome.ts";

export const MARKETS = ["KR", "US"] as const;
export type Market = (typeof MARKETS)[number];

export interface MarketHours {
  zone: string;
  close: string;
}
export const MARKET_HOURS: Record<Market, MarketHours> = {
  KR: { zone: "Asia/Seoul", close: "15:30" },
  US: { zone: "America/New_York", close: "16:00" },
};

/** ISO 8601 with an offset or `Z` to stored form, e.g. `2026-05-04T08:00:00+09:00` → `2026-05-03T23:00:00.000Z`. */
export function toInstant(text: string): string {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text) ? new Date(text) : undefined;
  if (at === undefined || Number.isNaN(at.getTime())) {
    throw new AssayError("INSTANT_MALFORMED", `not an instant with an offset: ${JSON.stringify(text.slice(0, 60))}`);
  }
  return at.toISOString();
}

const closes = new Map<string, number>();

/** Closing instant of a session in milliseconds since 1970. */
export function closingInstant(market: Market, session: DateText): number {
  const key = market + session;
  const known = closes.get(key);
  if (known !== undefined) return known;
  const { zone, close } = MARKET_HOURS[market];
  const at = localToEpoch(session, close, zone);
  closes.set(key, at);
  return at;
}

/** Offset of a zone from UTC at an instant, in minutes (Europe/London in summer: 60). */
export function offsetMinutes(epochMs: number, zone: string): number {
  const parts = formatter(zone).formatToParts(epochMs);
  const get = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  const local = Date.UTC(get("year"), get("month") - 1, get("day"), get("hour"), get("minute"), get("second"));
  return Math.round((local - Math.floor(epochMs / 1000) * 1000) / 60_000);
}

/** Local wall time as printed: `2026-05-04 08:00` in the zone. */
export function toLocalMinute(instant: string, zone: string): string {
  const epoch = Date.parse(instant);
  return new Date(epoch + offsetMinutes(epoch, zone) * 60_000).toISOString().slice(0, 16).replace("T", " ");
}

function localToEpoch(date: DateText, time: string, zone: string): number {
  const wall = Date.parse(`${date}T${time}:00.000Z`);
  const guess = wall - offsetMinutes(wall, zone) * 60_000;
  return wall - offsetMinutes(guess, zone) * 60_000;
}

const formatters = new Map<string, Intl.DateTimeFormat>();
function formatter(zone: string): Intl.DateTimeFormat {
  let found = formatters.get(zone);
  if (found === undefined) {
    found = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formatters.set(zone, found);
  }
  return found;
}
