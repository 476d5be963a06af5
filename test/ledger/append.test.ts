import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalJson } from "../../pipeline/domain/digest.ts";
import { appendEvents } from "../../pipeline/ledger/append.ts";
import { bodyDigest, eventDigest, GENESIS } from "../../pipeline/ledger/event.ts";
import { eachEvent, readEvents, readHead } from "../../pipeline/ledger/read.ts";
import { verifyLedger } from "../../pipeline/ledger/verify.ts";
import type { LedgerEvent, NewEvent } from "../../pipeline/schema/ledger-event.ts";
import { startChild } from "../support/child.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";

const AT = "2026-05-04T00:00:00.123Z";
let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

function append(tenant: string, events: NewEvent[], actor = "cli"): Promise<LedgerEvent[]> {
  return fresh.database.inTenant(tenant, (tx) => appendEvents(tx, { tenant, events, actor, at: AT }));
}

async function readAll(tenant: string): Promise<LedgerEvent[]> {
  const events: LedgerEvent[] = [];
  for await (const event of eachEvent(fresh.database, { tenant })) events.push(event);
  return events;
}

describe("appending", () => {
  it("continues the chain, and what is read is what was appended", async () => {
    const first = await append("chain", [{ type: "batch_frozen/v1", body: { batch: "b" } }]);
    const more = await append("chain", [
      { type: "step_recorded/v1", body: { n: 1.5e-7, deep: { list: [1, null, true, "원"] } } },
      { type: "step_recorded/v1", body: {} },
    ]);
    expect(first[0]).toMatchObject({ seq: 1, prev_digest: GENESIS });
    expect(more.map((event) => event.seq)).toEqual([2, 3]);
    expect(await readAll("chain")).toEqual([...first, ...more]);
    expect(verifyLedger("chain", await readAll("chain"))).toEqual({ answer: "OK", seq: null, examined: 3 });
  });

  it("digests agree with the database's own for awkward text", async () => {
    const actor = 'a "quoted" \\ back\b\f\n\r\t\u0001\u001f\u007f\u2028 한글 😀 </script>';
    const body = { [actor]: actor, "\u00e9": 1e21, z: -0, a: 123456789012345680 };
    await append("awkward", [{ type: "noted/v1", body }], actor);
    expect(verifyLedger("awkward", await readAll("awkward")).answer).toBe("OK");
  });

  it("nothing of it stays when the transaction fails", async () => {
    const failing = fresh.database.inTenant("undone", async (tx) => {
      await appendEvents(tx, { tenant: "undone", events: [{ type: "noted/v1", body: {} }], actor: "cli", at: AT });
      throw new Error("afterwards");
    });
    await expect(failing).rejects.toThrow("afterwards");
    expect(await readAll("undone")).toEqual([]);
  });

  it("1,500 events at once are one chain, read by page, by type and from a position", async () => {
    const events = Array.from({ length: 1500 }, (_, n) => ({
      type: n % 500 === 0 ? "rare/v1" : "common/v1",
      body: { n },
    }));
    await append("many", events);
    const all = await readAll("many");
    expect(verifyLedger("many", all)).toMatchObject({ answer: "OK", examined: 1500 });
    const [rare, late, head] = await fresh.database.inTenant("many", async (tx) => [
      await readEvents(tx, { tenant: "many", types: ["rare/v1"] }),
      await readEvents(tx, { tenant: "many", after: 1498 }),
      await readHead(tx, "many"),
    ]);
    expect(rare.map((event) => event.seq)).toEqual([1, 501, 1001]);
    expect(late.map((event) => event.seq)).toEqual([1499, 1500]);
    expect(head).toEqual({ seq: 1500, digest: all[1499]!.digest });
  });

  it.each([
    ["a type that is none", { type: "Noted", body: {} }, "cli", AT, "EVENT_MALFORMED"],
    [
      "an instant not in stored form",
      { type: "noted/v1", body: {} },
      "cli",
      "2026-05-04T09:00:00+09:00",
      "EVENT_MALFORMED",
    ],
    ["no actor", { type: "noted/v1", body: {} }, "", AT, "EVENT_MALFORMED"],
    ["a NUL in the body", { type: "noted/v1", body: { name: "a\0b" } }, "cli", AT, "TEXT_NOT_STORABLE"],
    ["half a character in the body", { type: "noted/v1", body: { name: "\ud83d" } }, "cli", AT, "TEXT_NOT_STORABLE"],
    ["what JSON cannot say", { type: "noted/v1", body: { n: Number.NaN } }, "cli", AT, "NOT_JSON"],
  ])("refuses %s", async (_name, event, actor, at, code) => {
    const failing = fresh.database.inTenant("refused", (tx) =>
      appendEvents(tx, { tenant: "refused", events: [event], actor, at }),
    );
    await expect(failing).rejects.toMatchObject({ code });
  });
});

