/** On a real database: what the trigger refuses beside states, who wins of two, and that reads go by index. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AssayError } from "../../pipeline/domain/outcome.ts";
import { appendEvents } from "../../pipeline/ledger/append.ts";
import {
  readHistories,
  readVersions,
  readVersionsOrFaults,
  readWork,
  workKey,
} from "../../pipeline/ledger/projections.ts";
import { act } from "../../pipeline/lifecycle/act.ts";
import type { State } from "../../pipeline/lifecycle/card-state.ts";
import { type Command, EVENT_OF } from "../../pipeline/lifecycle/card-version.ts";
import type { NewEvent } from "../../pipeline/schema/ledger-event.ts";
import { getCardVersion, recordCardVersions } from "../../pipeline/store/card-versions.ts";
import { openDatabase } from "../../pipeline/store/database.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { type Card, cardOf, commandOf, NOW, verified, versionIn } from "./support.ts";

const tenant = "main";
let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const appendAt = (at: string, ...events: NewEvent[]) =>
  fresh.database.inTenant(tenant, (tx) => appendEvents(tx, { tenant, events, actor: "test", at }));
const append = (...events: NewEvent[]) => appendAt(NOW, ...events);
const rowOf = (version_id: string, instrument: string, content_digest = version_id) => ({
  version_id,
  batch: "example",
  instrument,
  channel: "internal-review",
  locale: "ko-KR",
  content_digest,
  document_digest: version_id,
});
async function put(name: string, state: State, instrument = "US:YAMPL"): Promise<Card> {
  const card = cardOf(name);
  await fresh.database.inTenant(tenant, (tx) =>
    recordCardVersions(tx, tenant, NOW, [
      rowOf(card.version_id, instrument, card.content_digest),
      rowOf(card.by, instrument),
    ]),
  );
  await append(...versionIn(state, card).events);
  return card;
}

function approving(card: Card, change: Record<string, unknown>): Record<string, unknown> {
  return { ...toBody(card, commandOf("approve", card)), ...change };
}

function toBody({ version_id }: Card, { name: _name, ...said }: Command): Record<string, unknown> {
  return { version_id, ...said };
}

describe("the database refuses, whatever the program says", () => {
  const DIGEST = "e".repeat(64);
  it.each([
    [
      "approval of other content",
      "PASS",
      "card_approved/v1",
      (card: Card) => approving(card, { content_digest: DIGEST }),
    ],
    [
      "approval under another policy",
      "PASS",
      "card_approved/v1",
      (card: Card) => approving(card, { policy_digest: DIGEST }),
    ],
    [
      "sealing of other content",
      "APPROVED",
      "card_sealed/v1",
      (card: Card) => toBody(card, { ...commandOf("seal", card), content_digest: DIGEST } as Command),
    ],
    [
      "remediation by a version that is not recorded",
      "BLOCK",
      "card_remediated/v1",
      (card: Card) => ({ ...card, by: DIGEST }),
    ],
    ["remediation by itself", "BLOCK", "card_remediated/v1", (card: Card) => ({ ...card, by: card.version_id })],
    ["an event of a card that names no version", "PASS", "card_sealed/v1", () => ({})],
    ["an event of a kind that it does not know", "PASS", "card_blessed/v1", (card: Card) => card],
    [
      "a verdict that is none",
      "PLANNED",
      "card_verified/v1",
      (card: Card) => ({ ...verified(card, "PASS"), verdict: "FINE" }),
    ],
    [
      "a verdict of a batch never received",
      "PLANNED",
      "card_verified/v1",
      (card: Card) => ({ ...verified(card, "PASS"), frozen: DIGEST }),
    ],
    [
      "a verdict on a version that is not recorded",
      "PLANNED",
      "card_verified/v1",
      (card: Card) => ({ ...verified(card, "PASS"), version_id: DIGEST }),
    ],
    [
      "a fault of a version that is recorded with other content",
      "PLANNED",
      "card_faulted/v1",
      (card: Card) => ({ ...verified(card, "PASS"), content_digest: DIGEST }),
    ],
    [
      "a verdict without a decision",
      "PLANNED",
      "card_verified/v1",
      (card: Card) => ({ ...verified(card, "BLOCK"), decisions: [] }),
    ],
    [
      "a verdict on what is no list of decisions",
      "PLANNED",
      "card_verified/v1",
      (card: Card) => ({ ...verified(card, "BLOCK"), decisions: "none" }),
    ],
    [
      "REVIEW where a gate blocked",
      "PLANNED",
      "card_verified/v1",
      (card: Card) => ({ ...verified(card, "BLOCK"), verdict: "REVIEW" }),
    ],
    [
      "PASS over a finding of a severity that is none",
      "PLANNED",
      "card_verified/v1",
      (card: Card) => ({
        ...verified(card, "PASS"),
        decisions: [{ gate: "g", verdict: "PASS", findings: [{ severity: "Block" }] }],
      }),
    ],
    [
      "REVIEW where no gate found anything",
      "PLANNED",
      "card_verified/v1",
      (card: Card) => ({ ...verified(card, "PASS"), verdict: "REVIEW" }),
    ],
    ["approval by who may not", "PASS", "card_approved/v1", (card: Card) => approving(card, { roles: ["ANALYST"] })],
    ["approval by a role alone", "PASS", "card_approved/v1", (card: Card) => approving(card, { roles: "COMPLIANCE" })],
    ["approval without roles", "PASS", "card_approved/v1", (card: Card) => approving(card, { roles: null })],
    ["approval that ends at once", "PASS", "card_approved/v1", (card: Card) => approving(card, { expires_at: NOW })],
    [
      "approval until no day of the calendar",
      "PASS",
      "card_approved/v1",
      (card: Card) => approving(card, { expires_at: "2027-02-30T00:00:00.000Z" }),
    ],
    [
      "approval without an end",
      "PASS",
      "card_approved/v1",
      (card: Card) => approving(card, { expires_at: "infinity" }),
    ],
    [
      "sealing until now",
      "APPROVED",
      "card_sealed/v1",
      (card: Card) => toBody(card, { ...commandOf("seal", card), valid_until: NOW } as Command),
    ],
    [
      "a finding that it does not have",
      "REVIEW",
      "card_finding_acknowledged/v1",
      ({ version_id }: Card) => ({ version_id, finding: "GAP", by: "person-1" }),
    ],
    ["rejection without a reason", "PASS", "card_rejected/v1", ({ version_id }: Card) => ({ version_id })],
    [
      "a reason longer than reasons are",
      "PASS",
      "card_rejected/v1",
      ({ version_id }: Card) => ({ version_id, reason: "가".repeat(2001) }),
    ],
    ["a page of no batch", "PLANNED", "card_rendered/v1", () => ({ instrument: "US:YAMPL" })],
  ] as const)("%s", async (law, state, type, bodyOf) => {
    const card = await put(law, state);
    await expect(append({ type, body: { ...bodyOf(card) } })).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
  });

  it.each(["\u0007", "\u001b", "\n", "\u0085", "\u2028", "\u202e", "\u2066"])(
    "a reason with %j in it, and takes the same reason without",
    async (character) => {
      const card = await put(`reason ${character}`, "BLOCK");
      const ending = (reason: string) => ({
        type: "card_terminated/v1",
        body: { version_id: card.version_id, reason },
      });
      await expect(append(ending(`사유 ${character}x`))).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
      const remedy = {
        type: "card_remediated/v1",
        body: { version_id: card.version_id, by: card.by, reason: character },
      };
      await expect(append(remedy)).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
      await append(ending("사유 \u{1f468}\u200d\u{1f469} x"));
    },
  );

  it.each([
    ["no text", 7],
    ["no digest", "8"],
  ])("a version's name that is %s, though a version is recorded under it", async (law, version_id) => {
    const card = await put(law, "PLANNED");
    const content_digest = card.policy_digest;
    const row = { ...rowOf(String(version_id), "US:YAMPL", content_digest), document_digest: content_digest };
    expect(await fresh.database.inTenant(tenant, (tx) => recordCardVersions(tx, tenant, NOW, [row]))).toContain(
      row.version_id,
    );
    const body = { ...verified(card, "PASS"), version_id, content_digest };
    await expect(append({ type: "card_verified/v1", body })).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
  });

  it("a finding acknowledged twice", async () => {
    const card = await put("twice acknowledged", "REVIEW");
    const said = { type: "card_finding_acknowledged/v1", body: toBody(card, commandOf("acknowledge", card)) };
    await append(said);
    await expect(append(said)).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
  });

  it("an event dated before the last one of its version, but not before that of another", async () => {
    const card = await put("dated back", "PASS");
    await appendAt("2026-05-03T00:00:00.000Z", { type: "noted/v1", body: {} });
    const rejection = { type: "card_rejected/v1", body: { version_id: card.version_id, reason: "no" } };
    await expect(appendAt("2026-05-03T23:59:59.999Z", rejection)).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    await append(rejection);
  });

  it("but not BLOCK where no gate found anything: the fold blocks for a decision that is missing", async () => {
    const card = await put("missing decision", "PLANNED");
    await append({ type: "card_verified/v1", body: { ...verified(card, "PASS"), verdict: "BLOCK" } });
  });

  it("approval with a finding that nobody acknowledged, or that the next person has to acknowledge anew", async () => {
    const approval = (card: Card) => ({ type: "card_approved/v1", body: toBody(card, commandOf("approve", card)) });
    const open = await put("open finding", "REVIEW");
    await expect(append(approval(open))).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    const again = await put("anew", "APPROVED");
    await append({ type: "card_approval_withdrawn/v1", body: { version_id: again.version_id } });
    await expect(append(approval(again))).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    await append({ type: "card_finding_acknowledged/v1", body: toBody(again, commandOf("acknowledge", again)) });
    await append(approval(again));
  });

  it("sealing when the approval has expired, and its expiry before that", async () => {
    const card = await put("expiring", "APPROVED");
    const seal = { type: "card_sealed/v1", body: toBody(card, commandOf("seal", card)) };
    const expiry = { type: "card_approval_expired/v1", body: { version_id: card.version_id } };
    const expires = "2026-05-05T00:00:00.000Z";
    await expect(appendAt(expires, seal)).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    await expect(appendAt("2026-05-04T23:59:59.999Z", expiry)).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    await appendAt(expires, expiry);
  });

  it("remediation by a version of another card", async () => {
    const card = await put("of one card", "BLOCK");
    const { by } = await put("of another card", "PLANNED", "US:YBULN");
    const event = { type: "card_remediated/v1", body: { version_id: card.version_id, by, reason: null } };
    await expect(append(event)).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
  });

  it("the second of two illegal in one statement, and then nothing of it stays", async () => {
    const card = await put("twice", "BLOCK");
    const ending = { type: "card_terminated/v1", body: { version_id: card.version_id, reason: "given up" } };
    await expect(append(ending, ending)).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    await append(ending);
  });

  it("but not what others say of a version", async () => {
    const card = await put("spoken of", "SEALED");
    await append({ type: "handoff_authorised/v1", body: { version_id: card.version_id } });
    const versions = await fresh.database.inTenant(tenant, (tx) => readVersions(tx, tenant, [card.version_id]));
    expect(versions.get(card.version_id)?.state).toBe("SEALED");
  });
});

describe("no setting of a session changes what the database refuses", () => {
  /** In sessions of its own: what a session has compiled before, it may keep. */
  async function attacked(settings: string[], ...events: NewEvent[]): Promise<unknown> {
    const { dataDir, appUrl } = fresh;
    const database = await openDatabase({ dataDir, databaseUrl: appUrl });
    const attack = database.inTenant(tenant, async (tx) => {
      for (const setting of settings) await tx.$executeRawUnsafe(setting);
      await appendEvents(tx, { tenant, events, actor: "test", at: NOW });
    });
    return attack.then(() => "accepted").finally(() => database.close());
  }
  const FIRST = "SET LOCAL search_path = bullmq, pg_catalog, public";
  const shadow = (operator: string, types: string, body: string) => [
    `CREATE FUNCTION bullmq.shadow(${types}) RETURNS ${body.includes("json") ? "json" : "boolean"} LANGUAGE sql IMMUTABLE AS $$ SELECT ${body} $$`,
    `CREATE OPERATOR bullmq.${operator} (FUNCTION = bullmq.shadow, LEFTARG = ${types.split(", ")[0]}, RIGHTARG = text)`,
    FIRST,
  ];
  // biome-ignore format: a table
  const SHADOWS: [law: string, settings: string[], state: State, name: "seal" | "approve"][] = [
    ["=, by which BLOCK is APPROVED", shadow("=", "text, text", "$1 OPERATOR(pg_catalog.=) $2 OR $1 OPERATOR(pg_catalog.=) 'APPROVED' AND $2 OPERATOR(pg_catalog.=) 'BLOCK'"), "BLOCK", "seal"],
    ["->, by which there are no decisions", shadow("->", "json, text", "NULL::json"), "REVIEW", "approve"],
  ];

  it.each(SHADOWS)("an operator of its own before that of the system: %s", async (law, settings, state, name) => {
    const card = await put(law, state);
    const event = { type: EVENT_OF[name], body: toBody(card, commandOf(name, card)) };
    await expect(attacked(settings, event)).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
  });

  it("another meaning of backslashes: a second verdict", async () => {
    const card = await put("backslash", "BLOCK");
    await append({ type: "cardy/v1", body: { version_id: card.version_id } });
    const again = { type: "card_verified/v1", body: verified(card, "PASS") };
    const settings = ["SET LOCAL standard_conforming_strings = off"];
    await expect(attacked(settings, again)).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
  });

  it("every function fixes its search path", async () => {
    const { rows } = await fresh.database.pool.query<{ name: string; path: boolean }>(`
      SELECT proname AS name, 'search_path=pg_catalog, public, pg_temp' = ANY (coalesce(proconfig, '{}')) AS path
      FROM pg_proc WHERE pronamespace = 'public'::regnamespace`);
    expect(rows.length).toBeGreaterThan(8);
    expect(rows.filter(({ path }) => !path)).toEqual([]);
  });
});

