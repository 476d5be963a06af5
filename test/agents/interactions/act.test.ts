import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Acting,
  type Asking,
  acceptRequest,
  adoptResponse,
  commitEffect,
  readInteraction,
  respond,
  reviseQuestion,
  withdrawRequest,
} from "../../../pipeline/agents/interactions/act.ts";
import type { Interaction } from "../../../pipeline/agents/interactions/interaction.ts";
import type { Answer, InteractionEvent, Respondent } from "../../../pipeline/schema/interaction.ts";
import type { Tx } from "../../../pipeline/store/database.ts";
import { appendInteractionEvent, readInteractionsOf, readUnanswered } from "../../../pipeline/store/interactions.ts";
import { type FreshDatabase, freshDatabase } from "../../support/database.ts";
import { APPROVAL, ASKED_AT, EXPIRES_AT, PERMISSION, QUESTION } from "./support.ts";

const ACTING: Acting = { tenant: "main", at: "2026-05-05T00:00:00.000Z" };
const ANA: Respondent = { account: "person/ana", is_authenticated: true };
const BEN: Respondent = { account: "person/ben", is_authenticated: true };
const WORDS: Answer = { kind: "question", text: "KOSPI 200" };
const APPROVE: Answer = { kind: "approval", decision: "approve" };
const EXACT = { arguments_digest: APPROVAL.arguments_digest, preview_digest: APPROVAL.preview_digest };

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const inTenant = <T>(work: (tx: Tx) => Promise<T>, tenant = "main") => fresh.database.inTenant(tenant, work);
let calls = 0;
/** Of a call of its own, in a run of its own. */
function asking(asked: Asking["asked"], changes: Partial<Asking> = {}): Asking {
  calls += 1;
  const ids = { root_id: `run-${calls}`, task_id: "main", producer: "main#1.1" };
  return { ...ids, recipient: "person/ana", expires_at: EXPIRES_AT, asked, ...changes };
}
async function accepted(asked: Asking["asked"], changes: Partial<Asking> = {}): Promise<Interaction> {
  return inTenant((tx) => acceptRequest(tx, { ...ACTING, at: ASKED_AT }, asking(asked, changes)));
}
const answer = (
  { request }: Interaction,
  given: Answer,
  client_response_id: string,
  who = ANA,
  acting = ACTING,
  revision = 1,
) =>
  inTenant((tx) =>
    respond(tx, acting, who, { interaction_id: request.interaction_id, revision, client_response_id, answer: given }),
  );
const stored = ({ request }: Interaction, tenant = "main") =>
  inTenant((tx) => readInteraction(tx, tenant, request.interaction_id), tenant);

