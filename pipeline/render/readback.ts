/**
 * What a reader of the page can see, from its bytes alone: bound figures, every other numeral with the class its
 * element claims, axis labels and chart points. Errs towards seeing: what may be invisible counts, what is doubtful is
 * unclassified, what cannot be read (images, frames, scripts) is refused. Compares nothing; recalculate/compare does.
 *
 * A figure (number, date or stated text) is `<data data-fact value>` or `<time data-fact datetime>` holding text alone. A
 * numeral that runs over several elements belongs to none of them, so it is unclassified, as is one in a text with
 * bidirectional controls.
 * Not seen: what CSS moves, mirrors or paints over. The text of `<head>` is not on the page.
 */
import type { DefaultTreeAdapterTypes } from "parse5";
import { AssayError } from "../domain/outcome.ts";
import type { NumeralClass, Readback } from "../schema/readback.ts";
import { generatedTexts, hidesListMarks, reordersText } from "./css-text.ts";
import { findNumerals, hasBidiControl, withoutInvisible } from "./numerals.ts";
import { type Element, type Node, parsePage, textOf } from "./parse-page.ts";
import { pointsOf, readSeriesPath } from "./path-points.ts";
import { numeralsOfLine, type Piece, wordsOfLine } from "./text-line.ts";
import { type LabelScope, labelsOf, NO_SCOPE, scopeOf } from "./window-labels.ts";

/** What a piece of text belongs to, inherited from the elements around it. */
interface Owner {
  where: string;
  isTile: boolean;
  /** Inside what a reader may not see, or see in another order: nothing is believed of it. */
  isDoubtful: boolean;
  isSealed: boolean;
  inSvg: boolean;
  /** The nearest element that claims a class. */
  claim: { claimed: NumeralClass; of: string; element_text: string } | undefined;
  labels: LabelScope;
  /** The claim whose sentence this is part of. */
  sentenceOf: string | null;
  /** Products of `transform` between the drawing and here, as written. */
  transform: string;
}

const CLAIMABLE: readonly string[] = ["label", "entity", "identifier", "ordinal", "legal"] satisfies NumeralClass[];
const INLINE = new Set(
  "a abbr b bdi bdo cite code data dfn del em font i ins kbd label mark output q s samp small span strong sub sup time tspan u var wbr".split(
    " ",
  ),
);
const UNREADABLE = new Set(
  "iframe frame object embed applet img picture video audio canvas image foreignObject foreignobject base".split(" "),
);
/** Text a reader hears, hovers over or finds in a field. */
const ALTERNATIVES = [
  "alt",
  "aria-label",
  "aria-description",
  "aria-valuetext",
  "aria-roledescription",
  "title",
  "placeholder",
  "label",
];
const MAX_DEPTH = 200;
const SHAPES = new Set(["path", "polyline", "polygon"]);
/** A shape of more vertices than this, inside a drawing and bound to no series, is a line that nobody recalculated. */
const MAX_UNBOUND_VERTICES = 8;

