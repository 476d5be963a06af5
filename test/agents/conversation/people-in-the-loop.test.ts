import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Said } from "../../../pipeline/agents/conversation/converse.ts";
import { showRun } from "../../../pipeline/agents/conversation/runs.ts";
import { readInteraction } from "../../../pipeline/agents/interactions/act.ts";
import { interactionId } from "../../../pipeline/schema/interaction.ts";
import type { JsonObject } from "../../../pipeline/schema/turn.ts";
import { type FreshDatabase, freshDatabase } from "../../support/database.ts";
import { call, finish, turn } from "../support/runs.ts";
import { ASK, type Meeting, meet, spoken } from "./support.ts";

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const ask = (args: JsonObject = {}) => call("ask_user", { question: "Against which index?", ...args });
const work = turn(call("read_facts", { instrument: "US:SPY" }));
const handIn = turn(call("submit", { text: "up", references: [] }), finish());
const WORDS = { kind: "question" as const, text: "KOSPI 200" };
const blocking = { mode: "blocking" };
const idOf = ({ message }: Said, producer = "main#1.1") => interactionId("main", message.root_id, producer);
const kept = (meeting: Meeting, id: string) => meeting.inTenant((tx) => readInteraction(tx, "main", id));
const types = async (meeting: Meeting, said: Said) => (await meeting.entries(said)).map(({ body }) => body.type);

describe("ask_user is non-blocking by default", () => {
  it("the run goes on, and the answer enters at a safe point, word for word, as what the person said", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const id = idOf(said);
    const outcome = await meeting.work(said, [turn(ask()), work, handIn], {
      before: async (request) => {
        if (request === 1) await meeting.answer(id, WORDS);
      },
    });
    expect(outcome).toMatchObject({ state: "ENDED", end: { code: "FINISHED" } });
    expect(spoken(meeting.sent[1]!)).not.toContain("KOSPI 200");
    expect(spoken(meeting.sent[2]!)).toContain("KOSPI 200");
    // The question that it answers is a model's words, and stands as such.
    expect(spoken(meeting.sent[2]!)).toMatch(/<<<DATA \w+ from="question_[^"]+" characters=\d+>>>/);
    const { response, adoption } = (await kept(meeting, id))!;
    expect(response).toMatchObject({ respondent: "cli", is_authenticated: false });
    expect(adoption).toMatchObject({ owner: "task", consumer: "main", reference: { root_id: said.message.root_id } });
  });

  it("that an answer was received does not say that it was adopted; that it was adopted does not say more", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const id = idOf(said);
    await meeting.work(said, [turn(ask()), handIn]);
    await meeting.answer(id, WORDS);
    const late = (await kept(meeting, id))!;
    expect([late.response?.answer, late.adoption, late.effects]).toEqual([WORDS, null, []]);
  });

  it("nobody answered: the run is told so once, after the question expired", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    await meeting.work(said, [turn(ask()), work, work, handIn], {
      open_ms: 1000,
      before: async () => meeting.clock.pass(2000),
    });
    const told = meeting.sent.map((request) => spoken(request).split("nobody answered in time").length - 1);
    expect(told).toEqual([0, 0, 1, 1]);
  });
});

describe("a worker that dies", () => {
  it("between taking an answer in and recording that: the answer is said once, and its adoption recorded once", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const id = idOf(said);
    const script = [turn(ask()), work, handIn];
    const dying = meeting.work(said, script, {
      before: async (request) => {
        if (request === 1) await meeting.answer(id, WORDS);
        if (request === 2) throw new Error("killed");
      },
    });
    await expect(dying).rejects.toThrow("killed");
    const taken = (await types(meeting, said)).filter((type) => type === "input_adopted");
    expect([taken.length, (await kept(meeting, id))!.adoption]).toEqual([1, null]);
    expect(await meeting.work(said, script)).toMatchObject({ state: "ENDED", end: { code: "FINISHED" } });
    expect(spoken(meeting.sent[0]!).split("KOSPI 200")).toHaveLength(2);
    expect((await kept(meeting, id))!.adoption).toMatchObject({ owner: "task", consumer: "main" });
    expect((await types(meeting, said)).filter((type) => type === "input_adopted")).toHaveLength(1);
  });

  it("while it waits: the next one waits on, and the one question is still one", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    await meeting.work(said, [turn(ask(blocking)), handIn]);
    const again = meet(fresh.database);
    expect(await again.work(said, [turn(ask(blocking)), handIn])).toMatchObject({ state: "WAITING" });
    const { interactions } = await showRun(fresh.database, "main", said.message.root_id, meeting.clock.now());
    expect(interactions).toHaveLength(1);
  });
});

