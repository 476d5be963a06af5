/**
 * The jump rule and the scale rule of the facts page, over the longest window that the card uses. A move that looks like
 * a unit or split error is a scale break and not also a jump. Neither says what happened.
 */
import { type Decimal, decimal, ONE, toFixed } from "../domain/decimal.ts";
import { wholeMultiple } from "../domain/whole-multiple.ts";
import type { Fact, Move } from "../schema/fact.ts";
import { defineGate, examples, type Report } from "./gate.ts";

export const jumps = defineGate({
  id: "jumps",
  version: 1,
  family: "data",
  stage: "data",
  question: "Is every day's move one that a market makes?",
  needs: ["moves", "facts", "instrument", "rules"],
  codes: {
    UNEXPLAINED_JUMP: {
      severity: "REVIEW",
      meaning: "a day's move is larger than the limit for the product's multiple",
      remedy: "find the day's news or a second source; acknowledge the move with the explanation",
    },
    SCALE_BREAK: {
      severity: "BLOCK",
      meaning: "a day's price ratio is a whole multiple: a unit or split error far more often than a market",
      remedy: "check for a split or a change of unit on that day and supply an adjusted series",
    },
  },
  check({ moves, facts, instrument, rules }, report, examined) {
    if (!isCovered(moves, facts, report, examined)) return;
    const hasTotal = moves.some(({ total_ratio }) => total_ratio !== null);
    const limit = decimal(rules.jump).times(decimal(instrument.exposure_multiple).abs());
    const tolerance = decimal(rules.scale_tolerance);
    // A float is exact to 16 digits, the margins are far wider: quiet days need no exact arithmetic.
    const quiet = Math.min(Number(limit), 0.4) - 1e-6;
    const jumped: string[] = [];
    const broken: string[] = [];
    for (const { session, price_ratio, total_ratio } of moves) {
      const scaled = price_ratio ?? total_ratio;
      const moved = hasTotal ? total_ratio : price_ratio;
      if (scaled === null) {
        report("EVIDENCE_MISSING", session, "a day's move has neither a price nor a total-return ratio");
        continue;
      }
      examined(session);
      if (Math.abs(Number(scaled) - 1) < quiet && Math.abs(Number(moved ?? scaled) - 1) < quiet) continue;
      const multiple = wholeMultiple(decimal(scaled), tolerance);
      if (multiple !== null) broken.push(`${session} ratio ${toFixed(decimal(scaled), 4)}, near ${multiple}`);
      else if (moved !== null && decimal(moved).minus(ONE).abs().gt(limit)) {
        jumped.push(`${session} ${percent(decimal(moved))}`);
      }
    }
    if (jumped.length > 0) {
      const size = toFixed(limit.times(100), 2);
      report("UNEXPLAINED_JUMP", subject(jumped), `${jumped.length} larger than ${size}%: ${examples(jumped)}`);
    }
    if (broken.length > 0) report("SCALE_BREAK", subject(broken), examples(broken));
  },
});

/**
 * Each OK return's window must lie inside unbroken moves of its own levels: a missing day could hide a jump. A card
 * without any return has nothing that could jump.
 */
function isCovered(
  moves: readonly Move[],
  facts: readonly Fact[],
  report: Report<never>,
  examined: (subject: string) => void,
): boolean {
  const columns = [
    { returns: "total_return", chain: moves.filter(({ total_ratio }) => total_ratio !== null) },
    { returns: "price_return", chain: moves.filter(({ price_ratio }) => price_ratio !== null) },
  ];
  const absent: string[] = [];
  let hasReturns = false;
  for (const { returns, chain } of columns) {
    const ok = facts.filter(({ fact, status }) => fact === returns && status === "OK");
    const start = ok.flatMap(({ start_session }) => start_session ?? []).sort()[0];
    const end = ok
      .flatMap(({ end_session }) => end_session ?? [])
      .sort()
      .at(-1);
    if (start === undefined || end === undefined) continue;
    hasReturns = true;
    const torn = chain.find((move, index) => index > 0 && move.previous_session !== chain[index - 1]!.session);
    const [first, last] = [chain[0]?.previous_session ?? "no day", chain.at(-1)?.session ?? "no day"];
    if (chain.length === 0 || start < first || end > last) {
      absent.push(`${returns} spans ${start} to ${end}, its moves ${first} to ${last}`);
    } else if (torn !== undefined) {
      absent.push(`${returns} has no move into ${torn.previous_session}`);
    }
  }
  if (absent.length > 0) report("EVIDENCE_MISSING", "moves", examples(absent));
  if (hasReturns || moves.length > 0) return true;
  if (facts.length > 0) examined("card without returns");
  return false;
}

function percent(ratio: Decimal): string {
  const text = toFixed(ratio.minus(ONE).times(100), 2);
  return `${text.startsWith("-") ? "" : "+"}${text}%`;
}

function subject(found: readonly string[]): string {
  return found.length === 1 ? found[0]!.slice(0, 10) : "moves";
}
