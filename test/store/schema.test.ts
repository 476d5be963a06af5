import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";

/** Prisma's types as Postgres names them; a type that is not here makes the test fail, not pass. */
const POSTGRES: Record<string, string> = {
  String: "text",
  BigInt: "bigint",
  "Json @db.Json": "json",
  Json: "jsonb",
  "DateTime @db.Timestamptz(3)": "timestamp with time zone(3)",
};

interface Table {
  columns: Record<string, string>;
  keys: string[];
}

const schemaText = readFileSync(new URL("../../prisma/schema.prisma", import.meta.url), "utf8");

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

it("schema.prisma and the database agree on tables, columns, types, nulls, keys and indexes", async () => {
  expect(await tablesOfDatabase()).toEqual(tablesOfSchema());
});

it("the generated client is that of schema.prisma", async () => {
  const { models } = (
    (await fresh.database.prisma()) as unknown as {
      _runtimeDataModel: { models: Record<string, { dbName: string; fields: { name: string }[] }> };
    }
  )._runtimeDataModel;
  const ofClient = Object.fromEntries(
    Object.values(models).map(({ dbName, fields }) => [dbName, fields.map(({ name }) => name).sort()]),
  );
  const ofSchema = Object.fromEntries(
    Object.entries(tablesOfSchema()).map(([name, { columns }]) => [name, Object.keys(columns).sort()]),
  );
  expect(ofClient).toEqual(ofSchema);
});

it("every table with a tenant forces row-level security, and every public table but the migrations' record has a tenant", async () => {
  const { rows } = await fresh.database.pool.query<{ name: string; forced: boolean; tenant: boolean }>(`
    SELECT relname AS name, relrowsecurity AND relforcerowsecurity AS forced,
           EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'tenant' AND attnotnull) AS tenant
    FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`);
  const open = rows.filter((row) => !(row.forced && row.tenant)).map((row) => row.name);
  expect(rows.length).toBeGreaterThan(4);
  expect(open).toEqual(["_prisma_migrations"]);
});

function tablesOfSchema(): Record<string, Table> {
  const models = [...schemaText.matchAll(/^model \w+ \{\n([\s\S]*?)^\}/gm)].map((match) => match[1]!);
  return Object.fromEntries(
    models.map((model) => {
      const columns: Record<string, string> = {};
      const keys: string[] = [];
      let table = "";
      for (const line of model
        .split("\n")
        .map((text) => text.trim())
        .filter((text) => text !== "" && !text.startsWith("//"))) {
        const block = /^@@(id|unique|index)\(\[(.*)\]\)$/.exec(line);
        const field = /^(\w+)\s+(\w+)(\?)?\s*(@db\.\S+)?$/.exec(line);
        if (block !== null) keys.push(`${block[1]} ${block[2]}`);
        else if (line.startsWith("@@map(")) table = line.slice(7, -2);
        else
          columns[field![1]!] =
            `${POSTGRES[[field![2], field![4]].filter(Boolean).join(" ")]}${field![3] ? " null" : ""}`;
      }
      return [table, { columns, keys: keys.sort() }];
    }),
  );
}

async function tablesOfDatabase(): Promise<Record<string, Table>> {
  const { rows: columns } = await fresh.database.pool.query(`
    SELECT table_name, column_name, data_type, is_nullable, datetime_precision
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'`);
  const { rows: indexes } = await fresh.database.pool.query(`
    SELECT i.indrelid::regclass::text AS table_name,
           CASE WHEN i.indisprimary THEN 'id' WHEN i.indisunique THEN 'unique' ELSE 'index' END || ' ' ||
           (SELECT string_agg(a.attname, ', ' ORDER BY k.n) FROM unnest(i.indkey) WITH ORDINALITY AS k(attnum, n)
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum) AS key
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'`);
  const tables: Record<string, Table> = {};
  for (const row of columns) {
    const precision = row.data_type.startsWith("timestamp") ? `(${row.datetime_precision})` : "";
    tables[row.table_name] ??= { columns: {}, keys: [] };
    tables[row.table_name]!.columns[row.column_name] =
      `${row.data_type}${precision}${row.is_nullable === "YES" ? " null" : ""}`;
  }
  for (const row of indexes) tables[row.table_name]!.keys.push(row.key);
  for (const table of Object.values(tables)) table.keys.sort();
  return tables;
}
