/**
 * Unit and printing of every fact, written by hand from the design's page of facts: the catalogue of the first path and the
 * headers of the second path's formulas each agree with it, so that neither has them from the other.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AssayError } from "../../pipeline/domain/outcome.ts";
import { print } from "../../pipeline/domain/print.ts";
import { FORMULAS } from "../../pipeline/recalculate/plan.ts";
import { printStatements } from "../../pipeline/recalculate/print-statements.ts";
import { readSql, statementsOf } from "../../pipeline/recalculate/sql.ts";
import { CATALOGUE, STATED_EXPENSE_RATIO } from "../../pipeline/schema/catalogue.ts";
import { connect } from "./support.ts";

/** Fact, unit, a value, and what a Korean card of a product in dollars shows for it. */
const DESIGN: [fact: string, unit: string, value: string, printed: string][] = [
  ["price_return", "ratio", "0.12345", "+12.35%"],
  ["total_return", "ratio", "-0.12345", "−12.35%"],
  ["total_return_annualised", "ratio", "0.12345", "+12.35%"],
  ["fx_change", "ratio", "0.12345", "+12.35%"],
  ["total_return_reporting", "ratio", "0.12345", "+12.35%"],
  ["last_close", "price", "718.655", "718.66달러"],
  ["high_52w", "price", "718.655", "718.66달러"],
  ["low_52w", "price", "718.655", "718.66달러"],
  ["high_52w_on", "date", "2026-04-30", "2026-04-30"],
  ["low_52w_on", "date", "2026-04-30", "2026-04-30"],
  ["position_52w", "ratio", "0.93055", "93.1%"],
  ["volatility", "ratio", "0.12345", "12.35%"],
  ["max_drawdown", "ratio", "-0.12345", "−12.35%"],
  ["max_drawdown_peak_on", "date", "2026-04-30", "2026-04-30"],
  ["max_drawdown_trough_on", "date", "2026-04-30", "2026-04-30"],
  ["max_drawdown_recovery_on", "date", "2026-04-30", "2026-04-30"],
  ["benchmark_return", "ratio", "0.12345", "+12.35%"],
  ["benchmark_difference", "ratio", "0.12345", "+12.35%p"],
  ["beta", "number", "-0.575", "−0.58"],
  ["correlation", "number", "0.575", "0.58"],
  ["tracking_error", "ratio", "0.12345", "12.35%"],
  ["multiple_compounded", "ratio", "0.12345", "+12.35%"],
  ["multiple_residual", "ratio", "0.12345", "+12.35%p"],
  ["multiple_gap", "ratio", "-0.12345", "−12.35%p"],
  ["distribution_yield", "ratio", "0.12345", "12.35%"],
  ["distribution_count", "count", "1234", "1,234"],
  ["average_daily_value", "money", "3383138527.5", "3,383,138,528달러"],
  ["premium", "ratio", "-0.12345", "−12.35%"],
  ["premium_on", "date", "2026-04-30", "2026-04-30"],
  ["premium_average", "ratio", "0.12345", "+12.35%"],
  ["peer_rank.total_return", "rank", "3", "3"],
  ["peer_count.total_return", "count", "12", "12"],
  ["peer_median.total_return", "ratio", "0.12345", "+12.35%"],
  ["total_expense_ratio", "ratio", "0.000068", "0.0068%"],
  ["net_assets", "money", "1420000000000", "1조 4,200억달러"],
  ["fund_net_assets", "money", "1420000000000", "1조 4,200억달러"],
  ["listed_on", "date", "2026-04-30", "2026-04-30"],
  ["inception_on", "date", "2026-04-30", "2026-04-30"],
  ["tax_type", "text", "배당소득세 15.4", "배당소득세 15.4"],
  ["risk_grade", "text", "2등급", "2등급"],
  ["underlying_index", "text", "코스피 200", "코스피 200"],
  ["start_session", "date", "2026-04-30", "2026-04-30"],
  ["end_session", "date", "2026-04-30", "2026-04-30"],
  ["cutoff_on", "date", "2026-04-30", "2026-04-30"],
  ["known_at", "instant", "2026-05-03T23:00:00.000Z", "2026-05-04 08:00 KST"],
  ["metadata_retrieved_on", "date", "2026-04-30", "2026-04-30"],
  ["total_expense_ratio_on", "date", "2026-04-30", "2026-04-30"],
  ["net_assets_on", "date", "2026-04-30", "2026-04-30"],
  ["fund_net_assets_on", "date", "2026-04-30", "2026-04-30"],
  ["premium_state", "text", "FINAL", "FINAL"],
  ["total_expense_ratio_stated", "ratio", "0.0005", "0.05%"],
];
const FIRST = [...CATALOGUE, STATED_EXPENSE_RATIO];
const SECOND = printStatements();

let database: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  database = await connect();
  await database.client.query("BEGIN");
  for (const file of ["prelude.sql", "printing.sql"]) {
    for (const { text } of statementsOf(file)) await database.client.query(text);
  }
});
afterAll(async () => {
  await database.client.query("ROLLBACK");
  await database.close();
});

test("every fact is in the table, in both paths, once", () => {
  const facts = DESIGN.map(([fact]) => fact).sort();
  expect(FIRST.map(({ fact }) => fact).sort()).toEqual(facts);
  expect(SECOND.map(({ fact }) => fact).sort()).toEqual(facts);
});

describe.each(DESIGN)("%s is a %s: %s prints %s", (fact, unit, value, printed) => {
  const isMoney = unit === "price" || unit === "money";

  test("by the first path", () => {
    const entry = FIRST.find((one) => one.fact === fact)!;
    expect([entry.unit, entry.in_currency]).toEqual([unit, isMoney]);
    expect(print(entry.print_rule, value, "ko-KR", entry.in_currency ? "USD" : null)).toBe(printed);
  });

  test("by the second path", async () => {
    const said = SECOND.find((one) => one.fact === fact)!;
    expect([said.unit, said.in_currency]).toEqual([unit, isMoney]);
    const { rows } = await database.client.query("SELECT pg_temp.printed($1, $2, 'ko-KR', 'USD') AS ko", [
      said.print_rule,
      value,
    ]);
    expect(rows[0].ko).toBe(printed);
  });
});

test.each([
  ["says nothing of its printing", ""],
  ["says it twice", "-- prints: ratio as percent\n-- prints: ratio as percent_1"],
  ["says it in other words", "-- prints: percent"],
])("a formula that %s is refused", (_name, header) => {
  const [first] = FORMULAS;
  const read = (file: string) =>
    file === `formulas/${first}.sql` ? readSql(file).replace(/^-- prints: .*$/m, header) : readSql(file);
  expect(() => printStatements(read)).toThrow(AssayError);
});
