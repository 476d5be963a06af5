/**
 * A fact as a card shows it: label, window, printed value or the reason in words, and the small type that says basis,
 * sessions and source. Prints by the fact's own rule; decides nothing about which figures a card has.
 */

import { WORDS, windowLabel } from "../../templates/locales/index.ts";
import type { CardWords } from "../../templates/locales/words.ts";
import type { Locale } from "../domain/locale.ts";
import { AssayError, type Reason } from "../domain/outcome.ts";
import { print } from "../domain/print.ts";
import { figureKind, type Inline, type ShownFigure } from "../schema/card.ts";
import { type Fact, figureId } from "../schema/fact.ts";
import type { Instrument } from "../schema/instrument.ts";

const TONED = new Set(["percent_signed", "points_signed"]);
const MINUS = "\u2212";

export interface FigureDesk {
  locale: Locale;
  words: CardWords;
  /** Words for `{reporting}`, `{currency}`, `{instrument_currency}` … in labels and bases. */
  fill: (text: string) => string;
  fact: (figure: string) => Fact;
  find: (figure: string) => Fact | undefined;
  facts: readonly Fact[];
  vendorOf: (sourceId: string) => string | undefined;
}

export function createDesk(options: {
  facts: readonly Fact[];
  locale: Locale;
  fills: Record<string, string>;
  sources: readonly { id: string; vendor: string }[];
}): FigureDesk {
  const byId = new Map(options.facts.map((fact) => [figureId(fact), fact]));
  const vendors = new Map(options.sources.map((source) => [source.id, source.vendor]));
  return {
    locale: options.locale,
    words: WORDS[options.locale],
    fill: (text) => text.replace(/\{(\w+)\}/g, (_, key: string) => options.fills[key] ?? ""),
    find: (figure) => byId.get(figure),
    fact: (figure) => {
      const found = byId.get(figure);
      if (found === undefined) {
        throw new AssayError("CARD_FACT_MISSING", `the card needs ${figure}, and there is no such fact`, {
          hint: "facts.csv has a row for every fact of the catalogue; rerun facts",
        });
      }
      return found;
    },
    facts: [...byId.values()],
    vendorOf: (sourceId) => vendors.get(sourceId),
  };
}

/**
 * `headline` notes say sessions and basis in full; a section's heading says them for all its rows, so its notes keep
 * what only that figure has: its own dates, its source, and what its name does not tell.
 */
export function showFigure(desk: FigureDesk, figure: string, notes: "headline" | "section" = "headline"): ShownFigure {
  const fact = desk.fact(figure);
  const { words, locale } = desk;
  const isOk = fact.status === "OK" && fact.value !== null;
  const printed = isOk ? print(fact.print_rule, fact.value!, locale, fact.currency) : null;
  const reason = isOk ? null : (fact.reason ?? "NO_DATA");
  return {
    figure,
    label: desk.fill(words.figures[fact.fact] ?? fact.fact),
    window_label: windowLabel(figure, locale),
    value: isOk ? fact.value : null,
    printed,
    kind: figureKind(fact.unit),
    tone: printed === null ? null : toneOf(fact, printed),
    unit_word: words.unit_words[fact.fact] || null,
    reason,
    words: reason === null ? null : reasonWords(words, fact.fact, reason),
    words_short: reason === null ? null : words.reasons_short[reason],
    notes: isOk ? notesOf(desk, fact, notes === "headline") : conflictNotes(desk, fact),
  };
}

/** Name of the comparison ETF in the card's language; `of` names the field of the benchmark's universe row. */
export function benchmarkEntity(benchmark: Instrument, locale: Locale): { of: string; text: string } {
  const isKorean = (locale === "ko-KR" && benchmark.name_ko !== "") || benchmark.name_en === "";
  return isKorean
    ? { of: "benchmark.name_ko", text: benchmark.name_ko }
    : { of: "benchmark.name_en", text: benchmark.name_en };
}

function reasonWords(words: CardWords, fact: string, reason: Reason): string {
  return words.reasons_of[`${fact}/${reason}`] ?? words.reasons[reason];
}

/** Gain or loss as printed: what rounds to zero is neither. A drawdown is a loss though its rule prints no plus. */
function toneOf(fact: Fact, printed: string): ShownFigure["tone"] {
  if (!TONED.has(fact.print_rule) && fact.fact !== "max_drawdown") return null;
  if (printed.startsWith(MINUS)) return "down";
  return printed.startsWith("+") ? "up" : "flat";
}

const NAME_TELLS_LITTLE = /^(multiple_|distribution_yield|price_return|average_daily_value)/;

