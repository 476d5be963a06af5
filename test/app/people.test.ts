import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ShownRun } from "../../pipeline/agents/conversation/runs.ts";
import { acceptRequest, respond as respondTo } from "../../pipeline/agents/interactions/act.ts";
import { ask } from "../../pipeline/app/commands/ask.ts";
import * as expert from "../../pipeline/app/commands/expert.ts";
import { inbox } from "../../pipeline/app/commands/inbox.ts";
import { respond } from "../../pipeline/app/commands/respond.ts";
import { resume } from "../../pipeline/app/commands/resume.ts";
import * as runs from "../../pipeline/app/commands/runs.ts";
import type { Config } from "../../pipeline/app/config.ts";
import { withServices } from "../../pipeline/app/wiring.ts";
import type { ShownSentence } from "../../pipeline/jobs/conversation/present-answer.ts";
import type { Answer, Asked } from "../../pipeline/schema/interaction.ts";
import type { JsonObject, JsonValue } from "../../pipeline/schema/turn.ts";
import { APPROVAL, PERMISSION } from "../agents/interactions/support.ts";
import { startWire, WIRE_KEY, type Wire, type WireRequest, type WireTurn } from "../agents/wire/start.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { BATCH, configFor, workBatch } from "./worked-batch.ts";

const CARD = "US:YAMPL";
let fresh: FreshDatabase;
let config: Config;
let wire: Wire;
let script: (request: WireRequest, turn: number) => WireTurn;
let printed = "";
const env = { ...process.env };

beforeAll(async () => {
  fresh = await freshDatabase();
  config = configFor(fresh);
  wire = await startWire({ provider: "openai-compatible", script: (request, turn) => script(request, turn) });
  await workBatch(config, [CARD, "KR:91A010"]);
}, 240_000);
afterAll(async () => {
  process.env = env;
  await wire.close();
  await fresh.drop();
});
beforeEach(() => {
  process.env.ASSAY_MODEL = "openai-compatible:m-1";
  process.env.ASSAY_COMPATIBLE_BASE_URL = wire.url;
  process.env.ASSAY_COMPATIBLE_API_KEY = WIRE_KEY;
  wire.requests.length = 0;
  wire.faults.length = 0;
  printed = "";
  vi.restoreAllMocks();
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});

/** What a command prints as JSON. */
async function json<T = Record<string, never>>(work: () => Promise<void>): Promise<T> {
  printed = "";
  await work();
  return JSON.parse(printed) as T;
}
interface AskedRun {
  root_id: string;
  message: number;
  is_replay: boolean;
  outcome: { state: string; end?: { code: string } };
}
type Shown = ShownRun & { answer: ShownSentence[] | null };
const say = (text: string, options: object = {}) =>
  json<AskedRun>(() => ask(config, text, { batch: BATCH, card: [CARD], json: true, ...options }));
const open = () =>
  json<{ request: { interaction_id: string; root_id: string; asked: Asked } }[]>(() => inbox(config, { json: true }));
const show = (run: string) => json<Shown>(() => runs.showOne(config, run, { json: true }));
const openOf = async (run: string) => (await open()).find(({ request }) => request.root_id === run)!.request;

const calls = (...wanted: [string, JsonObject?][]): WireTurn => ({
  calls: wanted.map(([tool, args = {}]) => ({ tool, arguments: args })),
});
const RETURN: JsonObject = {
  instrument: CARD,
  type: "DERIVED",
  text: "The total return of the {w} is {r}.",
  slots: [
    { name: "w", figure: "label/total_return.1y" },
    { name: "r", figure: "total_return.1y" },
  ],
};
const list = calls(["list_facts", { instrument: CARD }]);
const read = calls(["read_facts", { instrument: CARD, figures: ["total_return.1y"] }]);
const answer = (...sentences: JsonValue[]) => calls(["submit_answer", { locale: "en-US", sentences }]);
const finish = calls(["finish"]);
const inOrder =
  (...turns: WireTurn[]) =>
  (_: WireRequest, turn: number) =>
    turns[turn] ?? finish;