describe("what is asked and answered is kept", () => {
  it("the same call asks once, in one run as in another worker's repetition of it", async () => {
    const terms = asking(QUESTION);
    const first = await inTenant((tx) => acceptRequest(tx, ACTING, terms));
    const again = await inTenant((tx) => acceptRequest(tx, ACTING, terms));
    expect(again).toEqual(first);
    const failing = inTenant((tx) => acceptRequest(tx, ACTING, { ...terms, asked: { ...QUESTION, text: "else" } }));
    await expect(failing).rejects.toMatchObject({ code: "REQUEST_CONFLICT" });
  });

  it("same id and body: the same receipt; same id, other body or other request: conflict", async () => {
    const [one, other] = [await accepted(QUESTION), await accepted(QUESTION)];
    const receipt = await answer(one, WORDS, "same");
    const late = { ...ACTING, at: "2027-01-01T00:00:00.000Z" };
    expect(await answer(one, WORDS, "same", ANA, late)).toEqual(receipt);
    expect(receipt).toMatchObject({ respondent: "person/ana", is_authenticated: true, received_at: ACTING.at });
    await expect(answer(one, { ...WORDS, text: "x" }, "same")).rejects.toMatchObject({ code: "RESPONSE_CONFLICT" });
    await expect(answer(other, WORDS, "same")).rejects.toMatchObject({ code: "RESPONSE_CONFLICT" });
    expect((await stored(other))!.response).toBeNull();
  });

  it("another account's response id is another name", async () => {
    const [one, other] = [await accepted(QUESTION), await accepted(QUESTION, { recipient: "person/ben" })];
    await answer(one, WORDS, "shared");
    await expect(answer(other, WORDS, "shared", BEN)).resolves.toMatchObject({ respondent: "person/ben" });
  });

  it("two responses at once: one is received, the other is told; nothing is mixed", async () => {
    for (let round = 0; round < 8; round += 1) {
      const question = await accepted(QUESTION, { recipient: null, asked: PERMISSION });
      const give = (decision: "grant" | "deny", who: Respondent) =>
        answer(question, { kind: "permission", decision }, `at-once-${round}`, who);
      const outcomes = await Promise.allSettled([give("grant", ANA), give("deny", BEN)]);
      const codes = outcomes.map((outcome) => (outcome.status === "fulfilled" ? "received" : outcome.reason.code));
      expect(codes.sort()).toEqual(["INTERACTION_ANSWERED", "received"]);
      const { response } = (await stored(question))!;
      expect(response!.answer).toEqual({
        kind: "permission",
        decision: response!.respondent === "person/ana" ? "grant" : "deny",
      });
    }
  });

  it("the same response ten times at once is one receipt", async () => {
    const question = await accepted(QUESTION);
    const receipts = await Promise.all(Array.from({ length: 10 }, () => answer(question, WORDS, "ten")));
    expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1);
    expect((await stored(question))!.seq).toBe(2);
  });

  it("a question in other words is another revision: the answer to the old one is refused", async () => {
    const question = await accepted(QUESTION);
    const { interaction_id } = question.request;
    const revised = await inTenant((tx) =>
      reviseQuestion(tx, ACTING, { interaction_id, task_id: "main" }, { ...QUESTION, text: "In which currency?" }),
    );
    expect(revised.request.revision).toBe(2);
    await expect(answer(question, WORDS, "old")).rejects.toMatchObject({ code: "REVISION_OLD" });
    await expect(answer(question, WORDS, "new", ANA, ACTING, 2)).resolves.toMatchObject({ revision: 2 });
  });

  it("the inbox has what is open in all runs and nothing that was answered or withdrawn", async () => {
    const [open, answered, withdrawn] = [await accepted(QUESTION), await accepted(QUESTION), await accepted(QUESTION)];
    await answer(answered, WORDS, "inbox");
    await inTenant((tx) => withdrawRequest(tx, ACTING, withdrawn.request.interaction_id, "found out"));
    const found = [...(await inTenant((tx) => readUnanswered(tx, "main"))).keys()];
    expect(found).toContain(open.request.interaction_id);
    expect(found).not.toContain(answered.request.interaction_id);
    expect(found).not.toContain(withdrawn.request.interaction_id);
  });

  it.each([
    ["a NUL", { kind: "question", text: "a\0b" }, "TEXT_NOT_STORABLE"],
    ["half a character", { kind: "question", text: "\ud800" }, "TEXT_NOT_STORABLE"],
    ["nothing", { kind: "question", text: " " }, "RESPONSE_MALFORMED"],
    ["more than fits", { kind: "question", text: "x".repeat(20_001) }, "RESPONSE_MALFORMED"],
    ["a kind that is none", { kind: "yes" }, "RESPONSE_MALFORMED"],
    ["a field too many", { kind: "approval", decision: "approve", scope: "all" }, "RESPONSE_MALFORMED"],
  ])("an answer with %s is refused by name and leaves nothing", async (_name, given, code) => {
    const question = await accepted(QUESTION);
    await expect(answer(question, given as Answer, `hostile-${code}`)).rejects.toMatchObject({ code });
    expect((await stored(question))!.response).toBeNull();
  });
});

describe("an effect whose outcome is unknown", () => {
  it("is not proposed again, in any run, until it is known", async () => {
    const proposal = await accepted(APPROVAL);
    const { interaction_id } = proposal.request;
    await answer(proposal, APPROVE, "unknown");
    const commit = (outcome: "COMMITTED" | "UNKNOWN" | "FAILED") =>
      inTenant((tx) => commitEffect(tx, ACTING, interaction_id, { ...EXACT, outcome, reference: "call" }));
    await expect(commit("UNKNOWN")).rejects.toMatchObject({ code: "NOT_ADOPTED" });
    const adoption = { owner: "effect" as const, consumer: "main#2.1", reference: null };
    await inTenant((tx) => adoptResponse(tx, ACTING, interaction_id, adoption));
    await commit("UNKNOWN");
    await expect(accepted(APPROVAL)).rejects.toMatchObject({ code: "EFFECT_UNKNOWN" });
    const changed = { ...APPROVAL, arguments: { to: "other" }, arguments_digest: "b".repeat(64) };
    await expect(accepted(changed)).resolves.toMatchObject({ effects: [] });
    await commit("FAILED");
    await expect(accepted(APPROVAL)).resolves.toMatchObject({ effects: [] });
    await expect(commit("COMMITTED")).rejects.toMatchObject({ code: "EFFECT_SETTLED" });
  });
});

