/**
 * The second path: every fact and chart line of a scope of instruments, from the frozen bytes, in Postgres NUMERIC. Shares
 * no code with the first path. A statement that fails for many is run again for each alone, so that a hostile payload
 * is the failure of its own instrument; that one is absent from the answer.
 */
import type { PoolClient } from "pg";
import type { Locale } from "../domain/locale.ts";
import { AssayError } from "../domain/outcome.ts";
import type { Batch, Source } from "../schema/batch.ts";
import type { SourceVersion } from "../schema/evidence.ts";
import type { Recalculated, RecalculatedFigure, RecalculatedLine } from "../schema/recalculated.ts";
import { AFTER_PAYLOADS, BEFORE_PAYLOADS, FORMULAS } from "./plan.ts";
import { printStatements } from "./print-statements.ts";
import { readSql, type SqlReader, type Statement, statementsOf, toValues, type Value } from "./sql.ts";

export interface FrozenPayload {
  evidence_id: string;
  version: SourceVersion;
  /** CSV or JSON contract under which the bytes are read; for a synthetic source the contract of what it makes. */
  reading: Source;
  bytes(): Promise<Uint8Array>;
}

export interface RecalculationInput {
  batch: Batch;
  universe: { sha256: string; bytes: Uint8Array };
  payloads: FrozenPayload[];
  /** Instruments to answer for. */
  scope: string[];
  /** Instruments that the batch accepted; without it every row of sound shape counts as a peer. */
  members?: string[] | undefined;
  /** Told of each instrument that has no answer, and of the cause. */
  onFault?: ((instrument: string, fault: AssayError) => void) | undefined;
  /** Where the .sql files are read; this folder unless told. */
  read?: SqlReader | undefined;
}

/** `client` must not be inside a transaction; nothing is left behind in its session. */
export async function recalculate(client: PoolClient, input: RecalculationInput): Promise<Map<string, Recalculated>> {
  try {
    return await recalculateScope(client, input);
  } catch (cause) {
    const [only, ...others] = input.scope;
    if (only === undefined) return new Map();
    if (others.length === 0) {
      input.onFault?.(only, toFault(cause));
      return new Map();
    }
  }
  const found = new Map<string, Recalculated>();
  for (const instrument of input.scope) {
    for (const [id, answer] of await recalculate(client, { ...input, scope: [instrument] })) found.set(id, answer);
  }
  return found;
}

async function recalculateScope(client: PoolClient, input: RecalculationInput): Promise<Map<string, Recalculated>> {
  await client.query("BEGIN");
  try {
    const { batch, read = readSql } = input;
    for (const file of BEFORE_PAYLOADS) {
      await runFile(client, statementsOf(file, read), {
        batch: JSON.stringify(batch),
        readings: JSON.stringify(
          Object.fromEntries(input.payloads.map(({ version, reading }) => [version.source_id, reading])),
        ),
        catalogue: JSON.stringify(printStatements(read)),
        universe_hex: toBuffer(input.universe.bytes),
        members: input.members === undefined ? "null" : JSON.stringify(input.members),
        scope: JSON.stringify(input.scope),
      });
    }
    await assertUniverse(client, input.universe.sha256);
    await loadPayloads(client, input);
    for (const file of AFTER_PAYLOADS) await runFile(client, statementsOf(file, read), {});
    for (const formula of FORMULAS) await runFormula(client, formula, read);
    return await readAnswers(client, batch, read);
  } finally {
    await client.query("ROLLBACK");
  }
}

async function runFile(
  client: PoolClient,
  statements: readonly Statement[],
  values: Record<string, Value>,
): Promise<void> {
  for (const statement of statements) {
    await client.query(statement.text, toValues(statement, values));
  }
}

/** A formula is a plain SELECT; its rows go into `figure`. */
async function runFormula(client: PoolClient, formula: string, read: SqlReader): Promise<void> {
  for (const statement of statementsOf(`formulas/${formula}.sql`, read)) {
    await client.query(`INSERT INTO figure SELECT '${formula}', q.* FROM (\n${statement.text}\n) AS q`);
  }
}

async function assertUniverse(client: PoolClient, claimed: string): Promise<void> {
  const { rows } = await client.query<{ sha256: string }>("SELECT DISTINCT sha256 FROM universe");
  for (const { sha256 } of rows) {
    if (sha256 !== claimed) throw new AssayError("PAYLOAD_DIFFERS", "universe.csv does not hash to what was frozen");
  }
}