describe("acting", () => {
  it("of eight at once who end a version, one does, the others are refused by the state that it left", async () => {
    const { version_id } = await put("eight", "BLOCK");
    const ended = await Promise.allSettled(
      Array.from({ length: 8 }, () =>
        fresh.database.inTenant(tenant, (tx) =>
          act(tx, { tenant, version_id, actor: "test", at: NOW }, { name: "terminate", reason: "given up" }),
        ),
      ),
    );
    const codes = ended.map((one) => (one.status === "fulfilled" ? one.value.state : (one.reason as AssayError).code));
    expect(codes).toEqual(Array(8).fill("TERMINATED"));
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const histories = await fresh.database.inTenant(tenant, (tx) => readHistories(tx, tenant, [version_id]));
    expect(histories.get(version_id)?.map(({ type }) => type)).toEqual(["card_verified/v1", "card_terminated/v1"]);
  });

  it("on a version with a malformed event is refused; who only looks is told of it and reads the others", async () => {
    const sound = await put("sound", "PASS");
    const { version_id } = await put("malformed", "BLOCK");
    await append({ type: "card_terminated/v1", body: { version_id, reason: "given up", more: 1 } });
    const both = [version_id, sound.version_id];
    await fresh.database.inTenant(tenant, async (tx) => {
      const found = await readVersionsOrFaults(tx, tenant, both);
      expect(found.get(version_id)).toMatchObject({
        code: "EVENT_MALFORMED",
        message: expect.stringMatching(/^event \d+ /),
      });
      expect(found.get(sound.version_id)).toMatchObject({ state: "PASS" });
      await expect(readVersions(tx, tenant, both)).rejects.toMatchObject({ code: "EVENT_MALFORMED" });
    });
  });

  it("on another tenant's version finds none", async () => {
    const { version_id } = await put("ours", "BLOCK");
    const theirs = fresh.database.inTenant("other", (tx) =>
      act(tx, { tenant: "other", version_id, actor: "test", at: NOW }, commandOf("terminate", cardOf("ours"))),
    );
    await expect(theirs).rejects.toMatchObject({ code: "VERSION_UNKNOWN" });
  });
});