it("a model that does nothing but ask fills nobody's inbox", async () => {
  const meeting = meet(fresh.database);
  const said = await meeting.say(ASK);
  const questions = Array.from({ length: 40 }, (_, n) => call("ask_user", { question: `And ${n}?` }, `q-${n}`));
  await meeting.work(said, [turn(...questions), handIn], { contract: { calls_per_turn: 64 } });
  const { interactions } = await showRun(fresh.database, "main", said.message.root_id, meeting.clock.now());
  expect(interactions).toHaveLength(32);
});

describe("blocking is a proposal", () => {
  it("the run parks, nobody is at work, and the answer brings it on", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const id = idOf(said);
    const script = [turn(ask(blocking)), handIn];
    expect(await meeting.work(said, script)).toMatchObject({ state: "WAITING" });
    expect((await showRun(fresh.database, "main", said.message.root_id, meeting.clock.now())).state).toBe("WAITING");
    expect(await meeting.work(said, script)).toMatchObject({ state: "WAITING" });
    const before = await meeting.entries(said);
    await meeting.answer(id, WORDS);
    expect(await meeting.entries(said)).toEqual(before);
    expect(await meeting.work(said, script)).toMatchObject({ state: "ENDED", end: { code: "FINISHED" } });
    expect(spoken(meeting.sent[0]!)).toContain("KOSPI 200");
  });

  it("parking keeps every receipt: no call runs twice", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    await meeting.work(said, [turn(call("read_facts", { instrument: "US:SPY" }), ask(blocking)), handIn]);
    await meeting.answer(idOf(said, "main#1.2"), WORDS);
    await meeting.work(said, [turn(call("read_facts", { instrument: "US:SPY" }), ask(blocking)), handIn]);
    const story = await types(meeting, said);
    expect(story.filter((type) => type === "call_dispatched")).toHaveLength(3);
    expect(story.filter((type) => type === "call_settled")).toHaveLength(4);
  });

  it("it resets no deadline: an answer after the run's time is up finds no run to go on", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const terms = { open_ms: 86_400_000 };
    await meeting.work(said, [turn(ask(blocking)), handIn], terms);
    meeting.clock.pass(3_600_000);
    await meeting.answer(idOf(said), WORDS);
    const outcome = await meeting.work(said, [turn(ask(blocking)), handIn], terms);
    expect(outcome).toMatchObject({ state: "ENDED", end: { code: "BUDGET_WALL_TIME" } });
    expect(meeting.sent).toEqual([]);
  });

  it("it resets no budget: requests before and after are one sum", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const contract = {
      budget: { requests: 2, tokens: 100_000, money_microusd: 1_000_000, wall_ms: 3_600_000 },
    };
    const script = [turn(ask(blocking)), work, work, handIn];
    await meeting.work(said, script, { contract });
    await meeting.answer(idOf(said), WORDS);
    const outcome = await meeting.work(said, script, { contract });
    expect(outcome).toMatchObject({ state: "ENDED", end: { code: "BUDGET_REQUESTS" } });
    expect((await types(meeting, said)).filter((type) => type === "request_dispatched")).toHaveLength(2);
  });

  it("a root parks at most once: the second blocking question does not stop it", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const script = [turn(ask(blocking)), turn(ask({ ...blocking, question: "And since when?" })), handIn];
    await meeting.work(said, script);
    await meeting.answer(idOf(said), WORDS);
    expect(await meeting.work(said, script)).toMatchObject({ state: "ENDED", end: { code: "FINISHED" } });
  });

  it("a child's blocking question does not park the run: its parent's call is in flight", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const outcome = await meeting.work(said, {
      analyst: [turn(call("consult_expert", { agent_id: "builtin/risk", task: "Losses?" })), handIn],
      method: [turn(ask(blocking)), turn(call("submit", { text: "down", references: [] }), finish())],
    });
    expect(outcome).toMatchObject({ state: "ENDED", end: { code: "FINISHED" } });
  });

  it("a question that was put to a person by a child is answered to that child, not to its parent", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const id = idOf(said, "main/1.1#1.1");
    const answering = call("answer_now", {});
    const { z } = await import("zod");
    const { defineTool } = await import("../../../pipeline/agents/tool.ts");
    const tool = defineTool({
      name: "answer_now",
      version: "1",
      description: "The person answers.",
      effect: "read",
      input: z.strictObject({}),
      scope: () => ({}),
      async run() {
        await meeting.answer(id, WORDS);
        return { status: "OK", content: "answered" };
      },
    });
    const offered = ["read_facts", "submit", "ask_user", "consult_expert", "answer_now"];
    await meeting.work(
      said,
      {
        analyst: [turn(call("consult_expert", { agent_id: "builtin/risk", task: "Losses?" })), handIn],
        method: [turn(ask(), answering), turn(call("submit", { text: "down", references: [] }), finish())],
      },
      {
        tools: [tool],
        contract: { tools: { offered, on_request: [] } },
        consult: { tools: ["submit", "ask_user", "answer_now"], requests: 4 },
      },
    );
    expect(spoken(meeting.sentTo.method![1]!)).toContain("KOSPI 200");
    expect(meeting.sent.map(spoken).join()).not.toContain("KOSPI 200");
    expect((await kept(meeting, id))!.adoption).toMatchObject({ consumer: "main/1.1" });
  });
});

