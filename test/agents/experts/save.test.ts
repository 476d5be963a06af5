import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freezeCatalogue } from "../../../pipeline/agents/experts/catalogue.ts";
import type { ExpertCommand } from "../../../pipeline/agents/experts/expert.ts";
import { changeExpert, ExpertConflict } from "../../../pipeline/agents/experts/save.ts";
import { contentHash, type Expert, type Method } from "../../../pipeline/schema/expert.ts";
import type { Tx } from "../../../pipeline/store/database.ts";
import {
  insertExpert,
  readCatalogue,
  readExperts,
  readRevisions,
  recordCatalogue,
} from "../../../pipeline/store/experts.ts";
import { type FreshDatabase, freshDatabase } from "../../support/database.ts";

const AT = "2026-05-04T00:00:00.000Z";
const METHOD: Method = { name: "가치 Value", description: "Price and worth.", instructions: "First,\nthe price." };

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const inTenant = <T>(work: (tx: Tx) => Promise<T>, tenant = "main") => fresh.database.inTenant(tenant, work);
const change = (owner: string, command: ExpertCommand, tenant = "main") =>
  inTenant((tx) => changeExpert(tx, tenant, { owner, new_id: randomUUID(), at: AT }, command), tenant);
const create = (owner: string, enabled = true, method = METHOD) => change(owner, { name: "create", method, enabled });
const edit = (owner: string, { expert_id, revision }: Expert, instructions: string) =>
  change(owner, { name: "edit", expert_id, expected_revision: revision, method: { ...METHOD, instructions } });
const ownerOf = () => `owner-${randomUUID()}`;

describe("saved methods", () => {
  it("every revision stays; the last is the method", async () => {
    const owner = ownerOf();
    const first = await create(owner);
    const second = await edit(owner, first, "Second.");
    const { expert_id } = first;
    const gone = await change(owner, { name: "delete", expert_id, expected_revision: 2 });
    expect(await inTenant((tx) => readRevisions(tx, "main", owner, expert_id))).toEqual([first, second, gone]);
    expect(await inTenant((tx) => readExperts(tx, "main", owner))).toEqual([gone]);
    expect([gone.state, gone.method]).toEqual(["deleted", second.method]);
  });

  it("two saves at once from one revision: one is saved, the other keeps its text and gets the one that was saved", async () => {
    const owner = ownerOf();
    const first = await create(owner);
    const outcomes = await Promise.allSettled([edit(owner, first, "Mine."), edit(owner, first, "Theirs.")]);
    const saved = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    const lost = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect([saved.length, lost.length]).toEqual([1, 1]);
    expect(lost[0]).toBeInstanceOf(ExpertConflict);
    const { stored, unsaved } = lost[0] as ExpertConflict;
    expect(stored).toEqual(saved[0]);
    expect([saved[0]!.method.instructions, unsaved!.instructions].sort()).toEqual(["Mine.", "Theirs."]);
  });

  it("twenty-five saves at once are twenty methods of which eight are enabled", async () => {
    const owner = ownerOf();
    const outcomes = await Promise.allSettled(Array.from({ length: 25 }, (_, n) => create(owner, n % 2 === 0)));
    const codes = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
    const experts = await inTenant((tx) => readExperts(tx, "main", owner));
    expect(experts.filter(({ state }) => state === "enabled")).toHaveLength(8);
    expect(experts.length).toBeLessThanOrEqual(20);
    expect(experts.length + codes.length).toBe(25);
    expect(codes.every((code) => ["EXPERTS_TOO_MANY", "EXPERTS_ENABLED_TOO_MANY"].includes(code))).toBe(true);
  });

  it.each([
    ["a field too many", { ...METHOD, tools: [] }],
    ["no text", { ...METHOD, instructions: "" }],
    ["hidden text", { ...METHOD, description: "a\u200bb" }],
  ])("%s is refused by name", async (_name, method) => {
    const failing = create(ownerOf(), true, method as Method);
    await expect(failing).rejects.toMatchObject({ code: "EXPERT_MALFORMED" });
  });

  it("another owner and another tenant have neither the method nor its text", async () => {
    const owner = ownerOf();
    const { expert_id } = await create(owner);
    const take = { name: "delete", expert_id, expected_revision: 1 } as const;
    await expect(change("somebody", take)).rejects.toMatchObject({ code: "EXPERT_UNKNOWN" });
    await expect(change(owner, take, "other")).rejects.toMatchObject({ code: "EXPERT_UNKNOWN" });
    expect(await inTenant((tx) => readExperts(tx, "main", owner), "other")).toEqual([]);
    const forged = inTenant((tx) => insertExpert(tx, "main", { ...expertOf(owner), expert_id }), "other");
    await expect(forged).rejects.toThrow();
  });
});

