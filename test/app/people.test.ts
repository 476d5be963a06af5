import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ShownRun } from "../../pipeline/agents/conversation/runs.ts";
import { makeRunStarter } from "../../pipeline/agents/conversation/start-run.ts";
import { acceptRequest } from "../../pipeline/agents/interactions/act.ts";
import { askUser } from "../../pipeline/agents/interactions/ask-user.ts";
import { makeToolbox } from "../../pipeline/agents/tool.ts";
import { ask } from "../../pipeline/app/commands/ask.ts";
import * as expert from "../../pipeline/app/commands/expert.ts";
import { inbox } from "../../pipeline/app/commands/inbox.ts";
import { respond } from "../../pipeline/app/commands/respond.ts";
import { resume } from "../../pipeline/app/commands/resume.ts";
import * as runs from "../../pipeline/app/commands/runs.ts";
import type { Config } from "../../pipeline/app/config.ts";
import type { Services } from "../../pipeline/app/wiring.ts";
import { appendEvents } from "../../pipeline/ledger/append.ts";
import type { Asked } from "../../pipeline/schema/interaction.ts";
import { openObjects } from "../../pipeline/store/objects.ts";
import { APPROVAL, PERMISSION } from "../agents/interactions/support.ts";
import { call, contractOf, scriptedGateway, turn } from "../agents/support/runs.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";

/** A model that asks when it is asked to, waits if that was said, and then answers in words. */
vi.mock("../../pipeline/app/run-starter.ts", () => ({
  openRunStarter: async ({ database, config, now, newId }: Services) =>
    makeRunStarter({
      database,
      tenant: config.tenant,
      holder: newId(),
      lease_ms: 60_000,
      now,
      async planRun({ root_id, sender, terms }) {
        const acting = () => ({ tenant: config.tenant, at: now() });
        const tool = askUser(
          {
            accept: (asking) => database.inTenant(config.tenant, (tx) => acceptRequest(tx, acting(), asking)),
            revise: () => Promise.reject(new Error("not here")),
          },
          { recipient: sender, open_ms: 600_000 },
        );
        const gateway = scriptedGateway(({ messages }) => {
          const said = messages.map((message) => (message.role === "user" ? message.text : "")).join(" ");
          const hasAsked = messages.some(({ role }) => role === "assistant");
          const mode = said.includes("wait") ? "blocking" : "non_blocking";
          if (said.includes("ask") && !hasAsked) return turn(call("ask_user", { question: "Which index?", mode }));
          return { text: `You said: ${said}` };
        });
        return {
          host: {
            modelFor: () => ({
              gateway,
              model: "m-1",
              settings: { max_output_tokens: 1000, temperature: null },
              timeout_ms: 60_000,
              characters_max: 100_000,
            }),
            roleText: () => "You answer.",
            toolbox: makeToolbox([tool]),
            rules: [],
          },
          contract: contractOf({ root_id, stop_rule: "text", tools: { offered: ["ask_user"], on_request: [] } }),
          request: { schema: "task_request/v1", words: terms.added_text ?? terms.ask.text, blocks: [] },
        };
      },
    }),
}));

