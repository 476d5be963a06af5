/** The .sql files mean the same to psql and to the runner. */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FORMULAS } from "../../pipeline/recalculate/plan.ts";
import { psqlScript } from "../../pipeline/recalculate/show.ts";
import { sqlFile, statementsOf, toStatements, toValues } from "../../pipeline/recalculate/sql.ts";
import { CATALOGUE } from "../../pipeline/schema/catalogue.ts";
import { BARS, toPayload } from "./support.ts";

describe("toStatements", () => {
  test.each([
    ["SELECT :'a'::jsonb, :'b', :'a';", ["SELECT $1::jsonb, $2, $1"], [["a", "b"]]],
    ["SELECT x::text; SELECT ';' || :'a'", ["SELECT x::text", "SELECT ';' || $1"], [[], ["a"]]],
    ["-- :'no'; it's not\nSELECT 1;", ["-- :'no'; it's not\nSELECT 1"], [[]]],
    ["/* :'no'; */ SELECT 'it''s :''no''';", ["/* :'no'; */ SELECT 'it''s :''no'''"], [[]]],
    ["SELECT $$ ; :'no' $$, :'yes';", ["SELECT $$ ; :'no' $$, $1"], [["yes"]]],
    [`SELECT ":'no'", E'\\'; :' ';`, [`SELECT ":'no'", E'\\'; :' '`], [[]]],
    ["SELECT decode(:'a', 'hex'), length(:'b')", ["SELECT $1::bytea, length($2)"], [["a", "b"]]],
    [
      "-- decode(:'no', 'hex')\nSELECT decode('00', 'hex')",
      ["-- decode(:'no', 'hex')\nSELECT decode('00', 'hex')"],
      [[]],
    ],
    ["SELECT a[1:2], '{a,b}'::text[];", ["SELECT a[1:2], '{a,b}'::text[]"], [[]]],
    [";;  -- nothing\n;", [], []],
  ])("%s", (source, texts, variables) => {
    const statements = toStatements(source);
    expect(statements.map(({ text }) => text)).toEqual(texts);
    expect(statements.map((statement) => statement.variables)).toEqual(variables);
  });

  test("a variable without a value is a fault, not null", () => {
    expect(() => toValues({ text: "SELECT $1", variables: ["a"] }, {})).toThrow(/:'a'/);
  });
});

test("every fact of the catalogue has a formula, every formula file is in the plan and is one SELECT", () => {
  const files = readdirSync(sqlFile("formulas")).map((name) => name.replace(/\.sql$/, ""));
  expect(files.sort()).toEqual([...FORMULAS].sort());
  expect(CATALOGUE.map(({ fact }) => fact).filter((fact) => !(FORMULAS as readonly string[]).includes(fact))).toEqual(
    [],
  );
  for (const formula of FORMULAS) {
    const statements = statementsOf(`formulas/${formula}.sql`);
    expect(statements, formula).toHaveLength(1);
    expect(statements[0]!.text.replace(/^(--[^\n]*\n)+/, ""), formula).toMatch(/^SELECT instrument,|^SELECT [a-z]\./);
  }
});

test("the script for a hand at psql carries documents with quotes and backslashes unharmed", () => {
  const source = { ...BARS, vendor: "O'Neil \\ Sons" } as never;
  const script = psqlScript({
    batch: { id: "small", title: "it's" } as never,
    payloads: [toPayload(source, "US:AAA", Buffer.from("x"))],
    universe: { sha256: "00" },
    scope: [],
    figure: "peer_rank.total_return.1y",
    instrument: "US:AAA",
    pathOf: (sha) => `/objects/it's/${sha}`,
  });
  expect(script).toContain(String.raw`"vendor":"O''Neil \\\\ Sons"`);
  expect(script).toContain(String.raw`od -An -v -tx1 '/objects/it'\''s/00'`);
  expect(script).toContain("formulas/peer_rank.total_return.sql");
  expect(script).toContain("\\set window '1y'");
  expect(() =>
    psqlScript({
      batch: { id: "b" } as never,
      payloads: [],
      universe: { sha256: "" },
      scope: [],
      figure: "x.1y",
      instrument: "",
      pathOf: String,
    }),
  ).toThrow(/x\.1y/);
});
