/**
 * A claim as a card says it: each place filled by the host with the figure as its own rule prints it, window labels from the
 * card's words, registered names marked, Korean particles adapted to what is printed. Takes a text that passed the grammar.
 */
import { windowLabel } from "../../templates/locales/index.ts";
import { AssayError } from "../domain/outcome.ts";
import { print } from "../domain/print.ts";
import { wordsOfLine } from "../render/text-line.ts";
import { figureKind, type Inline } from "../schema/card.ts";
import type { Fact } from "../schema/fact.ts";
import type { Slot } from "../schema/sentence.ts";
import { type ClaimText, LABEL } from "./grammar.ts";
import { afterFigure } from "./language/ko-reading.ts";
import { findNames } from "./language/names.ts";

export interface PrintTerms {
  facts: ReadonlyMap<string, Fact>;
  /** Registered names by the document field that they equal. */
  entities: Readonly<Record<string, string>>;
}

export function printClaim({ locale, text, slots }: ClaimText, { facts, entities }: PrintTerms): Inline[] {
  const figures = new Map(slots.map(({ name, figure }) => [name, figure]));
  const runs: Inline[] = [];
  let before: string | null = null;
  // Odd parts are the names of places.
  for (const [index, part] of text.split(/\{([a-z][a-z0-9_]{0,31})\}/).entries()) {
    if (index % 2 === 0) {
      const words = before === null || locale !== "ko-KR" ? part : afterFigure(before, part);
      runs.push(...withNames(words, entities));
      continue;
    }
    const figure = figures.get(part) ?? "";
    const own = figure.replace(LABEL, "");
    const fact = facts.get(own);
    const label = windowLabel(own, locale);
    if (fact?.status !== "OK" || fact.value === null || (figure !== own && label === null)) {
      throw new AssayError("CLAIM_UNPRINTABLE", `{${part}} of the claim is bound to nothing that prints`, {
        at: figure,
      });
    }
    const printed = print(fact.print_rule, fact.value, locale, fact.currency);
    runs.push(
      figure === own
        ? { kind: "figure", figure, value: fact.value, printed, figure_kind: figureKind(fact.unit) }
        : { kind: "classed", numeral: "label", of: own, text: label! },
    );
    before = figure === own ? printed : label;
  }
  return runs;
}

/** As a reader reads it. */
export function textOfRuns(runs: readonly Inline[]): string {
  return runs.map((run) => (run.kind === "figure" ? run.printed : run.text)).join("");
}

/** As readback tells it of the page: words, with places for figures. */
export function lineOfRuns(runs: readonly Inline[]): { text: string; slots: Slot[] } {
  const pieces = runs.map((run) =>
    run.kind === "figure"
      ? { text: run.printed, owner: null, isBound: true, figure: run.figure }
      : { text: run.text, owner: null, isBound: false, isNamed: run.kind === "classed" },
  );
  return wordsOfLine(pieces) ?? { text: "", slots: [] };
}

/** Only a name written exactly as it is registered is marked: the page holds it to that field. */
function withNames(text: string, entities: PrintTerms["entities"]): Inline[] {
  const runs: Inline[] = [];
  let at = 0;
  for (const { start, end } of findNames(text, namesOf(entities))) {
    const name = text.slice(start, end);
    const of = Object.keys(entities).find((field) => entities[field] === name);
    if (of === undefined) continue;
    if (start > at) runs.push({ kind: "words", text: text.slice(at, start) });
    runs.push({ kind: "classed", numeral: "entity", of, text: name });
    at = end;
  }
  if (at < text.length) runs.push({ kind: "words", text: text.slice(at) });
  return runs;
}

/** The same array each time: the search for its names is prepared once. */
function namesOf(entities: PrintTerms["entities"]): readonly string[] {
  const names = NAMES.get(entities) ?? Object.values(entities).filter((name) => name.length > 1);
  NAMES.set(entities, names);
  return names;
}
const NAMES = new WeakMap<object, readonly string[]>();