describe("work on a card", () => {
  const LOCALES = ["ko-KR", "en-US"].map((locale) => ({ instrument: "US:YAMPL", locale }));
  const statesOf = async (frozen: string) => {
    const work = await fresh.database.inTenant(tenant, (tx) => readWork(tx, tenant, frozen, LOCALES));
    return LOCALES.map(({ instrument, locale }) => work.get(workKey(instrument, locale)));
  };

  it.each([
    ["RECEIVED", ["RECEIVED", "RECEIVED"]],
    ["PLANNED", ["PLANNED", "PLANNED"]],
    ["RUNNING", ["RUNNING", "RUNNING"]],
    ["VERIFYING", ["VERIFYING", "RUNNING"]],
  ] as const)("is %s, each locale for itself", async (state, expected) => {
    const card = await put(`work ${state}`, state);
    expect(await statesOf(card.frozen)).toEqual(expected);
  });

  it("begins again after a verdict, and is not moved by another instrument's", async () => {
    const card = await put("again", "PASS");
    expect(await statesOf(card.frozen)).toEqual(["PLANNED", "RUNNING"]);
    const body = { batch: "example", frozen: card.frozen, step: "facts" };
    await append({ type: "step_recorded/v1", body: { ...body, instrument: "US:YBULN" } });
    expect(await statesOf(card.frozen)).toEqual(["PLANNED", "RUNNING"]);
    await append({ type: "step_recorded/v1", body: { ...body, instrument: "US:YAMPL" } });
    expect(await statesOf(card.frozen)).toEqual(["RUNNING", "RUNNING"]);
  });

  it("that ended in a fault is in BLOCK until it begins again", async () => {
    const card = await put("faulted", "RUNNING");
    const command = commandOf("fault", card);
    if (command.name !== "fault") throw new Error("not a fault");
    await append({ type: "card_faulted/v1", body: command.faulted });
    expect(await statesOf(card.frozen)).toEqual(["BLOCK", "RUNNING"]);
  });
});

