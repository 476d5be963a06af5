import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendEvents } from "../../pipeline/ledger/append.ts";
import type { SourceVersion } from "../../pipeline/schema/evidence.ts";
import { recordCardVersions } from "../../pipeline/store/card-versions.ts";
import type { Tx } from "../../pipeline/store/database.ts";
import { findSourceVersions, recordSourceVersions } from "../../pipeline/store/evidence.ts";
import { findSteps, recordStep, recordSteps } from "../../pipeline/store/steps.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";

const AT = "2026-05-04T00:00:00.000Z";
const TABLES = ["ledger_event", "source_version", "step_result", "card_version"];
const key = (letter: string) => letter.repeat(64);
const version = { schema: "source_version/v1", source_id: "us-bars", vendor: "Vendor 한" } as SourceVersion;
const step = { key: key("a"), step: "facts", batch: "b", instrument: "US:SPY", outcome: "OK", output_digest: key("b") };
const card = {
  version_id: "v1",
  batch: "b",
  instrument: "US:SPY",
  channel: "internal-review",
  locale: "ko-KR",
  content_digest: key("c"),
  document_digest: key("d"),
};

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
  for (const tenant of ["main", "other"]) await fresh.database.inTenant(tenant, (tx) => writeOneOfEach(tx, tenant));
});
afterAll(() => fresh.drop());

async function writeOneOfEach(tx: Tx, tenant: string): Promise<void> {
  await recordSourceVersions(tx, tenant, AT, [{ evidence_id: "e1", version: { ...version, tenant } }]);
  await recordStep(tx, tenant, AT, step);
  await recordCardVersions(tx, tenant, AT, [card]);
  await appendEvents(tx, { tenant, events: [{ type: "noted/v1", body: {} }], actor: "cli", at: AT });
}

async function counts(client: { query(sql: string): Promise<{ rows: { n: string }[] }> }): Promise<number[]> {
  const found: number[] = [];
  for (const table of TABLES) found.push(Number((await client.query(`SELECT count(*) n FROM ${table}`)).rows[0]!.n));
  return found;
}

async function as<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe("a tenant sees its own rows", () => {
  it("and nobody else's, in any table", async () => {
    const seen = await fresh.database.inTenant("main", (tx) =>
      Promise.all([
        tx.ledgerEvent.findMany({ select: { tenant: true } }),
        tx.sourceVersion.findMany({ select: { tenant: true } }),
        tx.stepResult.findMany({ select: { tenant: true } }),
        tx.cardVersion.findMany({ select: { tenant: true } }),
      ]),
    );
    expect(seen).toEqual(Array.from({ length: 4 }, () => [{ tenant: "main" }]));
  });

  it("asking for another's rows by name finds none", async () => {
    const [steps, evidence] = await fresh.database.inTenant("main", async (tx) => [
      await findSteps(tx, "other", [step.key]),
      await findSourceVersions(tx, "other", ["e1"]),
    ]);
    expect([steps.size, evidence.size]).toEqual([0, 0]);
  });

  it("writing rows for another is refused", async () => {
    const failing = fresh.database.inTenant("main", (tx) => recordStep(tx, "other", AT, { ...step, key: key("e") }));
    await expect(failing).rejects.toMatchObject({ code: "NOT_PERMITTED" });
  });

  it("no tenant, no rows: in the pool, in the owner's hands, and after a transaction that had one", async () => {
    expect(await counts(fresh.database.pool)).toEqual([0, 0, 0, 0]);
    expect(await as(fresh.ownerUrl, counts)).toEqual([0, 0, 0, 0]);
    await as(fresh.appUrl, async (client) => {
      await client.query("BEGIN");
      await client.query("SELECT set_config('app.tenant', 'main', true)");
      expect(await counts(client)).toEqual([1, 1, 1, 1]);
      await client.query("COMMIT");
      expect(await counts(client)).toEqual([0, 0, 0, 0]);
    });
  });

  it.each([[""], ["Main"], ["a b"], ["x'; DROP TABLE ledger_event; --"], ["한"], ["a".repeat(65)]])(
    "%j is no tenant",
    async (tenant) => {
      await expect(fresh.database.inTenant(tenant, async () => 1)).rejects.toMatchObject({ code: "TENANT_MALFORMED" });
    },
  );

  it("two tenants at once on one pool never see each other", async () => {
    const seen = await Promise.all(
      Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? "main" : "other")).map(async (tenant) => {
        const rows = await fresh.database.inTenant(tenant, (tx) =>
          tx.cardVersion.findMany({ select: { tenant: true } }),
        );
        return rows.length === 1 && rows[0]!.tenant === tenant;
      }),
    );
    expect(seen.every(Boolean)).toBe(true);
  });
});

