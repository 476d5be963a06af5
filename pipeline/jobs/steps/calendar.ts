/**
 * The sessions of a market as its instruments in this batch kept them: dates on which more than half of those that were
 * then trading have a bar. A session that most have and one lacks is a hole; five at least must be there to judge by.
 */
import type { Market } from "../../domain/instant.ts";
import type { InstrumentFacts, SeriesNotes } from "../../schema/step-documents.ts";
import { facts } from "./facts.ts";
import { type Recorded, stepKey } from "./step.ts";
import type { Workshop } from "./workshop.ts";

const JUDGES = 5;

export interface MarketCalendar {
  schema: "market_calendar/v1";
  market: Market;
  /** Null: too few instruments in the market to judge by. */
  sessions: string[] | null;
}

export async function calendar(shop: Workshop, market: Market): Promise<Recorded> {
  const members = shop.context.frozen.instruments.filter((instrument) => instrument.market === market);
  const settled = await Promise.allSettled(members.map((instrument) => facts(shop, instrument)));
  const done = settled.filter((result) => result.status === "fulfilled").map((result) => result.value);
  const id = { step: "calendar" as const, instrument: market, locale: null };
  return shop.book.do(id, calendarKey(shop, done), async () => {
    const spans: string[][] = [];
    for (const recorded of done) {
      const { notes } = await shop.book.read<InstrumentFacts>(recorded);
      const { sessions } = await shop.book.open<SeriesNotes>(notes);
      if (sessions.length > 0) spans.push(sessions);
    }
    const sessions = spans.length < JUDGES ? null : majoritySessions(spans);
    return { document: { schema: "market_calendar/v1", market, sessions } satisfies MarketCalendar };
  });
}

export function calendarKey(shop: Workshop, members: readonly Recorded[]) {
  return stepKey("calendar", { code: shop.context.code.peers, members: members.map(({ output }) => output) });
}

/** `spans`: ascending sessions of each instrument. */
export function majoritySessions(spans: readonly (readonly string[])[]): string[] {
  const seen = new Map<string, number>();
  for (const span of spans) for (const session of span) seen.set(session, (seen.get(session) ?? 0) + 1);
  const firsts = spans.map((span) => span[0] as string).sort();
  const lasts = spans.map((span) => span[span.length - 1] as string).sort();
  let started = 0;
  let ended = 0;
  return [...seen.keys()].sort().filter((session) => {
    while (started < firsts.length && (firsts[started] as string) <= session) started += 1;
    while (ended < lasts.length && (lasts[ended] as string) < session) ended += 1;
    const trading = started - ended;
    return trading >= JUDGES && (seen.get(session) as number) * 2 > trading;
  });
}

/** Majority sessions from an instrument's own first on which it has no bar, those after its last included. */
export function absentSessions(own: readonly string[], market: readonly string[]): string[] {
  const has = new Set(own);
  const [first] = own;
  return first === undefined ? [] : market.filter((session) => session >= first && !has.has(session));
}
