import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Said } from "../../../pipeline/agents/conversation/converse.ts";
import { reconcileCall } from "../../../pipeline/agents/conversation/reconcile.ts";
import { showRun } from "../../../pipeline/agents/conversation/runs.ts";
import { approvedEffect } from "../../../pipeline/agents/interactions/approved-effect.ts";
import { openRequests } from "../../../pipeline/agents/interactions/requests.ts";
import type { Tool } from "../../../pipeline/agents/tool.ts";
import type { Answer } from "../../../pipeline/schema/interaction.ts";
import { type FreshDatabase, freshDatabase } from "../../support/database.ts";
import { call, contractOf, finish, type ScriptedTurn, turn } from "../support/runs.ts";
import { ASK, type Meeting, meet, spoken, type WorkTerms } from "./support.ts";

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const handIn = turn(call("submit", { text: "up", references: [] }), finish());
const GRANT: Answer = { kind: "permission", decision: "grant" };
const DENY: Answer = { kind: "permission", decision: "deny" };
const APPROVE: Answer = { kind: "approval", decision: "approve" };
const REJECT: Answer = { kind: "approval", decision: "reject" };
const ANA = { account: "person/ana" };

const shown = (meeting: Meeting, { message }: Said) =>
  showRun(fresh.database, "main", message.root_id, meeting.clock.now());
const settled = async (meeting: Meeting, said: Said, tool: string) =>
  (await meeting.entries(said)).flatMap(({ body }) =>
    body.type === "call_settled" && body.receipt.tool === tool ? [body.receipt.code ?? body.receipt.outcome] : [],
  );
/** The one request of the run so far that nobody has answered. */
const openOf = async (meeting: Meeting, said: Said) =>
  (await shown(meeting, said)).interactions.filter(({ response }) => response === null).at(-1)!.request.interaction_id;

describe("a permission", () => {
  const request = (mode = "blocking") =>
    turn(call("request_permission", { tool: "search_text", reason: "The notes are needed.", mode }));
  const search = call("search_text", { query: "fees" });

  it("that a person granted changes the surface at a boundary: not within the turn, from the next one on", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const takeUp = turn(...(request() as { calls: never[] }).calls, search);
    const script = [request(), takeUp, turn(search), handIn];
    expect(await meeting.work(said, script)).toEqual({ state: "WAITING" });
    await meeting.answer(await openOf(meeting, said), GRANT, ANA);
    expect((await shown(meeting, said)).interactions[0]).toMatchObject({ adoption: null, effects: [] });
    expect(await meeting.work(said, script)).toMatchObject({ end: { code: "FINISHED" } });
    expect(await settled(meeting, said, "search_text")).toEqual(["SURFACE_CHANGED", "COMPLETED"]);
    const [permission] = (await shown(meeting, said)).interactions;
    expect(permission).toMatchObject({
      response: { respondent: "person/ana", is_authenticated: true },
      adoption: { owner: "authorization", consumer: "main#2.1" },
      effects: [{ outcome: "COMMITTED" }],
    });
  });

  it("is not granted by words: yes in a message, however it is put, leaves the tool where it was", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const script = [request(), request("non_blocking"), turn(search), handIn];
    await meeting.work(said, script);
    await meeting.say({ kind: "correct", run: said.message.root_id, text: "Yes, granted: use search_text." });
    expect(await meeting.work(said, script)).toMatchObject({ end: { code: "FINISHED" } });
    expect(spoken(meeting.sent[0]!)).toContain("Yes, granted");
    expect(await settled(meeting, said, "search_text")).toEqual(["TOOL_NOT_OFFERED"]);
    expect((await shown(meeting, said)).interactions).toMatchObject([{ response: null, adoption: null }]);
  });

  it.each<[string, Answer | null, number, string]>([
    ["denied", DENY, 0, "NOT_ALLOWED"],
    ["left until it expired", null, 10_000, "INTERACTION_EXPIRED"],
  ])("that was %s grants nothing", async (_name, answer, pass, code) => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const script = [request(), request(), turn(search), handIn];
    await meeting.work(said, script, { open_ms: 5000 });
    if (answer !== null) await meeting.answer(await openOf(meeting, said), answer, ANA);
    meeting.clock.pass(pass);
    await meeting.work(said, script, { open_ms: 5000 });
    expect(await settled(meeting, said, "request_permission")).toEqual(["COMPLETED", code]);
    expect(await settled(meeting, said, "search_text")).toEqual(["TOOL_NOT_OFFERED"]);
  });

  it("is asked for tools that the contract holds ready, and for no other", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const other = turn(call("request_permission", { tool: "send_note", reason: "x" }));
    await meeting.work(said, [other, handIn]);
    expect(await settled(meeting, said, "request_permission")).toEqual(["NOT_HELD_READY"]);
    expect((await shown(meeting, said)).interactions).toEqual([]);
  });
});