export function readPage(html: string): Readback {
  const readback: Readback = { lines: [], figures: [], numerals: [], axis_labels: [], paths: [] };
  const { document, sheets } = parsePage(html);
  const ordinals = new Map<string, number>();
  const chartTransforms = new Map<string, string>();
  const scopes: LabelScope[] = [];
  let line: Piece<Owner>[] = [];

  const ordinal = (kind: string, owner: Owner): string => {
    const key = `${kind} ${owner.where}`;
    const next = (ordinals.get(key) ?? 0) + 1;
    ordinals.set(key, next);
    return `${owner.where}/${next}`;
  };

  function record(text: string, owner: Owner, claim: Owner["claim"], element_text: string): void {
    const isBelieved = claim !== undefined && !owner.isDoubtful && !hasBidiControl(claim.element_text);
    readback.numerals.push({
      text,
      element_text,
      claimed: isBelieved ? claim.claimed : "unclassified",
      of: claim?.of ?? "",
      where: ordinal("numeral", owner),
    });
  }

  function endLine(): void {
    const pieces = line;
    line = [];
    const words = wordsOfLine(pieces.map((piece) => ({ ...piece, isNamed: piece.owner.claim !== undefined })));
    if (words !== null) {
      const filled = pieces.filter(({ text }) => text.trim() !== "");
      const [first] = filled;
      const isOne = (of: (owner: Owner) => string | null) =>
        first !== undefined && filled.every(({ owner }) => of(owner) === of(first.owner)) ? of(first.owner) : null;
      readback.lines.push({
        where: first?.owner.where ?? "page",
        ...words,
        legal: isOne(legalOf),
        claim: isOne(claimOf),
      });
    }
    for (const { text, piece, isWhole } of numeralsOfLine(pieces)) {
      const claim = isWhole ? piece.owner.claim : undefined;
      record(text, piece.owner, claim, claim?.element_text ?? (isWhole ? collapse(piece.text) : text));
    }
  }

  function visit(node: Node, above: Owner, depth: number): void {
    if (depth > MAX_DEPTH) throw new AssayError("READBACK_UNREADABLE", `elements are nested deeper than ${MAX_DEPTH}`);
    if (node.nodeName === "#text") {
      line.push({ text: (node as DefaultTreeAdapterTypes.TextNode).value, owner: above, isBound: false });
      return;
    }
    if (!("tagName" in node)) return;
    const attributes = attributesOf(node);
    const owner = ownerOf(node, attributes, above);
    if (node.tagName === "style") return;
    if (isUnreadable(node, attributes, owner)) {
      throw new AssayError("READBACK_UNREADABLE", `the page holds <${node.tagName}>, which cannot be read back`);
    }
    if (node.tagName === "head") {
      for (const child of node.childNodes)
        if ("tagName" in child && child.tagName !== "title") visit(child, owner, depth + 1);
      line = [];
      return;
    }

    const isInline = INLINE.has(node.tagName);
    if (!isInline) endLine();
    readAlternatives(node, attributes, owner);
    if (attributes.get("data-numeral") === "label") owner.labels.own?.push(collapse(textOf(node)));
    if (SHAPES.has(node.tagName) && owner.inSvg && !owner.isSealed) readShape(node, attributes, owner);

    const bound = boundValue(node, attributes);
    if (bound !== undefined && node.childNodes.every((child) => child.nodeName === "#text") && !owner.isDoubtful) {
      const text = textOf(node);
      const kind = node.tagName === "time" ? "date" : "fact";
      readback.figures.push({
        figure: attributes.get("data-fact")!,
        where: ordinal("figure", owner),
        kind,
        printed: collapse(text),
        value: bound,
        is_tile: owner.isTile,
        window_labels: [],
      });
      scopes.push(owner.labels);
      // Controls that reorder a text reorder its numerals: they are looked at like any, and nothing claims them.
      const figure = attributes.get("data-fact")!;
      line.push({ text, owner: { ...owner, claim: undefined }, isBound: !hasBidiControl(text), figure });
    } else if (node.tagName === "text" && readAxisLabel(node, attributes, owner)) {
      // A label that is bound to its position is no loose numeral.
    } else {
      for (const child of node.childNodes) visit(child, owner, depth + 1);
      if (node.tagName === "template") {
        for (const child of (node as DefaultTreeAdapterTypes.Template).content.childNodes)
          visit(child, owner, depth + 1);
      }
    }
    if (!isInline) endLine();
  }

  function readAlternatives(node: Element, attributes: Map<string, string>, owner: Owner): void {
    for (const [name, value] of attributes) {
      if (name.startsWith("on")) throw new AssayError("READBACK_UNREADABLE", `<${node.tagName}> has ${name}`);
      const isField =
        name === "value" && ["input", "button", "option", "meter", "progress", "li"].includes(node.tagName);
      if (!isField && !ALTERNATIVES.includes(name)) continue;
      const words = wordsOfLine([{ text: value, owner, isBound: false }]);
      if (words !== null) readback.lines.push({ where: owner.where, ...words, legal: null, claim: null });
      for (const numeral of findNumerals(withoutInvisible(value))) {
        const claim = hasBidiControl(value) ? undefined : owner.claim;
        record(numeral.text, owner, claim, collapse(value));
      }
    }
    const inline = attributes.get("style");
    if (inline !== undefined) readSheet(inline, owner);
    if (node.tagName === "ol" && !hidesListMarks(sheets.join("\n"))) record("ol", owner, undefined, "list marks");
  }

  function readShape(node: Element, attributes: Map<string, string>, owner: Owner): void {
    if (node.tagName === "path" && attributes.has("data-series")) {
      const path = readSeriesPath(attributes, ordinal("path", owner));
      shareTransform(path.chart, owner);
      readback.paths.push(path);
      return;
    }
    const drawn = attributes.get(node.tagName === "path" ? "d" : "points") ?? "";
    const vertices = pointsOf(drawn)?.length ?? (drawn.match(/-?\d*\.?\d+/g) ?? []).length / 2;
    if (vertices > MAX_UNBOUND_VERTICES)
      record(node.tagName, owner, undefined, `a shape of ${Math.ceil(vertices)} points`);
  }

  function readAxisLabel(node: Element, attributes: Map<string, string>, owner: Owner): boolean {
    const axis = attributes.get("data-axis");
    const [value, chart] = [attributes.get("data-value"), attributes.get("data-chart")];
    const position = Number(attributes.get(axis ?? "") ?? Number.NaN);
    if ((axis !== "x" && axis !== "y") || !value || !chart || !Number.isFinite(position) || owner.isDoubtful)
      return false;
    if (node.childNodes.some((child) => child.nodeName !== "#text")) return false;
    shareTransform(chart, owner);
    readback.axis_labels.push({
      axis,
      chart,
      text: collapse(textOf(node)),
      value,
      position,
      where: ordinal("axis", owner),
    });
    return true;
  }

  /** Positions compare only when lines and labels of a chart stand in the same coordinates. */
  function shareTransform(chart: string, owner: Owner): void {
    const before = chartTransforms.get(chart);
    if (before !== undefined && before !== owner.transform) {
      throw new AssayError("READBACK_PATH", `chart ${chart} is drawn in several coordinate systems`, {
        at: owner.where,
      });
    }
    chartTransforms.set(chart, owner.transform);
  }

  function readSheet(sheet: string, owner: Owner): void {
    for (const text of generatedTexts(sheet)) {
      const words = wordsOfLine([{ text, owner, isBound: false }]);
      if (words !== null) readback.lines.push({ where: owner.where, ...words, legal: null, claim: null });
      const numerals = findNumerals(withoutInvisible(text));
      for (const numeral of numerals) record(numeral.text, owner, undefined, text);
      if (numerals.length === 0 && text.includes("(")) record(text, owner, undefined, text);
    }
    if (reordersText(sheet)) record("bidi", owner, undefined, "the style sheet changes the order of reading");
  }

  const page: Owner = {
    where: "page",
    isTile: false,
    isDoubtful: false,
    isSealed: false,
    inSvg: false,
    claim: undefined,
    labels: NO_SCOPE,
    sentenceOf: null,
    transform: "",
  };
  for (const sheet of sheets) readSheet(sheet, { ...page, where: "style" });
  for (const child of document.childNodes) visit(child, page, 0);
  endLine();
  readback.figures.forEach((figure, index) => {
    figure.window_labels = labelsOf(scopes[index]!);
  });
  return readback;
}

