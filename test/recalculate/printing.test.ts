/** Printing by the second path, against texts written by hand. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { statementsOf } from "../../pipeline/recalculate/sql.ts";
import { connect } from "./support.ts";

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

test.each([
  ["percent", "0.12345", null, "12.35%", "12.35%"],
  ["percent", "-0.12345", null, "−12.35%", "−12.35%"],
  ["percent", "-0.00004", null, "0.00%", "0.00%"],
  ["percent", "-0.00005", null, "−0.01%", "−0.01%"],
  ["percent_signed", "0.12345", null, "+12.35%", "+12.35%"],
  ["percent_signed", "0.000049999", null, "0.00%", "0.00%"],
  ["percent_signed", "12.3456", null, "+1,234.56%", "+1,234.56%"],
  ["percent_signed", "-0.9987", null, "−99.87%", "−99.87%"],
  ["percent_1", "0.9305", null, "93.1%", "93.1%"],
  ["percent_1", "0", null, "0.0%", "0.0%"],
  ["percent_stated", "0.000068", null, "0.0068%", "0.0068%"],
  ["percent_stated", "0.007", null, "0.7%", "0.7%"],
  ["percent_stated", "0.00123456", null, "0.1235%", "0.1235%"],
  ["percent_stated", "0.01", null, "1%", "1%"],
  ["points_signed", "0.0028", null, "+0.28%p", "+0.28%p"],
  ["points_signed", "-0.60822", null, "−60.82%p", "−60.82%p"],
  ["number_2", "-2.995", null, "−3.00", "−3.00"],
  ["number_2", "0.575", null, "0.58", "0.58"],
  ["price", "12345", "KRW", "12,345원", "₩12,345"],
  ["price", "12345.5", "KRW", "12,346원", "₩12,346"],
  ["price", "718.655", "USD", "718.66달러", "$718.66"],
  ["price", "1234567.1", "USD", "1,234,567.10달러", "$1,234,567.10"],
  ["money", "3383138527.5", "USD", "3,383,138,528달러", "$3,383,138,528"],
  ["money_large", "16547500000000", "KRW", "16조 5,475억원", "₩16,547,500,000,000"],
  ["money_large", "1420000000000", "USD", "1조 4,200억달러", "$1,420,000,000,000"],
  ["money_large", "16000000000000", "KRW", "16조원", "₩16,000,000,000,000"],
  ["money_large", "558949999999", "KRW", "5,589억원", "₩558,949,999,999"],
  ["money_large", "999950000000", "KRW", "1조원", "₩999,950,000,000"],
  ["money_large", "99999999", "KRW", "99,999,999원", "₩99,999,999"],
  ["count", "1234", null, "1,234", "1,234"],
  ["rank", "3", null, "3", "3"],
  ["date", "2026-04-30", null, "2026-04-30", "2026-04-30"],
  ["instant", "2026-05-03T23:00:00.000Z", null, "2026-05-04 08:00 KST", "2026-05-04 08:00 KST"],
  ["text", "코스피 200", null, "코스피 200", "코스피 200"],
])("%s of %s in %s prints %s and %s", async (rule, value, currency, ko, en) => {
  const { rows } = await database.client.query(
    "SELECT pg_temp.printed($1, $2, 'ko-KR', $3) AS ko, pg_temp.printed($1, $2, 'en-US', $3) AS en",
    [rule, value, currency],
  );
  expect(rows[0]).toEqual({ ko, en });
});
