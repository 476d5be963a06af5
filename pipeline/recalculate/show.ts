/**
 * The script by which an auditor recalculates one figure by hand: plain psql over the same .sql files and the frozen objects,
 * against any Postgres 16 or later, without this program. Writes text only; reads no payload.
 */
import { fileURLToPath } from "node:url";
import { AssayError } from "../domain/outcome.ts";
import { AFTER_PAYLOADS, BEFORE_PAYLOADS, FORMULAS } from "./plan.ts";
import { printStatements } from "./print-statements.ts";
import type { RecalculationInput } from "./recalculate.ts";
import { sqlFile } from "./sql.ts";

export interface ScriptInput extends Omit<RecalculationInput, "universe"> {
  universe: { sha256: string };
  /** Figure id, such as total_return.1y; `chart` for the chart's points. */
  figure: string;
  instrument: string;
  /** Where the object of a digest lies on the auditor's machine. */
  pathOf(sha256: string): string;
}

export function psqlScript(input: ScriptInput): string {
  const { batch, payloads, universe, pathOf, figure, instrument } = input;
  const [formula, window] = formulaOf(figure);
  const readings = Object.fromEntries(payloads.map(({ version, reading }) => [version.source_id, reading]));
  return [
    `-- ${instrument} ${figure}, recalculated from the frozen bytes of batch ${batch.id}. Run against any Postgres 16+: psql postgres://… -X -f FILE`,
    "\\set ON_ERROR_STOP on",
    "BEGIN;",
    set("batch", JSON.stringify(batch)),
    set("readings", JSON.stringify(readings)),
    set("catalogue", JSON.stringify(printStatements())),
    set("members", input.members === undefined ? "null" : JSON.stringify(input.members)),
    set("scope", JSON.stringify([instrument])),
    setHex("universe_hex", pathOf(universe.sha256)),
    ...BEFORE_PAYLOADS.map(include),
    ...payloads.flatMap(({ evidence_id, version, reading }) => [
      set("evidence", evidence_id),
      set("version", JSON.stringify(version)),
      set("reading", JSON.stringify(reading)),
      setHex("payload_hex", pathOf(version.payload_sha256)),
      include("readers/payload.sql"),
    ]),
    ...AFTER_PAYLOADS.map(include),
    ...answer(formula, window, instrument),
    "ROLLBACK;",
    "",
  ].join("\n");
}

function answer(formula: string, window: string, instrument: string): string[] {
  // A formula is a plain SELECT; psql puts its text into the brackets.
  const file = shellQuoted(fileURLToPath(sqlFile(formula === "chart" ? "chart.sql" : `formulas/${formula}.sql`)));
  const formulaSet = `\\set formula \`sed '$ s/;[[:space:]]*$//' ${file}\``;
  if (formula === "chart")
    return [formulaSet, "SELECT * FROM (\n:formula\n) AS points ORDER BY instrument, series, session;"];
  return [
    formulaSet,
    set("instrument", instrument),
    set("window", window),
    `SELECT f.*, pg_temp.printed(c.print_rule, f.value, 'ko-KR', i.currency) AS ko, pg_temp.printed(c.print_rule, f.value, 'en-US', i.currency) AS en
FROM (
:formula
) AS f JOIN instrument AS i USING (instrument) JOIN catalogue AS c USING (fact)
WHERE f.instrument = :'instrument' AND f."window" = :'window';`,
  ];
}

/** Name of the formula's file and the window; a figure id splits at its last dot unless it is a fact without windows. */
function formulaOf(figure: string): [formula: string, window: string] {
  if (figure === "chart") return ["chart", ""];
  const known: readonly string[] = FORMULAS;
  const dot = figure.lastIndexOf(".");
  if (known.includes(figure)) return [figure, ""];
  if (dot > 0 && known.includes(figure.slice(0, dot))) return [figure.slice(0, dot), figure.slice(dot + 1)];
  throw new AssayError("FIGURE_UNKNOWN", `no formula recalculates ${figure}`, {
    hint: "figures are named as in facts.csv: fact, a dot, window",
  });
}

/** In psql a quoted argument doubles quotes and reads backslashes as escapes. */
function set(name: string, value: string): string {
  return `\\set ${name} '${value.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

function setHex(name: string, path: string): string {
  return `\\set ${name} \`od -An -v -tx1 ${shellQuoted(path)} | tr -d ' \\n'\``;
}

function include(file: string): string {
  return `\\i '${fileURLToPath(sqlFile(file)).replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

function shellQuoted(path: string): string {
  if (/[`\n\0]/.test(path))
    throw new AssayError("PATH_UNSAFE", "a path with a backtick or line end cannot stand in a script");
  return `'${path.replaceAll("'", "'\\''")}'`;
}
