import { describe, expect, it } from "vitest";
import { spendingOf } from "../../pipeline/agents/budget.ts";
import { getTask } from "../../pipeline/agents/run-state.ts";
import { AssayError } from "../../pipeline/domain/outcome.ts";
import type { Budget } from "../../pipeline/schema/task.ts";
import { call, finish, MemoryLog, type ScriptedTurn, tickingClock, tryRun, turn } from "./support/runs.ts";

const BUDGET: Budget = { requests: 12, tokens: 100_000, money_microusd: 1_000_000, wall_ms: 3_600_000 };
const read = (n: number) => turn(call("read_facts", { instrument: `US:${n}` }));
const reads = Array.from({ length: 40 }, (_, n) => read(n));

describe("each limit ends the task, with its own code", () => {
  it.each<[string, Partial<Budget>, ScriptedTurn[], string, number]>([
    ["requests", { requests: 3 }, reads, "BUDGET_REQUESTS", 3],
    ["no request at all", { requests: 0 }, reads, "BUDGET_REQUESTS", 0],
    ["tokens: one request may go over, none after it", { tokens: 301 }, reads, "BUDGET_TOKENS", 3],
    ["money", { money_microusd: 20 }, reads, "BUDGET_MONEY", 2],
    [
      "money that cannot be counted",
      {},
      [{ ...(reads[0] as object), cost_microusd: null }, ...reads],
      "BUDGET_UNPRICED",
      1,
    ],
    [
      "tokens that nobody counted",
      { money_microusd: null },
      [{ ...(reads[0] as object), usage: null, cost_microusd: null }, ...reads],
      "BUDGET_UNMETERED",
      1,
    ],
    [
      "an answer that broke off was counted by nobody either, and is asked for again",
      { money_microusd: null, requests: 3 },
      [{ stop: "interrupted", usage: null, cost_microusd: null }, ...reads],
      "BUDGET_REQUESTS",
      3,
    ],
    ["time", { wall_ms: 20_000 }, reads, "BUDGET_WALL_TIME", 2],
    [
      "a gateway's own repetitions are requests",
      { requests: 4 },
      reads.map((each) => ({ ...(each as object), attempts: 3 })),
      "BUDGET_REQUESTS",
      6,
    ],
    [
      "failed requests are requests",
      { requests: 2 },
      Array.from({ length: 9 }, () => new AssayError("MODEL_UNAVAILABLE", "503", { retry: "later" })),
      "BUDGET_REQUESTS",
      2,
    ],
  ])("%s", async (_name, limits, scripts, code, requests) => {
    const { task } = await tryRun({
      contract: { budget: { ...BUDGET, ...limits }, retry: { failures: 9, idle_turns: 1 } },
      scripts,
    });
    expect([task.end?.code, task.spent.requests]).toEqual([code, requests]);
  });

  it("nothing to spend still lets through what costs nothing", async () => {
    const free = (each: ScriptedTurn) => ({ ...(each as object), cost_microusd: 0 });
    const script = [free(read(1)), free(turn(call("submit", { text: "t", references: ["facts:US:1"] }), finish()))];
    const { task } = await tryRun({ contract: { budget: { ...BUDGET, money_microusd: 0 } }, scripts: script });
    expect(task.end?.code).toBe("FINISHED");
  });

  it("no request is given more time than is left", async () => {
    const { requests } = await tryRun({ contract: { budget: { ...BUDGET, wall_ms: 30_000 } }, scripts: reads });
    expect(requests[0]!.timeout_ms).toBeLessThan(30_000);
    expect(requests[1]!.timeout_ms).toBeLessThan(requests[0]!.timeout_ms);
  });

  it("after the deadline a call is refused too", async () => {
    const late = ["2026-05-04T00:00:00.000Z", "2026-05-04T00:00:01.000Z"];
    let looks = 0;
    const { receipts, ran } = await tryRun({
      contract: { budget: { ...BUDGET, wall_ms: 5000 } },
      host: { now: () => (looks++ < 6 ? late[0]! : "2026-05-04T01:00:00.000Z") },
      scripts: [turn(...Array.from({ length: 4 }, (_, n) => call("read_facts", { instrument: `US:${n}` })))],
    });
    expect(receipts.at(-1)).toMatchObject({ outcome: "NOT_RUN", code: "BUDGET_WALL_TIME" });
    expect(ran.length).toBeLessThan(4);
  });
});