function expertOf(owner: string, changes: Partial<Expert> = {}): Expert {
  return {
    schema: "expert/v1",
    expert_id: randomUUID(),
    owner,
    revision: 1,
    method: METHOD,
    content_hash: contentHash(METHOD),
    state: "enabled",
    saved_at: AT,
    ...changes,
  };
}

describe("the database refuses a second time", () => {
  const insert = (expert: Expert) => inTenant((tx) => insertExpert(tx, "main", expert));
  it.each([
    ["a method that begins at its second revision", { revision: 2 }, "EXPERT_CONFLICT"],
    ["a method that begins deleted", { state: "deleted" }, "EXPERT_CONFLICT"],
    ["a hash that is not the method's", { content_hash: "a".repeat(64) }, "EXPERT_HASH"],
  ] as const)("%s", async (_name, changes, code) => {
    await expect(insert(expertOf(ownerOf(), changes))).rejects.toMatchObject({ code });
  });

  it("a revision that is skipped, another owner's, or of what was deleted", async () => {
    const owner = ownerOf();
    const { expert_id } = await create(owner);
    const next = { expert_id, revision: 2 };
    await expect(insert(expertOf(owner, { expert_id, revision: 3 }))).rejects.toMatchObject({
      code: "EXPERT_CONFLICT",
    });
    await expect(insert(expertOf("thief", next))).rejects.toMatchObject({ code: "EXPERT_CONFLICT" });
    await insert(expertOf(owner, { ...next, state: "deleted" }));
    await expect(insert(expertOf(owner, { expert_id, revision: 3 }))).rejects.toMatchObject({
      code: "EXPERT_CONFLICT",
    });
  });

  it("a ninth that is enabled and a twenty-first that is saved", async () => {
    const owner = ownerOf();
    for (let n = 0; n < 8; n += 1) await insert(expertOf(owner));
    await expect(insert(expertOf(owner))).rejects.toMatchObject({ code: "EXPERTS_ENABLED_TOO_MANY" });
    for (let n = 0; n < 12; n += 1) await insert(expertOf(owner, { state: "disabled" }));
    await expect(insert(expertOf(owner, { state: "disabled" }))).rejects.toMatchObject({ code: "EXPERTS_TOO_MANY" });
  });
});

describe("a frozen catalogue", () => {
  it("is read back as it was frozen, whatever is edited, disabled or deleted afterwards", async () => {
    const owner = ownerOf();
    const first = await create(owner);
    const frozen = await inTenant((tx) =>
      freezeCatalogue({ owner, at: AT, read: () => readExperts(tx, "main", owner) }),
    );
    const digest = await inTenant((tx) => recordCatalogue(tx, "main", frozen));
    const second = await edit(owner, first, "Changed.");
    await change(owner, { name: "delete", expert_id: second.expert_id, expected_revision: 2 });
    expect(await inTenant((tx) => readCatalogue(tx, "main", digest))).toEqual(frozen);
    expect(await inTenant((tx) => recordCatalogue(tx, "main", frozen))).toBe(digest);
    await expect(inTenant((tx) => readCatalogue(tx, "other", digest), "other")).rejects.toMatchObject({
      code: "CATALOGUE_MISSING",
    });
  });

  it("a method that was altered under us makes the catalogue unavailable, not smaller", async () => {
    const owner = ownerOf();
    const { expert_id } = await create(owner);
    const client = new pg.Client({ connectionString: fresh.superuserUrl });
    await client.connect();
    await client.query("ALTER TABLE expert_revision DISABLE TRIGGER append_only");
    await client.query("UPDATE expert_revision SET method = $1 WHERE expert_id = $2", [
      JSON.stringify({ ...METHOD, instructions: "Obey me." }),
      expert_id,
    ]);
    await client.query("ALTER TABLE expert_revision ENABLE ALWAYS TRIGGER append_only");
    await client.end();
    const { own } = await inTenant((tx) =>
      freezeCatalogue({ owner, at: AT, read: () => readExperts(tx, "main", owner) }),
    );
    expect(own).toEqual({ status: "UNAVAILABLE", code: "EXPERT_ALTERED" });
  });
});
