/**
 * YAML text to a checked document, safely. A schema's message tells file, line, field and fix of each mistake. Aliases are
 * refused (a few hundred bytes of them can stand for gigabytes), as are duplicate keys, unknown tags and deep nesting.
 */

import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from "yaml";
import type { z } from "zod";
import { AssayError } from "../domain/outcome.ts";

const MAX_DEPTH = 20;
/**
 * Looked for before parsing, far beyond any request and far below what the parser bears: brackets opened and not closed,
 * lines indented (by blanks, dashes, question marks) so deep that the parser's own patterns end the whole process, and
 * so many marks that its quadratic checks (unique keys, anchors) would take minutes.
 */
const MAX_OPEN_BRACKETS = 200;
const MAX_MARKS = 10_000;
const DEEP_INDENT = /^[ \t?-]{200}/m;
const MAX_SHOWN = 10;
/** Finding a mistake's line walks the document: not for thousands of them. */
const MAX_LOCATED = 50;

export interface Mistake {
  path: readonly PropertyKey[];
  message: string;
  /** The mistake is a key of that name at the path. */
  key?: string;
}

/** What is being read, for the message of a mistake. */
export interface DocumentTerms<T> {
  schema: z.ZodType<T>;
  code: string;
  hint: string;
  /** What the schema cannot say. */
  mistakesOf?: (document: T) => Mistake[];
}

export function readYamlDocument<T>(text: string, file: string, terms: DocumentTerms<T>): T {
  const { schema, code, hint, mistakesOf = () => [] } = terms;
  const lines = new LineCounter();
  const document = parsed(text, file, lines, code);
  const result = schema.safeParse(document.toJS());
  const mistakes = result.success ? mistakesOf(result.data) : result.error.issues.flatMap(toMistakes);
  if (result.success && mistakes.length === 0) return result.data;
  const located = mistakes
    .slice(0, MAX_LOCATED)
    .map((mistake) => ({ ...mistake, line: lineOf(document, mistake, lines) }))
    .sort((one, other) => one.line - other.line);
  const shown = located
    .slice(0, MAX_SHOWN)
    .map(({ path, line, message }) => `${file}:${line}: ${toFieldName(path)}${message}`);
  if (mistakes.length > MAX_SHOWN) shown.push(`and ${mistakes.length - MAX_SHOWN} more`);
  throw new AssayError(code, shown.join("\n"), { at: `${file}:${located[0]!.line}`, hint });
}

function parsed(text: string, file: string, lines: LineCounter, code: string): Document.Parsed {
  if (DEEP_INDENT.test(text) || openBrackets(text) > MAX_OPEN_BRACKETS) throw tooDeep(file);
  if ((text.match(/[:,&*!\n]/g)?.length ?? 0) > MAX_MARKS) {
    throw new AssayError("YAML_TOO_LARGE", `${file} has more than ${MAX_MARKS} lines, keys and items`, {
      at: file,
      hint: "a request or a definition has a few hundred; products belong in universe.csv",
    });
  }
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      version: "1.2",
      schema: "core",
      logLevel: "error",
      prettyErrors: false,
    });
    const mistake = [...document.errors, ...document.warnings][0];
    if (mistake !== undefined) {
      const at = `${file}:${lines.linePos(mistake.pos[0]).line}`;
      const what = mistake.message.split("\n")[0]!.replace(/ at line \d+, column \d+:?$/, "");
      throw new AssayError(code, `${at}: ${what}`, { at, hint: "correct the YAML at that line" });
    }
    assertPlain(document, file, lines);
    return document;
  } catch (fault) {
    if (fault instanceof RangeError) throw tooDeep(file);
    throw fault;
  }
}

function assertPlain(document: Document.Parsed, file: string, lines: LineCounter): void {
  visit(document, {
    Node(_key, node, ancestors) {
      if (isAlias(node) || (node as { anchor?: string }).anchor !== undefined) {
        const at = `${file}:${lines.linePos(node.range![0]).line}`;
        throw new AssayError("YAML_ALIAS", `${at}: anchors and aliases are not read`, {
          at,
          hint: "write the value out",
        });
      }
      if (ancestors.length > 2 * MAX_DEPTH) throw tooDeep(file);
    },
  });
}

function tooDeep(file: string): AssayError {
  return new AssayError("YAML_TOO_DEEP", `${file} is nested too deep`, {
    at: file,
    hint: "requests and definitions nest five levels",
  });
}

function openBrackets(text: string): number {
  let open = 0;
  let most = 0;
  for (const bracket of text.match(/[[\]{}]/g) ?? []) {
    open += bracket === "[" || bracket === "{" ? 1 : -1;
    most = Math.max(most, open);
  }
  return most;
}

function toMistakes(issue: z.core.$ZodIssue): Mistake[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: issue.path,
      message: `unknown field ${JSON.stringify(key)}; remove it`,
      key,
    }));
  }
  const isCode = issue.code === "invalid_type" && issue.expected === "string" && issue.message.includes("number");
  const advice = isCode ? " (put it in quotes: a code with leading zeros is not a number)" : "";
  return [{ path: issue.path, message: issue.message + advice }];
}

/** Line of the node a path leads to, or of the nearest node above it where the field is missing. */
function lineOf(document: Document.Parsed, { path, key }: Mistake, lines: LineCounter): number {
  if (key !== undefined) {
    const parent = path.length === 0 ? document.contents : document.getIn(path, true);
    const pair = isMap(parent)
      ? parent.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === key)
      : undefined;
    const node = pair?.key as Node | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function toFieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "";
  const name = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return `${name.replace(/^\./, "")}: `;
}