/** What people and the host said to the model by its last request. */
const spoken = () =>
  wire.requests
    .at(-1)!
    .seen.messages.map(({ role, text }) => (role === "user" ? text : ""))
    .join("\n");
const results = () => JSON.stringify(wire.requests.at(-1)!.seen.messages.flatMap((message) => message.results ?? []));
/** As a person who is signed in, which nobody is at this terminal. */
const decide = (interaction_id: string, given: Answer) =>
  fresh.database.inTenant("main", (tx) =>
    respondTo(
      tx,
      { tenant: "main", at: new Date().toISOString() },
      { account: "person/ana", is_authenticated: true },
      { interaction_id, revision: 1, client_response_id: randomUUID(), answer: given },
    ),
  );

describe("a direct answer", () => {
  it("comes from a model over the wire in places, and the host prints the figures", async () => {
    script = inOrder(list, read, answer(RETURN), finish);
    await ask(config, "How did it do?", { batch: BATCH, card: [CARD] });
    expect(wire.faults).toEqual([]);
    expect(printed).toContain("ended, FINISHED");
    expect(printed).toMatch(
      /- The total return of the 1-year is [+−]\d+\.\d\d%\.|- The total return of the .* is [+−]\d+\.\d\d%\./,
    );
    expect(printed).toContain("[US:YAMPL: total_return.1y]");
    expect(spoken()).toContain("How did it do?");
    const [line] = await json<ShownRun[]>(() => runs.listAll(config, { json: true }));
    const shown = await show(line!.root_id);
    expect(shown).toMatchObject({ state: "ENDED", end_code: "FINISHED", batch: BATCH, cards: [CARD] });
    expect(shown.answer).toMatchObject([{ verdict: "PASS", figures: ["total_return.1y"] }]);
    expect(JSON.stringify(shown.outputs)).not.toMatch(/\d%/);
    printed = "";
    await runs.showOne(config, line!.root_id.slice(0, 8), {});
    expect(printed).toMatch(
      /cost in all: 4 requests, tokens 400 in \(0 cached\), 80 out, money unknown[\s\S]*\n- The total return/,
    );
  });

  it("of a model that types a number is refused with a code, and what it did not read is no answer", async () => {
    const typed = { ...RETURN, text: "The total return of the {w} is {r}, so ten percent.", id: undefined };
    const { id: _, ...numeral } = typed;
    script = inOrder(list, answer(numeral), answer(RETURN), finish, read, finish);
    const asked = await say("How?");
    expect(asked.outcome.end?.code).toBe("FINISHED");
    expect(results()).toContain("NUMERAL");
    expect(results()).toContain("REFERENCE_NOT_READ");
  });

  it("that a gate blocks is not shown, its codes are; the rest is", async () => {
    const sure = { instrument: CARD, type: "OPINION", text: "The fund will surely rise.", slots: [] };
    script = inOrder(list, read, answer(RETURN, sure), finish);
    await ask(config, "And next year?", { batch: BATCH, card: [CARD] });
    expect(printed).not.toContain("surely");
    expect(printed).toMatch(/\(not shown: [A-Z_, ]*UNSUPPORTED/);
    expect(printed).toContain("- The total return");
  });

  it("without a model says so first, and gives sentences by rule with figures that the host prints", async () => {
    process.env.ASSAY_MODEL = "";
    await ask(config, "어땠습니까?", { batch: BATCH, card: [CARD, "KR:91A010"] });
    const sentences = printed.split("\n").filter((text) => text.startsWith("- "));
    expect(sentences[0]).toContain("연결된 모델 없이");
    expect(sentences.length).toBeGreaterThan(4);
    expect(sentences.some((text) => /\d/.test(text))).toBe(true);
    expect(wire.requests).toEqual([]);
    printed = "";
    await ask(config, "어땠습니까?", { batch: BATCH, card: [] });
    expect(printed.split("\n").filter((text) => text.startsWith("- "))).toHaveLength(1);
  });

  it("may read the named cards and no other, and has no tool that reaches people", async () => {
    script = inOrder(
      calls(["list_facts", { instrument: "KR:91A010" }], ["ask_user", { question: "Which?" }]),
      list,
      read,
      answer(RETURN),
      finish,
    );
    await say("How?");
    expect(results()).toContain("OUTSIDE_SCOPE");
    expect(results()).toContain("TOOL_UNKNOWN");
  });

  it("the same message id and words is the original run; other words are a conflict", async () => {
    script = inOrder(list, read, answer(RETURN), finish);
    const first = await say("Again?", { messageId: "id-1" });
    const sent = wire.requests.length;
    const again = await say("Again?", { messageId: "id-1" });
    expect([again.root_id, again.is_replay, again.outcome]).toEqual([first.root_id, true, first.outcome]);
    expect(wire.requests.length).toBe(sent);
    await expect(say("Other", { messageId: "id-1" })).rejects.toMatchObject({ code: "MESSAGE_CONFLICT" });
  });

  it.each([
    ["a batch that was not received", { batch: "nowhere" }, "BATCH_UNKNOWN"],
    ["no batch", { batch: undefined }, "BATCH_NOT_NAMED"],
    ["a card that is not in it", { card: ["US:QQQ"] }, "INSTRUMENT_UNKNOWN"],
    ["a card that no run has worked", { card: ["US:YBULN"] }, "NOT_RECORDED"],
    ["a card that is none", { card: ["../../etc"] }, "MESSAGE_MALFORMED"],
    ["a method without research", { expert: "builtin/risk" }, "MESSAGE_MALFORMED"],
    ["a method that is not there", { expert: `user/${randomUUID()}`, research: true }, "EXPERT_NOT_IN_CATALOGUE"],
    ["a message id that is none", { messageId: "a b" }, "MESSAGE_ID_MALFORMED"],
    ["a run to correct that is not there", { to: "00000000" }, "RUN_UNKNOWN"],
  ])("%s is refused and begins nothing", async (_name, options, code) => {
    const before = await json<unknown[]>(() => runs.listAll(config, { json: true }));
    await expect(say("How?", options)).rejects.toMatchObject({ code });
    expect(await json<unknown[]>(() => runs.listAll(config, { json: true }))).toEqual(before);
  });

  it("a run goes on with the model that it began with, whatever is set by then", async () => {
    process.env.ASSAY_MODEL = "openai-compatible:m-2";
    script = () => ({ trouble: { kind: "status", status: 401, code: "authentication_error" } });
    await say("How?");
    process.env.ASSAY_MODEL = "";
    script = inOrder(
      calls(["ask_user", { question: "Which index?", mode: "blocking" }]),
      list,
      read,
      answer(RETURN),
      finish,
    );
    process.env.ASSAY_MODEL = "openai-compatible:m-3";
    const asked = await say("How?", { research: true });
    process.env.ASSAY_MODEL = "";
    await respond(config, (await openOf(asked.root_id)).interaction_id, { revision: 1, text: "KOSPI" });
    await resume(config, asked.root_id, {});
    expect(new Set((await show(asked.root_id)).turns.map(({ model }) => model))).toEqual(
      new Set(["openai-compatible:m-3"]),
    );
  });
});

describe("research with people in it", () => {
  const question = calls(["ask_user", { question: "Against which index?", mode: "blocking" }]);

  it("that waits is in the inbox, is answered, and goes on; that an answer was received does not say it was adopted", async () => {
    script = inOrder(question, list, read, answer(RETURN), finish);
    const asked = await say("How did it do?", { research: true });
    expect(asked.outcome.state).toBe("WAITING");
    printed = "";
    await inbox(config, {});
    expect(printed).toContain("the run waits");
    const { interaction_id: id } = await openOf(asked.root_id);
    const given = { revision: 1, text: "KOSPI 200", responseId: "r-1", json: true };
    const receipt = await json(() => respond(config, id, given));
    expect(receipt).toMatchObject({ respondent: "cli", is_authenticated: false, client_response_id: "r-1" });
    expect(await json(() => respond(config, id, given))).toEqual(receipt);
    printed = "";
    await inbox(config, { all: true });
    expect(printed).toContain("accepted, received from cli (not authenticated)");
    expect(printed).toContain("not adopted");
    await resume(config, asked.root_id.slice(0, 8), {});
    expect(spoken()).toContain("KOSPI 200");
    printed = "";
    await runs.showOne(config, asked.root_id, {});
    expect(printed).toContain("adopted by task main");
    await expect(resume(config, asked.root_id, {})).rejects.toMatchObject({ code: "RUN_ENDED" });
  });

  it("that ended takes a late answer in by a run that continues it", async () => {
    script = inOrder(calls(["ask_user", { question: "Which index?" }]), list, read, answer(RETURN), finish);
    const asked = await say("How?", { research: true });
    const { interaction_id } = await openOf(asked.root_id);
    printed = "";
    await inbox(config, {});
    expect(printed).toContain("its run has ended");
    await respond(config, interaction_id, { revision: 1, text: "S&P 500" });
    script = inOrder(list, read, answer(RETURN), finish);
    const next = await json<AskedRun>(() =>
      resume(config, asked.root_id, { continue: true, text: "Go on", json: true }),
    );
    expect((await show(next.root_id)).linked_to).toBe(asked.root_id);
    expect(spoken()).toContain("S&P 500");
    expect(spoken()).toContain("Go on");
  });

  it("beside others: a correction and a stop hit the run that they name, and the run in the foreground is left alone", async () => {
    script = inOrder(question, list, read, answer(RETURN), finish);
    const [one, other] = [await say("First?", { research: true }), await say("Second?", { research: true })];
    await ask(config, "Only the last year.", { to: one.root_id, card: [] });
    const stopped = await json<{ state: string }>(() => runs.stop(config, other.root_id, { json: true }));
    expect(stopped.state).toBe("STOPPED");
    const front = await say("Third?");
    expect(front.outcome.end?.code).toBe("FINISHED");
    expect(spoken()).not.toContain("Only the last year.");
    await resume(config, one.root_id, {});
    expect(spoken()).toContain("Only the last year.");
    expect([(await show(one.root_id)).end_code, (await show(other.root_id)).end_code]).toEqual(["FINISHED", "STOPPED"]);
  });

  it("keeps its answer as a file once a person approved that very text", async () => {
    vi.spyOn(process, "cwd").mockReturnValue(fresh.dataDir);
    const save = calls(["save_answer"]);
    script = inOrder(list, read, answer(RETURN), save, save, finish);
    const asked = await say("Keep what you find.", { research: true });
    expect(asked.outcome.state).toBe("WAITING");
    const request = await openOf(asked.root_id);
    const { asked: proposal } = request;
    if (proposal.kind !== "approval") throw new Error("no approval was asked for");
    expect(proposal.preview).toMatch(/- The total return .*%/);
    const file = join(fresh.dataDir, "out", "answers", "main", `${asked.root_id}.md`);
    await expect(readFile(file)).rejects.toThrow("ENOENT");
    await decide(request.interaction_id, { kind: "approval", decision: "approve" });
    await resume(config, asked.root_id, {});
    expect(await readFile(file, "utf8")).toBe(proposal.preview);
    printed = "";
    await runs.showOne(config, asked.root_id, {});
    expect(printed).toMatch(
      /received approve from person\/ana at .*, adopted by effect main#5\.1, effect COMMITTED \(out\/answers\/main\//,
    );
  });

  it("is granted what is held ready by a person's decision, from the next turn on", async () => {
    const permission = calls([
      "request_permission",
      { tool: "read_sealed_version", reason: "To compare.", mode: "blocking" },
    ]);
    const sealed = calls(["read_sealed_version", { instrument: CARD }]);
    script = inOrder(permission, permission, sealed, list, read, answer(RETURN), finish);
    const asked = await say("What did we send?", { research: true });
    await decide((await openOf(asked.root_id)).interaction_id, { kind: "permission", decision: "grant" });
    await resume(config, asked.root_id, {});
    expect(results()).toContain("NO_SEALED_VERSION");
    const tools = wire.requests.map(({ seen }) => seen.tools.some(({ name }) => name === "read_sealed_version"));
    expect(tools.slice(0, 3)).toEqual([false, false, true]);
  });

  it("searches payloads, reads them at a place and asks the second path", async () => {
    script = inOrder(
      list,
      calls(
        ["read_facts", { instrument: CARD, figures: ["total_return.1y"] }],
        ["recalculate", { instrument: CARD, figures: ["total_return.1y"] }],
        ["search_payloads", { instrument: CARD, query: "NO SUCH WORDS" }],
      ),
      answer(RETURN),
      finish,
    );
    await say("Check it.", { research: true });
    expect(results()).toContain('"matches":true');
    expect(results()).toContain('"status":"NO_MATCH"');
  });
});

describe("a method that a person named", () => {
  const consult = (agent_id: string) => calls(["consult_expert", { agent_id, task: "What of the risk?" }]);

  it("is consulted before there is an answer; its text reaches the child alone; what it handed in can be adopted", async () => {
    const isChild = ({ seen }: WireRequest) => seen.messages[0]!.text!.includes("What of the risk?");
    const adopting = calls([
      "submit_answer",
      { locale: "en-US", sentences: [RETURN], sources: ["task:main/3.1/answer"] },
    ]);
    const own = inOrder(list, answer(RETURN), consult("builtin/risk"), read, adopting, finish);
    const child = inOrder(list, read, answer(RETURN), finish);
    script = (request, turn) => (isChild(request) ? child : own)(request, turn);
    const asked = await say("How risky?", { research: true, expert: "builtin/risk" });
    expect(asked.outcome.end?.code).toBe("FINISHED");
    expect(results()).toContain("EXPERT_NOT_CONSULTED");
    const shown = await show(asked.root_id);
    expect(shown.experts).toMatchObject([{ agent_id: "builtin/risk", chosen: { by: "person" }, refused: null }]);
    const [{ admitted, delivered, adopted }] = shown.experts as [ShownRun["experts"][number]];
    expect([admitted?.task_id, delivered === null, adopted?.output]).toEqual(["main/3.1", false, "answer"]);
    printed = "";
    await runs.showOne(config, asked.root_id, {});
    expect(printed).toContain("admitted, delivered, adopted");
  });

  it("is not replaced by another", async () => {
    script = inOrder(consult("builtin/macro"), consult("builtin/risk"), list, read, answer(RETURN), finish);
    await say("How risky?", { research: true, expert: "builtin/risk" });
    expect(results()).toContain("EXPERT_NOT_CHOSEN");
  });

  it("is consulted without a model too, which adopts nothing of it", async () => {
    process.env.ASSAY_MODEL = "builtin:answerer";
    const asked = await say("How risky?", { research: true, expert: "builtin/risk" });
    expect(asked.outcome.end?.code).toBe("FINISHED");
    const [use] = (await show(asked.root_id)).experts;
    expect([use!.admitted === null, use!.delivered === null, use!.adopted]).toEqual([false, false, null]);
  });
});

describe("what the terminal does not do", () => {
  it("a name that is typed is no person; permissions and approvals need one", async () => {
    const accept = (asked: Asked, producer: string) =>
      fresh.database.inTenant("main", (tx) =>
        acceptRequest(
          tx,
          { tenant: "main", at: "2026-05-04T00:00:00.000Z" },
          { root_id: "r", task_id: "main", producer, recipient: null, expires_at: "2999-01-01T00:00:00.000Z", asked },
        ),
      );
    const [permission, approval] = [await accept(PERMISSION, "p"), await accept(APPROVAL, "a")];
    const given = { revision: 1, decision: "grant" };
    await expect(respond(config, permission.request.interaction_id, given)).rejects.toMatchObject({
      code: "PERSON_REQUIRED",
    });
    await expect(
      respond(config, approval.request.interaction_id, { revision: 1, decision: "approve" }),
    ).rejects.toMatchObject({ code: "PERSON_REQUIRED" });
    await expect(respond(config, permission.request.interaction_id, { ...given, as: "ana" })).rejects.toMatchObject({
      code: "PERSON_UNPROVEN",
    });
    await expect(
      respond(config, approval.request.interaction_id, { revision: 1, text: "yes, approve" }),
    ).rejects.toMatchObject({ code: "PERSON_REQUIRED" });
  });

  it("text of others does not move the cursor", async () => {
    script = inOrder(list, read, answer(RETURN), finish);
    await ask(config, "How \u001b[2Jdid it do?", { batch: BATCH, card: [CARD] });
    printed = "";
    await runs.listAll(config, {});
    expect(printed).not.toContain("\u001b");
  });

  it("an effect is found out about where there is one, in one of two ways", async () => {
    script = inOrder(list, read, answer(RETURN), finish);
    const { root_id } = await say("How?");
    const find = (given: object) => runs.reconcile(config, root_id, "main#1.1", { note: "looked", ...given });
    await expect(find({})).rejects.toMatchObject({ code: "FINDING_MISSING" });
    await expect(find({ happened: true })).rejects.toMatchObject({ code: "CALL_NOT_UNKNOWN" });
  });

  it("two at once work at one run once", async () => {
    script = inOrder(list, read, answer(RETURN), finish);
    const both = await withServices(config, {}, async () =>
      Promise.all(["a", "b"].map(() => ask(config, "Once?", { batch: BATCH, card: [CARD], messageId: "once" }))),
    );
    expect(both).toHaveLength(2);
    const lines = await json<ShownRun[]>(() => runs.listAll(config, { json: true }));
    expect(lines.filter(({ text }) => text === "Once?")).toHaveLength(1);
  });
});
describe("assay expert", () => {
  it("lists, saves, shows, disables and deletes; a conflict prints both texts", async () => {
    const file = join(fresh.dataDir, "method.txt");
    await writeFile(file, "First, the price.\n");
    interface Saved {
      expert_id: string;
      revision: number;
      state: string;
    }
    const given = { name: "Worth", description: "Worth and price.", instructions: file, json: true };
    const saved = await json<Saved>(() => expert.save(config, undefined, given));
    expect(saved).toMatchObject({ revision: 1, state: "enabled" });
    const id = `user/${saved.expert_id}`;
    const second = await json<Saved>(() => expert.save(config, id, { name: "Value", revision: 1, json: true }));
    expect(second.revision).toBe(2);

    printed = "";
    await writeFile(file, "My own words.\n");
    await expect(expert.save(config, id, { instructions: file, revision: 1 })).rejects.toMatchObject({
      code: "EXPERT_CONFLICT",
    });
    expect(printed).toContain("First, the price.");
    expect(printed).toContain("My own words.");
    await expect(expert.save(config, id, { name: "X" })).rejects.toMatchObject({ code: "EXPERT_REVISION_MISSING" });

    printed = "";
    await expert.show(config, id, {});
    expect(printed).toContain("revision 2");
    await expert.turn(config, "disable", id, { revision: 2 });
    await expert.turn(config, "delete", id, { revision: 3 });
    printed = "";
    await expert.list(config, {});
    expect(printed).toContain("builtin/cost-tracking");
    expect(printed).not.toContain(saved.expert_id);
    await expect(expert.turn(config, "enable", id, { revision: 4 })).rejects.toMatchObject({ code: "EXPERT_UNKNOWN" });
  });

  it.each([
    ["no such file", "nowhere.txt", "FILE_MISSING"],
    ["a folder", ".", "FILE_MISSING"],
  ])("instructions from %s are refused", async (_name, path, code) => {
    const given = { name: "a", description: "b", instructions: join(fresh.dataDir, path) };
    await expect(expert.save(config, undefined, given)).rejects.toMatchObject({ code });
  });
});