describe("the database checks the chain a second time, whoever writes", () => {
  it.each([
    ["a gap", { seq: 3 }, "LEDGER_GAP"],
    ["a second beginning", { seq: 1 }, "LEDGER_FORK"],
    ["a wrong predecessor", { prev_digest: "a".repeat(64) }, "LEDGER_FORK"],
    ["a body that is not the digested one", { body_digest: "b".repeat(64) }, "LEDGER_BODY"],
    ["a digest that is not that of the fields", { digest: "c".repeat(64) }, "LEDGER_DIGEST"],
  ])("%s is refused to owner and superuser too", async (_name, change, code) => {
    const tenant = `forged-${code.toLowerCase().replace("_", "-")}`;
    const first = (await readAll(tenant))[0] ?? (await append(tenant, [{ type: "noted/v1", body: {} }]))[0]!;
    const good = { tenant, seq: 2, prev_digest: first.digest, type: "noted/v1", body: { n: 1 }, actor: "x", at: AT };
    const envelope = { ...good, body_digest: bodyDigest(good.body), ...change };
    const forged = { digest: eventDigest(envelope), ...envelope, ...change };
    for (const url of [fresh.ownerUrl, fresh.superuserUrl]) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query("SELECT set_config('app.tenant', $1, false)", [tenant]);
      const { seq, prev_digest, type, body, body_digest, actor, at, digest } = forged;
      const insert = client.query("INSERT INTO ledger_event VALUES ($1,$2,$3,$4,$5::json,$6,$7,$8,$9)", [
        tenant,
        seq,
        prev_digest,
        type,
        canonicalJson(body),
        body_digest,
        actor,
        at,
        digest,
      ]);
      await expect(insert).rejects.toThrow(new RegExp(`^${code}: `));
      await client.end();
    }
  });

  it("a temporary table cannot stand in for the ledger", async () => {
    await append("shadow", [{ type: "noted/v1", body: {} }]);
    const failing = fresh.database.inTenant("shadow", async (tx) => {
      await tx.$executeRaw`CREATE TEMP TABLE ledger_event (LIKE public.ledger_event)`;
      await tx.$executeRaw`INSERT INTO pg_temp.ledger_event VALUES ('shadow', 8, '', 'x/v1', '{}', '', 'x', now(), ${"d".repeat(64)})`;
      await tx.$executeRaw`INSERT INTO public.ledger_event VALUES ('shadow', 9, ${"d".repeat(64)}, 'x/v1', '{}', '', 'x', now(), '')`;
    });
    await expect(failing).rejects.toMatchObject({ code: "LEDGER_GAP" });
  });
});

it("three processes writing at once make one chain without a fork", async () => {
  const file = new URL("../support/ledger-writer.ts", import.meta.url);
  const rounds = 25;
  await Promise.all(
    ["one", "two", "three"].map((name) => startChild(file, [fresh.appUrl, name, String(rounds)]).ended),
  );
  const events = await readAll("main");
  expect(verifyLedger("main", events)).toMatchObject({ answer: "OK", examined: events.length });
  for (const name of ["one", "two", "three"]) {
    const rounds_seen = events.filter((event) => event.actor === name).map((event) => event.body.round);
    expect(new Set(rounds_seen).size).toBe(rounds);
  }
});

it("what someone with every power edits behind the triggers' back is found by verification", async () => {
  await append(
    "edited",
    [1, 2, 3].map((n) => ({ type: "noted/v1", body: { n } })),
  );
  const client = new pg.Client({ connectionString: fresh.superuserUrl });
  await client.connect();
  await client.query("ALTER TABLE ledger_event DISABLE TRIGGER append_only");
  await client.query(`UPDATE ledger_event SET body = '{"n":7}' WHERE tenant = 'edited' AND seq = 2`);
  await client.query("ALTER TABLE ledger_event ENABLE ALWAYS TRIGGER append_only");
  await client.end();
  expect(verifyLedger("edited", await readAll("edited"))).toMatchObject({ answer: "BODY_ALTERED", seq: 2 });
});