describe("the database refuses a second time", () => {
  const received = (changes: object): InteractionEvent => ({
    type: "received/v1",
    body: {
      revision: 1,
      respondent: "person/ana",
      is_authenticated: true,
      client_response_id: `sql-${calls}`,
      answer: WORDS,
      response_digest: "c".repeat(64),
      ...changes,
    },
  });
  const adopted = (owner: "task" | "effect"): InteractionEvent => ({
    type: "adopted/v1",
    body: { owner, consumer: "main", reference: { root_id: "run-1", seq: 1 } },
  });
  it.each([
    ["a gap in the sequence", QUESTION, received({}), 3, "INTERACTION_ORDER"],
    ["another account", QUESTION, received({ respondent: "person/ben" }), 2, "INTERACTION_ORDER"],
    ["an old revision", QUESTION, received({ revision: 4 }), 2, "INTERACTION_ORDER"],
    ["an answer of another kind", PERMISSION, received({}), 2, "INTERACTION_ORDER"],
    ["an unproven person", APPROVAL, received({ answer: APPROVE, is_authenticated: false }), 2, "INTERACTION_ORDER"],
    ["adopting what was not received", QUESTION, adopted("task"), 2, "INTERACTION_ORDER"],
    [
      "committing what was not adopted",
      APPROVAL,
      { type: "committed/v1", body: { ...EXACT, outcome: "COMMITTED", reference: "x" } } as const,
      2,
      "INTERACTION_ORDER",
    ],
  ])("%s", async (_name, asked, event, seq, code) => {
    const { interaction_id } = (await accepted(asked)).request;
    const failing = inTenant((tx) => appendInteractionEvent(tx, "main", { interaction_id, seq, at: ACTING.at }, event));
    await expect(failing).rejects.toMatchObject({ code });
  });

  it("an answer after the request expired", async () => {
    const { interaction_id } = (await accepted(QUESTION)).request;
    const failing = inTenant((tx) =>
      appendInteractionEvent(tx, "main", { interaction_id, seq: 2, at: EXPIRES_AT }, received({})),
    );
    await expect(failing).rejects.toMatchObject({ code: "INTERACTION_ORDER" });
  });

  it("a task that says it adopted an answer which its journal does not have", async () => {
    const question = await accepted(QUESTION);
    await answer(question, WORDS, "no-journal");
    const failing = inTenant((tx) =>
      adoptResponse(tx, ACTING, question.request.interaction_id, {
        owner: "task",
        consumer: "main",
        reference: { root_id: question.request.root_id, seq: 1 },
      }),
    );
    await expect(failing).rejects.toMatchObject({ code: "INTERACTION_ORDER" });
  });

  it("changing or removing what was written, even by the superuser", async () => {
    const client = new pg.Client({ connectionString: fresh.superuserUrl });
    await client.connect();
    try {
      for (const table of ["interaction_event", "client_message", "expert_revision", "expert_catalogue"]) {
        await expect(client.query(`TRUNCATE ${table}`)).rejects.toThrow("APPEND_ONLY");
      }
      await expect(client.query(`DELETE FROM interaction_event`)).rejects.toThrow("APPEND_ONLY");
      await expect(client.query(`UPDATE interaction_event SET body = '{}'`)).rejects.toThrow("APPEND_ONLY");
    } finally {
      await client.end();
    }
  });
});

describe("tenants", () => {
  it("another tenant neither sees, answers, adopts nor withdraws a request, and is told that there is none", async () => {
    const question = await accepted(QUESTION);
    const { interaction_id } = question.request;
    const other = { ...ACTING, tenant: "other" };
    const given = { interaction_id, revision: 1, client_response_id: "tenant", answer: WORDS };
    await expect(inTenant((tx) => respond(tx, other, ANA, given), "other")).rejects.toMatchObject({
      code: "INTERACTION_UNKNOWN",
    });
    await expect(inTenant((tx) => withdrawRequest(tx, other, interaction_id, "x"), "other")).rejects.toMatchObject({
      code: "INTERACTION_UNKNOWN",
    });
    expect((await inTenant((tx) => readInteractionsOf(tx, "other", "all"), "other")).size).toBe(0);
    expect((await inTenant((tx) => readInteractionsOf(tx, "main", "all"), "other")).size).toBe(0);
    const foreign = inTenant((tx) => respond(tx, ACTING, ANA, given), "other");
    await expect(foreign).rejects.toMatchObject({ code: "INTERACTION_UNKNOWN" });
    expect((await stored(question))!.response).toBeNull();
  });

  it("the same call of two tenants is two requests", async () => {
    const terms = asking(QUESTION);
    const mine = await inTenant((tx) => acceptRequest(tx, ACTING, terms));
    const theirs = await inTenant((tx) => acceptRequest(tx, { ...ACTING, tenant: "other" }, terms), "other");
    expect(theirs.request.interaction_id).not.toBe(mine.request.interaction_id);
  });
});