describe("reading", () => {
  beforeAll(async () => {
    await append(...Array.from({ length: 3000 }, (_, n) => ({ type: "noted/v1", body: { n } })));
    const owner = new pg.Client({ connectionString: fresh.ownerUrl });
    await owner.connect();
    await owner.query("ANALYZE ledger_event");
    await owner.end();
  });

  it.each(["version_id", "frozen"])(
    "by %s goes by index under row-level security, however long the ledger is",
    async (column) => {
      const plan = await fresh.database.inTenant(tenant, (tx) =>
        tx.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(
          `EXPLAIN SELECT seq FROM ledger_event WHERE tenant = 'main' AND ${column} = 'x' ORDER BY seq`,
        ),
      );
      const text = plan.map((line) => line["QUERY PLAN"]).join("\n");
      expect(text).toMatch(new RegExp(`Index.*ledger_event_tenant_${column}_seq_idx`));
      expect(text).toMatch(new RegExp(`Index Cond: .*${column} = 'x'`));
    },
  );

  it("one version by the beginning of its id: eight digits, and not two versions", async () => {
    const [one, two] = ["abcdef01".padEnd(64, "0"), "abcdef01".padEnd(64, "1")] as const;
    const rows = [rowOf(one, "US:A"), rowOf(two, "US:B")];
    await fresh.database.inTenant("prefix", (tx) => recordCardVersions(tx, "prefix", NOW, rows));
    const get = (prefix: string) => fresh.database.inTenant("prefix", (tx) => getCardVersion(tx, "prefix", prefix));
    expect((await get("abcdef010")).instrument).toBe("US:A");
    expect((await get(two)).instrument).toBe("US:B");
    await expect(get("abcdef01")).rejects.toMatchObject({ code: "VERSION_AMBIGUOUS" });
    for (const wrong of ["abcdef0", "abcdef02", "ABCDEF010", "%", "", `${one}0`]) {
      await expect(get(wrong)).rejects.toMatchObject({ code: "VERSION_UNKNOWN" });
    }
  });
});