let fresh: FreshDatabase;
let config: Config;
let printed = "";
beforeAll(async () => {
  fresh = await freshDatabase();
  config = {
    root: process.cwd(),
    dataDir: fresh.dataDir,
    databaseUrl: fresh.appUrl,
    adminDatabaseUrl: null,
    redisUrl: null,
    chromePath: null,
    allowRoots: [],
    tenant: "main",
    version: "0.0.0",
    isTerminal: false,
  };
  const document = JSON.stringify({ instruments: [{ instrument: "US:SPY" }] });
  const frozen = await openObjects(fresh.dataDir).put(Buffer.from(document));
  const body = { batch: "demo", frozen, title: "Demo", as_of: "2026-05-04T00:00:00.000Z", instruments: 1, folder: "x" };
  await fresh.database.inTenant("main", (tx) =>
    appendEvents(tx, {
      tenant: "main",
      actor: "assay",
      at: "2026-05-04T00:00:00.000Z",
      events: [{ type: "batch_received/v1", body }],
    }),
  );
});
afterAll(() => fresh.drop());
beforeEach(() => {
  printed = "";
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
const demo = (text: string, options: object = {}) =>
  json<AskedRun>(() => ask(config, text, { batch: "demo", card: ["US:SPY"], json: true, ...options }));
const open = () =>
  json<{ request: { interaction_id: string; root_id: string } }[]>(() => inbox(config, { json: true }));
const show = (run: string) => json<ShownRun>(() => runs.showOne(config, run, { json: true }));

describe("assay ask", () => {
  it("prints the answer, and the run is shown with what it spent", async () => {
    await ask(config, "How did it do?", { batch: "demo", card: ["US:SPY"] });
    expect(printed).toContain("ended, FINISHED");
    expect(printed).toContain("You said: How did it do?");
    const [line] = await json<ShownRun[]>(() => runs.listAll(config, { json: true }));
    const shown = await show(line!.root_id);
    expect(shown).toMatchObject({ state: "ENDED", end_code: "FINISHED", batch: "demo", cards: ["US:SPY"] });
    expect(shown.turns).toMatchObject([{ role: "analyst", model: "scripted:m-1", cost_microusd: 10, latency_ms: 1 }]);
    printed = "";
    await runs.showOne(config, line!.root_id.slice(0, 8), {});
    expect(printed).toContain("1 requests, 150 tokens, 10 micro-USD");
  });

  it("the same message id and words is the original run; other words are a conflict", async () => {
    const first = await demo("Again?", { messageId: "id-1" });
    const again = await demo("Again?", { messageId: "id-1" });
    expect([again.root_id, again.is_replay, again.outcome]).toEqual([first.root_id, true, first.outcome]);
    await expect(demo("Other", { messageId: "id-1" })).rejects.toMatchObject({ code: "MESSAGE_CONFLICT" });
  });

  it.each([
    ["a batch that was not received", { batch: "nowhere" }, "BATCH_UNKNOWN"],
    ["no batch", { batch: undefined }, "BATCH_NOT_NAMED"],
    ["a card that is not in it", { card: ["US:QQQ"] }, "INSTRUMENT_UNKNOWN"],
    ["a card that is none", { card: ["../../etc"] }, "MESSAGE_MALFORMED"],
    ["a method without research", { expert: "builtin/risk" }, "MESSAGE_MALFORMED"],
    ["a method that is not there", { expert: `user/${randomUUID()}`, research: true }, "EXPERT_NOT_IN_CATALOGUE"],
    ["a message id that is none", { messageId: "a b" }, "MESSAGE_ID_MALFORMED"],
    ["a run to correct that is not there", { to: "00000000" }, "RUN_UNKNOWN"],
  ])("%s is refused and begins nothing", async (_name, options, code) => {
    const before = await json<unknown[]>(() => runs.listAll(config, { json: true }));
    await expect(demo("How?", options)).rejects.toMatchObject({ code });
    expect(await json<unknown[]>(() => runs.listAll(config, { json: true }))).toEqual(before);
  });
});

describe("assay inbox, respond, resume", () => {
  it("a run that waits is in the inbox, is answered, and goes on", async () => {
    const asked = await demo("ask me and wait");
    expect(asked.outcome.state).toBe("WAITING");
    const mine = (await open()).find(({ request }) => request.root_id === asked.root_id)!;
    printed = "";
    await inbox(config, {});
    expect(printed).toContain("the run waits");
    const id = mine.request.interaction_id;
    const receipt = await json(() =>
      respond(config, id, { revision: 1, text: "KOSPI 200", responseId: "r-1", json: true }),
    );
    expect(receipt).toMatchObject({ respondent: "cli", is_authenticated: false, client_response_id: "r-1" });
    expect(
      await json(() => respond(config, id, { revision: 1, text: "KOSPI 200", responseId: "r-1", json: true })),
    ).toEqual(receipt);
    expect((await show(asked.root_id)).interactions[0]!.adoption).toBeNull();
    await resume(config, asked.root_id.slice(0, 8), {});
    expect(printed).toContain("KOSPI 200");
    expect((await show(asked.root_id)).interactions[0]!.adoption).toMatchObject({ consumer: "main" });
    await expect(resume(config, asked.root_id, {})).rejects.toMatchObject({ code: "RUN_ENDED" });
  });

  it("a late answer is taken in by a run that continues the ended one", async () => {
    const asked = await demo("ask me");
    const { request } = (await show(asked.root_id)).interactions[0]!;
    printed = "";
    await inbox(config, {});
    expect(printed).toContain("its run has ended");
    await respond(config, request.interaction_id, { revision: 1, text: "S&P 500" });
    const next = await json<AskedRun>(() =>
      resume(config, asked.root_id, { continue: true, text: "Go on", json: true }),
    );
    const shown = await show(next.root_id);
    expect(shown.linked_to).toBe(asked.root_id);
    expect(JSON.stringify(shown.outputs)).toContain("S&P 500");
  });

  it("a stop ends the run that it names, though nobody is at work at it", async () => {
    const asked = await demo("ask me and wait");
    const stopped = await json<{ state: string }>(() => runs.stop(config, asked.root_id, { json: true }));
    expect(stopped.state).toBe("STOPPED");
    expect((await show(asked.root_id)).end_code).toBe("STOPPED");
  });

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
    await ask(config, "How \u001b[2Jdid it do?", { batch: "demo", card: [] });
    printed = "";
    await runs.listAll(config, {});
    expect(printed).not.toContain("\u001b");
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