describe.each(TABLES)("%s is append-only", (table) => {
  const changes = {
    UPDATE: `UPDATE ${table} SET tenant = tenant`,
    DELETE: `DELETE FROM ${table}`,
    TRUNCATE: `TRUNCATE ${table}`,
  };

  it.each(Object.entries(changes))("%s is not granted to the application role", async (_verb, sql) => {
    const failing = fresh.database.inTenant("main", (tx) => tx.$executeRawUnsafe(sql));
    await expect(failing).rejects.toMatchObject({ code: "NOT_PERMITTED" });
  });

  it.each(Object.entries(changes))(
    "%s is refused by trigger to owner and superuser, in replica mode too",
    async (verb, sql) => {
      const replica = "SET session_replication_role = replica";
      for (const [url, mode] of [
        [fresh.ownerUrl, "SELECT 1"],
        [fresh.superuserUrl, "SELECT 1"],
        [fresh.superuserUrl, replica],
      ] as const) {
        await as(url, async (client) => {
          await client.query(mode);
          await client.query("SELECT set_config('app.tenant', 'main', false)");
          await expect(client.query(sql)).rejects.toThrow(`APPEND_ONLY: ${verb} on ${table}`);
        });
      }
    },
  );
});

describe("the application role", () => {
  it("passes its own check", () => expect(fresh.database.checkRole()).resolves.toBeUndefined());

  it.each([
    ["disable triggers", "ALTER TABLE ledger_event DISABLE TRIGGER ALL"],
    ["switch off row security", "ALTER TABLE ledger_event DISABLE ROW LEVEL SECURITY"],
    ["go into replica mode", "SET session_replication_role = replica"],
    ["become the owner", "SET ROLE assay_owner"],
    [
      "replace the trigger's function",
      "CREATE OR REPLACE FUNCTION public.refuse_change() RETURNS trigger LANGUAGE sql AS 'SELECT NULL'",
    ],
    ["add a table beside the others", "CREATE TABLE public.mine (a int)"],
    ["forge the migrations' record", "UPDATE _prisma_migrations SET checksum = ''"],
  ])("cannot %s", async (_what, sql) => {
    await expect(fresh.database.pool.query(sql)).rejects.toThrow(/permission denied|must be owner|denied to set/);
  });

  it("may use temporary tables, for the second path", async () => {
    await as(fresh.appUrl, async (client) => {
      await client.query("CREATE TEMP TABLE bars (session date, close numeric)");
      await client.query("INSERT INTO bars VALUES ('2026-04-30', 1.5)");
      expect((await client.query("SELECT close::text FROM bars")).rows).toEqual([{ close: "1.5" }]);
    });
  });
});

describe("recorded once", () => {
  it("the first result of a key stays, a second is ignored", async () => {
    const [again, found] = await fresh.database.inTenant("main", async (tx) => [
      await recordStep(tx, "main", AT, { ...step, output_digest: key("f") }),
      await findSteps(tx, "main", [step.key, key("9")]),
    ]);
    expect(again).toBe(false);
    expect([...found.values()]).toEqual([{ ...step, recorded_at: AT }]);
  });

  it("10,000 keys are written and found in one statement each", async () => {
    const steps = Array.from({ length: 10_000 }, (_, n) => ({ ...step, key: n.toString(16).padStart(64, "0") }));
    const [count, found] = await fresh.database.inTenant("main", async (tx) => [
      await recordSteps(tx, "main", AT, steps),
      (
        await findSteps(
          tx,
          "main",
          steps.map((one) => one.key),
        )
      ).size,
    ]);
    expect([count, found]).toEqual([10_000, 10_000]);
  });

  it("a source version keeps its first ingested_at and its document, and equal card content is one version", async () => {
    const later = "2026-06-01T00:00:00.000Z";
    const [added, found, cards] = await fresh.database.inTenant("main", async (tx) => [
      await recordSourceVersions(tx, "main", later, [{ evidence_id: "e1", version }]),
      await findSourceVersions(tx, "main", ["e1"]),
      await recordCardVersions(tx, "main", later, [
        card,
        { ...card, version_id: "v2" },
        { ...card, version_id: "v3", content_digest: key("1") },
      ]),
    ]);
    expect(added).toBe(0);
    expect(found.get("e1")).toEqual({ version: { ...version, tenant: "main" }, ingested_at: AT });
    expect([...cards]).toEqual(["v3"]);
  });

  it("a document with a NUL is refused by name", async () => {
    const failing = fresh.database.inTenant("main", (tx) =>
      recordSourceVersions(tx, "main", AT, [{ evidence_id: "e2", version: { ...version, vendor: "a\0" } }]),
    );
    await expect(failing).rejects.toMatchObject({ code: "TEXT_NOT_STORABLE", at: "$.vendor" });
  });
});
