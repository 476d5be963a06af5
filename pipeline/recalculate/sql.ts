/**
 * Reads the .sql files of this folder as psql would: statements end at `;`, and `:'name'` outside strings, comments and
 * quoted bodies is a variable, which becomes a numbered parameter. `decode(:'name', 'hex')`, which is how psql has to be given
 * bytes, becomes a parameter of bytes. No other psql syntax is understood.
 */
import { readFileSync } from "node:fs";
import { AssayError } from "../domain/outcome.ts";

export type Value = string | Uint8Array | null;

export interface Statement {
  text: string;
  /** Names of the variables in the order of their numbers. */
  variables: string[];
}

// In order: bytes, line comment, block comment, dollar-quoted body, string (E'' with backslashes first), quoted name, variable, end.
const TOKEN =
  /\bdecode\(:'([A-Za-z_][A-Za-z0-9_]*)', 'hex'\)|--[^\n]*|\/\*[\s\S]*?\*\/|\$([A-Za-z_]*)\$[\s\S]*?\$\2\$|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|(?<!:)'(?:[^']|'')*'|"(?:[^"]|"")*"|::|:'([A-Za-z_][A-Za-z0-9_]*)'|;/g;

export function toStatements(source: string): Statement[] {
  const statements: Statement[] = [];
  let text = "";
  let variables: string[] = [];
  let from = 0;
  const close = () => {
    if (withoutComments(text).trim() !== "") statements.push({ text: text.trim(), variables });
    text = "";
    variables = [];
  };
  for (const token of source.matchAll(TOKEN)) {
    text += source.slice(from, token.index);
    from = token.index + token[0].length;
    const [whole, bytes, , name = bytes] = token;
    if (whole === ";") close();
    else if (name === undefined) text += whole;
    else {
      if (!variables.includes(name)) variables.push(name);
      text += `$${variables.indexOf(name) + 1}${bytes === undefined ? "" : "::bytea"}`;
    }
  }
  text += source.slice(from);
  close();
  return statements;
}

function withoutComments(text: string): string {
  return text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, "");
}

/** Values of a statement's variables in order; a name without a value is a fault of ours, never null. */
export function toValues(statement: Statement, values: Record<string, Value>): Value[] {
  return statement.variables.map((name) => {
    const value = values[name];
    if (value === undefined) throw new AssayError("SQL_VARIABLE_MISSING", `no value for :'${name}'`);
    return value;
  });
}

/** Text of a file of this folder by its name, such as `readers/csv-fx.sql`. */
export type SqlReader = (file: string) => string;

export const readSql: SqlReader = (file) => readFileSync(sqlFile(file), "utf8");

const parsed = new WeakMap<SqlReader, Map<string, Statement[]>>();

/** Statements of a file, read and cut once for each reader. */
export function statementsOf(file: string, read: SqlReader = readSql): Statement[] {
  const known = parsed.get(read) ?? new Map<string, Statement[]>();
  parsed.set(read, known);
  const found = known.get(file) ?? toStatements(read(file));
  known.set(file, found);
  return found;
}

export function sqlFile(file: string): URL {
  return new URL(`./${file}`, import.meta.url);
}