describe("the root owns the budget", () => {
  const child = [read(1), turn(call("submit", { text: "c", references: [] }), finish())];

  it("children draw on it", async () => {
    const delegate = turn(call("delegate", { role: "challenger", instrument: "US:1" }));
    const { journal, task } = await tryRun({ scripts: { analyst: [delegate, turn()], challenger: child } });
    const own = getTask(journal.run, "main/1.1").spent.requests;
    expect(own).toBe(2);
    expect(spendingOf(journal.run, task).requests).toBe(task.spent.requests + own);
  });

  it("a child's own limit ends the child, and the parent goes on", async () => {
    const delegate = turn(call("delegate", { role: "challenger", instrument: "US:1", requests: 1 }));
    const { journal, receipts } = await tryRun({
      scripts: { analyst: [delegate, turn(call("read_facts", { instrument: "US:2" }))], challenger: child },
    });
    expect(getTask(journal.run, "main/1.1").end?.code).toBe("BUDGET_REQUESTS");
    expect(receipts.find(({ tool }) => tool === "delegate")).toMatchObject({ code: "CHILD_BUDGET_REQUESTS" });
    expect(receipts.some(({ tool, outcome }) => tool === "read_facts" && outcome === "COMPLETED")).toBe(true);
  });

  it("what the root has spent is gone for a child, whatever the child's contract says", async () => {
    const delegate = turn(call("delegate", { role: "challenger", instrument: "US:1" }));
    const { journal, task } = await tryRun({
      contract: { budget: { ...BUDGET, requests: 3 } },
      scripts: { analyst: [read(0), delegate], challenger: child },
    });
    expect(getTask(journal.run, "main/2.1").spent.requests).toBe(1);
    expect([task.end?.code, spendingOf(journal.run, task).requests]).toEqual(["BUDGET_REQUESTS", 3]);
  });

  it("going on after a crash resets nothing: a request without an answer counts, and so does the time in between", async () => {
    const log = new MemoryLog();
    const dying = tryRun({ log, scripts: [read(1), new Error("killed")] });
    await expect(dying).rejects.toThrow("killed");
    const again = await tryRun({ log: new MemoryLog("run-1", log), contract: {}, scripts: reads });
    expect(again.task.spent.requests).toBe(12);
    expect(again.task.turns).toHaveLength(11);
    const late = await tryRun({
      log: new MemoryLog("run-1", log),
      host: { now: tickingClock("2026-05-04T02:00:00.000Z") },
      scripts: reads,
    });
    expect([late.task.end?.code, late.task.spent.requests]).toEqual(["BUDGET_WALL_TIME", 2]);
  });
});

describe("reminders", () => {
  const spoken = (text: string | undefined) => text?.includes("Few requests are left") ?? false;

  it("are in the request that they count for, and given once", async () => {
    const { requests, task, log } = await tryRun({ contract: { budget: { ...BUDGET, requests: 4 } }, scripts: reads });
    const given = requests.map(({ messages }) => spoken((messages.at(-1) as { text?: string }).text));
    expect(given).toEqual([false, false, true, false]);
    expect(task.reminders).toEqual(["REQUESTS_LOW"]);
    const dispatched = log.entries.flatMap(({ body }) => (body.type === "request_dispatched" ? [body.reminders] : []));
    expect(dispatched).toEqual([[], [], ["REQUESTS_LOW"], []]);
  });

  it("one that was due but never sent was not given", async () => {
    const log = new MemoryLog();
    log.before = (entries) => {
      if (entries.some(({ body }) => body.type === "request_dispatched" && body.reminders.length > 0))
        throw new Error("killed");
    };
    const contract = { budget: { ...BUDGET, requests: 4 } };
    await expect(tryRun({ log, contract, scripts: reads })).rejects.toThrow("killed");
    const again = await tryRun({ log: new MemoryLog("run-1", log), contract, scripts: reads });
    expect(spoken((again.requests[0]!.messages.at(-1) as { text?: string }).text)).toBe(true);
  });
});