/** Bars and payouts of everything needed; NAV and metadata of the scope alone; shared files once. */
async function loadPayloads(client: PoolClient, input: RecalculationInput): Promise<void> {
  const { rows } = await client.query<{ instrument: string; market: string; in_scope: boolean }>(
    "SELECT instrument, market, in_scope FROM instrument",
  );
  const needed = new Map(rows.map((row) => [row.instrument, row.in_scope]));
  const markets = new Set(rows.filter((row) => row.in_scope).map((row) => row.market));
  const [statement] = statementsOf("readers/payload.sql", input.read);
  for (const { evidence_id, version, reading, bytes } of input.payloads) {
    const inScope = version.instrument === null ? true : needed.get(version.instrument);
    if (inScope === undefined || (!inScope && reading.contract === "csv-nav")) continue;
    if ("key" in reading && !markets.has(reading.market)) continue;
    const values = {
      evidence: evidence_id,
      version: JSON.stringify(version),
      reading: JSON.stringify(reading),
      payload_hex: toBuffer(await bytes()),
    };
    await client.query(statement!.text, toValues(statement!, values));
  }
}

/** The driver sends a Buffer as it is, any other view of bytes as text. */
function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

interface FigureRow {
  instrument: string;
  figure: string;
  status: "OK" | "UNAVAILABLE";
  reason: string | null;
  value: string | null;
  ko: string | null;
  en: string | null;
  formula: string;
}

const ANSWERS = `
  SELECT f.instrument, CASE f."window" WHEN '' THEN f.fact ELSE f.fact || '.' || f."window" END AS figure, f.status, f.reason, f.value, f.formula,
         CASE WHEN f.status = 'OK' THEN pg_temp.printed(c.print_rule, f.value, 'ko-KR', i.currency) END AS ko,
         CASE WHEN f.status = 'OK' THEN pg_temp.printed(c.print_rule, f.value, 'en-US', i.currency) END AS en
  FROM figure AS f JOIN instrument AS i USING (instrument) JOIN catalogue AS c USING (fact) WHERE i.in_scope`;

async function readAnswers(client: PoolClient, batch: Batch, read: SqlReader): Promise<Map<string, Recalculated>> {
  const found = new Map<string, Recalculated>();
  const { rows } = await client.query<FigureRow>(ANSWERS);
  // Rows come in an order that depends on who else was in the session; the document must not.
  rows.sort((a, b) => (a.figure < b.figure ? -1 : 1));
  for (const row of rows) {
    let answer = found.get(row.instrument);
    if (answer === undefined) {
      answer = { schema: "recalculated/v1", instrument: row.instrument, figures: [], chart: null };
      found.set(row.instrument, answer);
    }
    answer.figures.push(toFigure(row, batch.locales));
  }
  await readCharts(client, found, read);
  return found;
}

function toFigure(row: FigureRow, locales: readonly Locale[]): RecalculatedFigure {
  const { figure, status, reason, value, formula } = row;
  const printed =
    row.ko === null || row.en === null || locales.length === 0 ? null : { "ko-KR": row.ko, "en-US": row.en };
  return { figure, status, reason, value, printed, formula };
}

interface ChartRow {
  instrument: string;
  window: string;
  start_session: string;
  end_session: string;
  series: RecalculatedLine["series"];
  points: string;
}

async function readCharts(client: PoolClient, found: Map<string, Recalculated>, read: SqlReader): Promise<void> {
  const [statement] = statementsOf("chart.sql", read);
  const { rows } = await client.query<ChartRow>(
    `SELECT instrument, min("window") AS "window", min(start_session)::text AS start_session, min(end_session)::text AS end_session, series,
            string_agg(session::text || '=' || level, ' ') AS points
     FROM (\n${statement!.text}\n) AS q GROUP BY instrument, series`,
  );
  rows.sort((a, b) => (a.series < b.series ? -1 : 1));
  for (const { instrument, window, start_session, end_session, series, points } of rows) {
    const answer = found.get(instrument);
    if (answer === undefined) continue;
    answer.chart ??= { window, start_session, end_session, lines: [] };
    // A text begins with its session, so that texts sort as sessions do; here that costs less than in SQL.
    answer.chart.lines.push({ series, points: points.split(" ").sort().map(toPoint) });
  }
}

function toPoint(text: string): { session: string; level: string } {
  return { session: text.slice(0, 10), level: text.slice(11) };
}

function toFault(cause: unknown): AssayError {
  if (cause instanceof AssayError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = message.startsWith("PAYLOAD_DIFFERS") ? "PAYLOAD_DIFFERS" : "RECALCULATION_FAILED";
  return new AssayError(code, message, { hint: "look at the payload of this instrument, then recalculate", cause });
}