function notesOf(desk: FigureDesk, fact: Fact, isHeadline: boolean): Inline[][] {
  const { words } = desk;
  const basis = isHeadline || NAME_TELLS_LITTLE.test(fact.fact) ? words.bases[fact.fact] : undefined;
  const lines: Inline[][] = [];
  switch (fact.fact) {
    case "max_drawdown":
      lines.push(...drawdownLines(desk, fact));
      break;
    case "high_52w":
    case "low_52w":
      lines.push(bound(desk, `${fact.fact}_on`));
      break;
    case "last_close":
      if (desk.find("end_session")?.value === fact.end_session) lines.push(bound(desk, "end_session"));
      break;
    case "premium": {
      const isProvisional = desk.find("premium_state")?.value === "PROVISIONAL";
      const line = bound(desk, "premium_on");
      lines.push(isProvisional ? [...line, say(` · ${words.notes.provisional}`)] : line);
      break;
    }
    case "total_expense_ratio":
    case "net_assets":
    case "fund_net_assets":
      lines.push(sourceLine(desk, fact, `${fact.fact}_on`));
      if (fact.fact === "fund_net_assets") lines.push([say(words.notes.all_share_classes)]);
      break;
    case "risk_grade":
      // The date that the card names is this grade's only where its source is the one retrieved last.
      if (desk.find("metadata_retrieved_on")?.value === fact.stated_on) {
        lines.push(sourceLine(desk, fact, "metadata_retrieved_on"));
      }
      break;
    default: {
      const sessions = isHeadline ? sessionLine(desk, fact) : [];
      if (sessions.length > 0) lines.push(sessions);
    }
  }
  if (basis !== undefined && basis !== "") lines.push([say(desk.fill(basis))]);
  return lines.filter((line) => line.length > 0);
}

const WITH_SESSIONS = new Set([
  "total_return",
  "price_return",
  "fx_change",
  "total_return_reporting",
  "benchmark_return",
]);

/** Both sessions, but only where the card's own date figures are this fact's: no date without a row of its own. */
function sessionLine(desk: FigureDesk, fact: Fact): Inline[] {
  if (!WITH_SESSIONS.has(fact.fact)) return [];
  const start = desk.find(`start_session.${fact.window}`);
  const end = desk.find("end_session");
  if (start?.status !== "OK" || end?.status !== "OK") return [];
  if (start.value !== fact.start_session || end.value !== fact.end_session) return [];
  return [...bound(desk, figureId(start)), say(" → "), ...bound(desk, "end_session")];
}

function drawdownLines(desk: FigureDesk, fact: Fact): Inline[][] {
  const peak = bound(desk, `max_drawdown_peak_on.${fact.window}`);
  const trough = bound(desk, `max_drawdown_trough_on.${fact.window}`);
  if (peak.length === 0 || trough.length === 0) return [];
  const recovery = desk.find(`max_drawdown_recovery_on.${fact.window}`);
  const after =
    recovery?.status === "OK"
      ? [say(`${desk.words.notes.recovered} `), ...bound(desk, figureId(recovery))]
      : recovery?.reason === "NOT_RECOVERED"
        ? [say(desk.words.notes.not_recovered)]
        : [];
  return [[...peak, say(" → "), ...trough], after];
}

function sourceLine(desk: FigureDesk, fact: Fact, dateFigure: string): Inline[] {
  const vendor = vendorInline(desk, fact.source_id);
  const date = bound(desk, dateFigure);
  return vendor.length > 0 && date.length > 0 ? [...vendor, say(" "), ...date] : [...vendor, ...date];
}

/** Where sources disagree the card shows what each states, with its vendor, and settles nothing. */
function conflictNotes(desk: FigureDesk, fact: Fact): Inline[][] {
  if (fact.fact !== "total_expense_ratio" || fact.reason !== "CONFLICT") return [];
  return desk.facts
    .filter((stated) => stated.fact === "total_expense_ratio_stated" && stated.status === "OK")
    .map((stated) => [...vendorInline(desk, stated.window), say(" "), ...bound(desk, figureId(stated))]);
}

function vendorInline(desk: FigureDesk, sourceId: string | null): Inline[] {
  const vendor = sourceId === null ? undefined : desk.vendorOf(sourceId);
  return vendor === undefined ? [] : [{ kind: "classed", numeral: "entity", of: `vendor.${sourceId}`, text: vendor }];
}

function bound(desk: FigureDesk, figure: string): Inline[] {
  const fact = desk.find(figure);
  if (fact?.status !== "OK" || fact.value === null) return [];
  const printed = print(fact.print_rule, fact.value, desk.locale, fact.currency);
  return [{ kind: "figure", figure, value: fact.value, printed, figure_kind: figureKind(fact.unit) }];
}

function say(text: string): Inline {
  return { kind: "words", text };
}
