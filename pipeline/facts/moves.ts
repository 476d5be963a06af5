/**
 * Day's moves for the jump rules: exact ratios of price and of total-return level between consecutive sessions of the
 * longest window that is OK. Judges nothing.
 */
import type { DateText } from "../domain/date.ts";
import { type Decimal, toText } from "../domain/decimal.ts";
import { isUnavailable } from "../domain/outcome.ts";
import { WINDOWS } from "../domain/window.ts";
import type { Move } from "../schema/fact.ts";
import { indexOn, type Levels } from "./levels.ts";
import type { SeriesContext, Span } from "./select.ts";

export function computeMoves(series: SeriesContext): Move[] {
  const price = series.closes("split_adjusted", "as_traded");
  const total = series.totalReturn();
  const chosen = [price, total].filter((levels): levels is Levels => !isUnavailable(levels));
  const from = firstSession(series, chosen);
  if (from === undefined) return [];
  const priced = isUnavailable(price) ? [] : movesOf(price, from, "price_ratio");
  if (isUnavailable(total)) return priced;
  if (isUnavailable(price)) return movesOf(total, from, "total_ratio");
  if (price.sessions !== total.sessions) return merged(priced, movesOf(total, from, "total_ratio"));
  const first = total.sessions.length - priced.length;
  return priced.map((move, index): Move => {
    // Without a distribution in between, both are one ratio: its text is made once.
    const ratio = total.ratio(first + index);
    const isSame = ratio === price.ratio(first + index);
    return { ...move, total_ratio: isSame ? move.price_ratio : toRatioText(ratio) };
  });
}

/** Where the longest window begins that any of these levels can serve. */
export function firstSession(series: SeriesContext, chosen: readonly Levels[]): DateText | undefined {
  const starts = chosen.flatMap((levels) =>
    WINDOWS.map((window) => series.span(levels, window))
      .filter((span): span is Span => !isUnavailable(span))
      .map(({ start }) => levels.sessions[start]!),
  );
  return starts.sort()[0];
}

function movesOf(levels: Levels, from: DateText, column: "price_ratio" | "total_ratio"): Move[] {
  const moves: Move[] = [];
  for (let index = Math.max(1, indexOn(levels.sessions, from) + 1); index < levels.sessions.length; index++) {
    const ratio = toRatioText(levels.ratio(index));
    moves.push({
      session: levels.sessions[index]!,
      previous_session: levels.sessions[index - 1]!,
      price_ratio: column === "price_ratio" ? ratio : null,
      total_ratio: column === "total_ratio" ? ratio : null,
    });
  }
  return moves;
}

/** Fifteen digits: a jump is judged by its first four, and moves are the longest document there is. */
function toRatioText(ratio: Decimal): string {
  return toText(ratio.toSignificantDigits(15));
}

/** Of two sources: moves between the same two sessions become one, others stand beside each other. */
function merged(priced: readonly Move[], totals: readonly Move[]): Move[] {
  const moves = new Map(priced.map((move) => [move.previous_session + move.session, move]));
  for (const move of totals) {
    const key = move.previous_session + move.session;
    moves.set(key, { ...move, price_ratio: moves.get(key)?.price_ratio ?? null });
  }
  return [...moves.values()].sort(bySession);
}

function bySession(one: Move, other: Move): number {
  return one.session < other.session ? -1 : one.session > other.session ? 1 : 0;
}