function ownerOf(node: Element, attributes: Map<string, string>, above: Owner): Owner {
  const where = attributes.get("data-where") ?? above.where;
  const claimed = attributes.get("data-numeral");
  const of = attributes.get("data-of");
  const transform = node.tagName === "svg" ? "" : `${above.transform}${attributes.get("transform") ?? ""}`;
  return {
    where,
    transform,
    labels: scopeOf(node.tagName, attributes, above.labels),
    sentenceOf: attributes.get("data-claim") ?? above.sentenceOf,
    isTile: above.isTile || attributes.has("data-tile"),
    isSealed: above.isSealed || attributes.get("id") === "assay-seal",
    inSvg: above.inSvg || node.tagName === "svg",
    isDoubtful:
      above.isDoubtful ||
      attributes.has("hidden") ||
      node.tagName === "template" ||
      node.tagName === "noscript" ||
      node.tagName === "bdo" ||
      (attributes.has("dir") && attributes.get("dir") !== "ltr"),
    claim:
      claimed === undefined
        ? above.claim
        : CLAIMABLE.includes(claimed) && of !== undefined && of !== ""
          ? { claimed: claimed as NumeralClass, of, element_text: collapse(textOf(node)) }
          : undefined,
  };
}

function legalOf({ claim }: Owner): string | null {
  return claim?.claimed === "legal" ? claim.of : null;
}

function claimOf({ sentenceOf }: Owner): string | null {
  return sentenceOf;
}

function boundValue(node: Element, attributes: Map<string, string>): string | undefined {
  if (!attributes.get("data-fact")) return undefined;
  if (node.tagName === "data") return attributes.get("value");
  if (node.tagName === "time") return attributes.get("datetime");
  return undefined;
}

function isUnreadable(node: Element, attributes: Map<string, string>, owner: Owner): boolean {
  if (UNREADABLE.has(node.tagName)) return !owner.isSealed;
  // A block of JSON runs nothing and shows nothing.
  if (node.tagName === "script") return !/^application\/(?:[\w.+-]*\+)?json$/i.test(attributes.get("type") ?? "");
  return (
    node.tagName === "link" || (node.tagName === "meta" && attributes.get("http-equiv")?.toLowerCase() === "refresh")
  );
}

function attributesOf(node: Element): Map<string, string> {
  return new Map(
    node.attrs.map((attribute) => [
      attribute.prefix ? `${attribute.prefix}:${attribute.name}` : attribute.name,
      attribute.value,
    ]),
  );
}

function collapse(text: string): string {
  return text.replace(/[ \t\n\r\f]+/g, " ").replace(/^ | $/g, "");
}