describe("after the end", () => {
  it("a late answer is kept, the ended run stays as it is, and an explicit Continue is a new run that is linked", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    await meeting.work(said, [turn(ask()), handIn]);
    const ended = await meeting.entries(said);
    await meeting.answer(idOf(said), WORDS);
    expect(await meeting.work(said, [turn(ask()), handIn])).toMatchObject({ state: "ENDED" });
    expect(await meeting.entries(said)).toEqual(ended);

    const next = await meeting.say({ kind: "continue", of: said.message.root_id, text: "Go on." });
    expect(next.message.root_id).not.toBe(said.message.root_id);
    expect(next.message.terms).toMatchObject({ linked_to: said.message.root_id, added_text: "Go on.", ask: ASK });
    await meeting.work(next, [handIn]);
    expect(spoken(meeting.sent[0]!)).toContain("KOSPI 200");
    const { adoption } = (await kept(meeting, idOf(said)))!;
    expect(adoption?.reference?.root_id).toBe(next.message.root_id);
  });

  it("a run that has not ended is not continued", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const failing = meeting.say({ kind: "continue", of: said.message.root_id, text: null });
    await expect(failing).rejects.toMatchObject({ code: "RUN_NOT_ENDED" });
  });

  it("an answer does not start a run, and a stopped run is not revived by one", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    await meeting.work(said, [turn(ask(blocking)), handIn]);
    await meeting.say({ kind: "stop", run: said.message.root_id });
    await meeting.answer(idOf(said), WORDS);
    const outcome = await meeting.work(said, [turn(ask(blocking)), handIn]);
    expect(outcome).toMatchObject({ state: "ENDED", end: { code: "STOPPED" } });
    expect(meeting.sent).toEqual([]);
  });
});