/** Posts a notice; what was posted is `posted`. `fails`: the line breaks on the way. */
function notice(meeting: Meeting, posted: string[], how: { fails?: boolean; preview?: () => string } = {}): Tool {
  return approvedEffect(
    openRequests(fresh.database, "main", meeting.clock.now),
    { open_ms: 3_600_000 },
    {
      name: "post_notice",
      version: "1",
      description: "Posts a notice.",
      input: z.strictObject({ to: z.string(), text: z.string() }),
      scope: ({ to }) => ({ write: [`notes:${to}`] }),
      prepare: async ({ to, text }) => ({
        arguments: { to, text },
        preview: how.preview?.() ?? `To ${to}: ${text}`,
        async commit() {
          if (how.fails) throw new Error("the line broke");
          posted.push(text);
          return { reference: `notice/${posted.length}` };
        },
      }),
    },
  );
}

describe("an effect that a person approves", () => {
  let count = 0;
  const text = () => `notice ${++count}`;
  const post = (what: string) => turn(call("post_notice", { to: "desk", text: what }));
  const terms = (tool: Tool): WorkTerms => {
    const { tools } = contractOf();
    const offered = [...tools.offered, "post_notice"];
    return { tools: [tool], contract: { tools: { offered, on_request: [] } } };
  };
  const effects = async (meeting: Meeting, said: Said) =>
    (await shown(meeting, said)).interactions.map((each) => each.effects.map(({ outcome }) => outcome));

  async function proposed(script: ScriptedTurn[], how: Parameters<typeof notice>[2] = {}) {
    const meeting = meet(fresh.database);
    const posted: string[] = [];
    const said = await meeting.say(ASK);
    const work = () => meeting.work(said, script, terms(notice(meeting, posted, how)));
    expect(await work()).toEqual({ state: "WAITING" });
    expect(posted).toEqual([]);
    return { meeting, said, posted, work, id: await openOf(meeting, said) };
  }

  it("is proposed first, and done once, by the same call, after the approval", async () => {
    const what = text();
    const { meeting, said, posted, work, id } = await proposed([post(what), post(what), post(what), handIn]);
    await meeting.answer(id, APPROVE, ANA);
    expect(posted).toEqual([]);
    expect(await work()).toMatchObject({ end: { code: "FINISHED" } });
    expect(posted).toEqual([what]);
    expect(await settled(meeting, said, "post_notice")).toEqual(["COMPLETED", "COMPLETED", "EFFECT_SETTLED"]);
    expect((await shown(meeting, said)).interactions).toMatchObject([
      {
        response: { answer: APPROVE },
        adoption: { owner: "effect", consumer: "main#2.1" },
        effects: [{ outcome: "COMMITTED", reference: "notice/1" }],
      },
    ]);
  });

  it("with other arguments it is another proposal, which that approval does not cover", async () => {
    const [one, other] = [text(), text()];
    const { meeting, said, posted, work, id } = await proposed([post(one), post(other), handIn]);
    await meeting.answer(id, APPROVE, ANA);
    await work();
    expect(posted).toEqual([]);
    expect((await shown(meeting, said)).interactions).toMatchObject([
      { response: { answer: APPROVE }, adoption: null, effects: [] },
      { response: null, adoption: null, effects: [] },
    ]);
  });

  it("with another preview it is another proposal too: nobody approved what they did not see", async () => {
    const what = text();
    let look = 0;
    const how = { preview: () => `look ${++look}` };
    const { meeting, said, posted, work, id } = await proposed([post(what), post(what), handIn], how);
    await meeting.answer(id, APPROVE, ANA);
    await work();
    expect([posted, (await shown(meeting, said)).interactions.length]).toEqual([[], 2]);
  });

  it.each<[string, Answer | null, number, string]>([
    ["rejected", REJECT, 0, "NOT_ALLOWED"],
    ["left until it expired", null, 4_000_000, "INTERACTION_EXPIRED"],
    ["approved, and taken up too late", APPROVE, 4_000_000, "INTERACTION_EXPIRED"],
  ])("that was %s is not done", async (_name, answer, pass, code) => {
    const what = text();
    const wall = { requests: 12, tokens: 100_000, money_microusd: null, wall_ms: 10_000_000 };
    const meeting = meet(fresh.database);
    const posted: string[] = [];
    const said = await meeting.say(ASK);
    const { contract, ...rest } = terms(notice(meeting, posted));
    const work = () =>
      meeting.work(said, [post(what), post(what), post(what), handIn], {
        ...rest,
        contract: { ...contract, budget: wall },
      });
    await work();
    if (answer !== null) await meeting.answer(await openOf(meeting, said), answer, ANA);
    meeting.clock.pass(pass);
    await work();
    expect(posted).toEqual([]);
    expect(await settled(meeting, said, "post_notice")).toEqual(["COMPLETED", code, code]);
  });

  it("of which nobody knows what came is not done again by approving again, here or in another run", async () => {
    const what = text();
    const { meeting, said, posted, work, id } = await proposed([post(what), post(what), post(what), handIn], {
      fails: true,
    });
    await meeting.answer(id, APPROVE, ANA);
    expect(await work()).toMatchObject({ end: { code: "UNSETTLED" } });
    expect(await settled(meeting, said, "post_notice")).toEqual(["COMPLETED", "TOOL_FAULT", "EFFECT_UNKNOWN"]);
    expect(await effects(meeting, said)).toEqual([["UNKNOWN"]]);
    const other = await meeting.say(ASK);
    await meeting.work(other, [post(what), handIn], terms(notice(meeting, posted)));
    expect(await settled(meeting, other, "post_notice")).toEqual(["EFFECT_UNKNOWN"]);
    expect(posted).toEqual([]);
  });

  it("whose worker was lost on the way is unknown, not undone", async () => {
    const what = text();
    const { meeting, said, posted, work, id } = await proposed([post(what), post(what), handIn]);
    await meeting.answer(id, APPROVE, ANA);
    const requests = openRequests(fresh.database, "main", meeting.clock.now);
    await requests.adopt(id, { owner: "effect", consumer: "main#9.9", reference: null });
    await work();
    expect(posted).toEqual([]);
    expect(await effects(meeting, said)).toEqual([["UNKNOWN"]]);
  });

  it.each([
    [true, "COMPLETED", ["UNKNOWN", "COMMITTED"]],
    [false, "FAILED", ["UNKNOWN", "FAILED"]],
  ] as const)(
    "a person finds out that it happened: %s. It is recorded by whom, and nothing is done again",
    async (...row) => {
      const [happened, outcome, expected] = row;
      const what = text();
      const { meeting, said, posted, work, id } = await proposed([post(what), post(what), handIn], { fails: true });
      await meeting.answer(id, APPROVE, ANA);
      await work();
      const { root_id } = said.message;
      expect((await shown(meeting, said)).effects).toMatchObject([{ call: "main#2.1", outcome: "UNKNOWN" }]);
      const find = (call: string) =>
        reconcileCall(
          fresh.database,
          { tenant: "main", root_id, holder: `person-${call}`, ttl_ms: 60_000 },
          meeting.clock.now,
          { account: "person/ana", is_authenticated: true },
          { call, happened, note: "looked at the board" },
        );
      await expect(find("main#1.1")).rejects.toMatchObject({ code: "CALL_NOT_UNKNOWN" });
      await find("main#2.1");
      await expect(find("main#2.1")).rejects.toMatchObject({ code: "CALL_NOT_UNKNOWN" });
      expect((await shown(meeting, said)).effects).toMatchObject([{ outcome, found_by: "person/ana" }]);
      expect(await effects(meeting, said)).toEqual([expected]);
      expect(posted).toEqual([]);
    },
  );

  it("a run that waits goes on after a person found out: the terminal gate lets it go", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const broken = turn(call("send_note", { to: "desk", fault: true }));
    const ask = turn(call("ask_user", { question: "Did it arrive?", mode: "blocking" }));
    const script = [broken, ask, handIn];
    expect(await meeting.work(said, script)).toEqual({ state: "WAITING" });
    const lease = { tenant: "main", root_id: said.message.root_id, holder: "person", ttl_ms: 60_000 };
    await reconcileCall(
      fresh.database,
      lease,
      meeting.clock.now,
      { account: "cli", is_authenticated: false },
      { call: "main#1.1", happened: true, note: "it is in the desk's folder" },
    );
    await meeting.answer(await openOf(meeting, said), { kind: "question", text: "It did." });
    expect(await meeting.work(said, script)).toMatchObject({ end: { code: "FINISHED" } });
    expect((await shown(meeting, said)).effects).toMatchObject([{ found_by: "cli (not authenticated)" }]);
  });
});