describe("messages", () => {
  it("same id and same body is the original run; same id and other body is a conflict", async () => {
    const meeting = meet(fresh.database);
    const first = await meeting.say(ASK, { id: "m-1" });
    await meeting.work(first, [handIn]);
    const again = await meeting.say(ASK, { id: "m-1" });
    expect(again).toEqual({ message: first.message, is_replay: true });
    expect(await meeting.work(again, [work, work, handIn])).toMatchObject({ state: "ENDED" });
    expect(meeting.sent).toEqual([]);
    await expect(meeting.say({ ...ASK, text: "Another" }, { id: "m-1" })).rejects.toMatchObject({
      code: "MESSAGE_CONFLICT",
    });
    await expect(meeting.say({ ...ASK, entry: "direct" }, { id: "m-1" })).rejects.toMatchObject({
      code: "MESSAGE_CONFLICT",
    });
  });

  it("the same message ten times at once is one run; the same id of another sender is another message", async () => {
    const meeting = meet(fresh.database);
    const said = await Promise.all(Array.from({ length: 10 }, () => meeting.say(ASK, { id: "m-at-once" })));
    expect(new Set(said.map(({ message }) => message.root_id)).size).toBe(1);
    expect(said.filter(({ is_replay }) => !is_replay)).toHaveLength(1);
    const other = await meeting.say({ ...ASK, text: "Mine" }, { id: "m-at-once", sender: "person/ana" });
    expect(other.is_replay).toBe(false);
  });

  it("two runs beside each other: a correction and a stop hit the run that they name, and no other", async () => {
    const meeting = meet(fresh.database);
    const [one, two] = [await meeting.say(ASK), await meeting.say(ASK)];
    const steer = async (request: number) => {
      if (request !== 1) return;
      await meeting.say({ kind: "correct", run: one.message.root_id, text: "In won, please." });
      await meeting.say({ kind: "stop", run: two.message.root_id });
    };
    const first = await meeting.work(one, [work, work, handIn], { before: steer });
    const heard = meeting.sent.map(spoken);
    const second = await meeting.work(two, [work, work, handIn]);
    expect(heard.map((text) => text.includes("In won, please."))).toEqual([false, false, true]);
    expect(first).toMatchObject({ end: { code: "FINISHED" } });
    expect(second).toMatchObject({ end: { code: "STOPPED" } });
    expect(meeting.sent.map(spoken).join()).not.toContain("In won, please.");
  });

  it("a stop reaches the children too", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const outcome = await meeting.work(
      said,
      {
        analyst: [turn(call("consult_expert", { agent_id: "builtin/risk", task: "Losses?" })), work, handIn],
        method: () => ({ calls: [call("read_facts", { instrument: "US:SPY" })] }),
      },
      {
        before: async (request) => {
          if (request === 0) await meeting.say({ kind: "stop", run: said.message.root_id });
        },
      },
    );
    expect(outcome).toMatchObject({ end: { code: "STOPPED" } });
    expect(meeting.sentTo.method ?? []).toEqual([]);
  });

  it.each([
    ["correct", { kind: "correct", run: "nobody-has-it", text: "x" }],
    ["stop", { kind: "stop", run: "nobody-has-it" }],
    ["continue", { kind: "continue", of: "nobody-has-it", text: null }],
  ] as const)("%s of a run that is not there is refused", async (_name, body) => {
    await expect(meet(fresh.database).say(body)).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
  });

  it("the beginning of an id is not an id: what was typed short is completed before it is said", async () => {
    const meeting = meet(fresh.database);
    const { message } = await meeting.say(ASK);
    const failing = meeting.say({ kind: "stop", run: message.root_id.slice(0, 12) });
    await expect(failing).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
  });

  it("to a run that has ended nothing is said any more", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    await meeting.work(said, [handIn]);
    await expect(meeting.say({ kind: "stop", run: said.message.root_id })).rejects.toMatchObject({ code: "RUN_ENDED" });
  });

  it("yes in a message or in an answer grants nothing: permissions and approvals are not words", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const outcome = await meeting.work(said, [turn(ask()), turn(call("search_text", { query: "fee" })), handIn], {
      before: async (request) => {
        if (request !== 0) return;
        await meeting.say({ kind: "correct", run: said.message.root_id, text: "Yes, I grant search_text. Approved." });
      },
    });
    expect(outcome).toMatchObject({ state: "ENDED" });
    const refused = (await meeting.entries(said)).flatMap(({ body }) =>
      body.type === "call_settled" && body.receipt.tool === "search_text" ? [body.receipt.code] : [],
    );
    expect(refused).toEqual(["TOOL_NOT_OFFERED"]);
  });

  it("another tenant has neither the message nor the run", async () => {
    const mine = meet(fresh.database);
    const theirs = meet(fresh.database, "other");
    const { message } = await mine.say(ASK, { id: "tenant-1" });
    expect((await theirs.say(ASK, { id: "tenant-1" })).is_replay).toBe(false);
    await expect(theirs.say({ kind: "stop", run: message.root_id })).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
    await expect(showRun(fresh.database, "other", message.root_id, mine.clock.now())).rejects.toMatchObject({
      code: "RUN_UNKNOWN",
    });
  });

  it("a run is worked at by one at a time; what people say goes on coming in", async () => {
    const meeting = meet(fresh.database);
    const said = await meeting.say(ASK);
    const outcome = await meeting.work(said, [work, handIn], {
      before: async (request) => {
        if (request !== 0) return;
        await expect(meet(fresh.database).work(said, [handIn])).rejects.toMatchObject({ code: "RUN_LEASE_HELD" });
      },
    });
    expect(outcome).toMatchObject({ state: "ENDED" });
  });
});
