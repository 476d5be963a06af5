import { describe, expect, it } from "vitest";
import { getTask } from "../../pipeline/agents/run-state.ts";
import { call, finish, MemoryLog, storyOf, tickingClock, tryRun, turn } from "./support/runs.ts";

const ask = (blocking: boolean) => call("ask_user", { question: "Which benchmark?", blocking });
const read = call("read_facts", { instrument: "US:SPY" });
const submit = call("submit", { text: "up", references: ["facts:US:SPY"] });
const answer = { id: "a-1", kind: "words" as const, from: "person-1", text: "Against the S&P 500." };
const rest = [turn(submit, finish())];

describe("waiting for a person", () => {
  it("a question that does not block stops nothing", async () => {
    const { task } = await tryRun({ scripts: [turn(read, ask(false)), ...rest] });
    expect([task.end?.code, task.parked]).toEqual(["FINISHED", null]);
  });

  it("one that blocks parks the run when the turn's other calls are settled; no request goes out", async () => {
    const { task, log, requests } = await tryRun({ scripts: [turn(ask(true), read), ...rest] });
    expect([task.end, task.parked, requests.length]).toEqual([null, true, 1]);
    expect(storyOf(log).slice(-2)).toEqual(["call_settled main#1.2 COMPLETED", "task_parked"]);
  });

  it("started again without an answer it still waits, and leaves no mark", async () => {
    const { log } = await tryRun({ scripts: [turn(ask(true), read)] });
    const again = await tryRun({ log: new MemoryLog("run-1", log), scripts: rest });
    expect([again.task.parked, again.log.entries.length, again.requests.length]).toEqual([true, log.entries.length, 0]);
  });

  it("with an answer it goes on: in the next request, word for word, with what was spent", async () => {
    const { log } = await tryRun({ scripts: [turn(ask(true), read)] });
    const again = await tryRun({
      log: new MemoryLog("run-1", log),
      host: { takeInputs: async () => [answer] },
      scripts: rest,
    });
    expect(again.requests[0]!.messages.at(-1)).toEqual({ role: "user", text: answer.text });
    expect([again.task.end?.code, again.task.parked, again.task.spent.requests]).toEqual(["FINISHED", false, 2]);
  });

  it("an answer that is there already is adopted without parking", async () => {
    let looks = 0;
    const takeInputs = async () => (looks++ === 0 ? [] : [answer]);
    const { task, log } = await tryRun({ host: { takeInputs }, scripts: [turn(ask(true), read), ...rest] });
    expect(task.end?.code).toBe("FINISHED");
    expect(storyOf(log)).not.toContain("task_parked");
  });

  it("a run waits once: asked again it goes on", async () => {
    const { log } = await tryRun({ scripts: [turn(ask(true), read)] });
    const second = turn(call("ask_user", { question: "And which year?", blocking: true }));
    const again = await tryRun({
      log: new MemoryLog("run-1", log),
      host: { takeInputs: async () => [answer] },
      scripts: [second, ...rest],
    });
    expect(again.task.end?.code).toBe("FINISHED");
    expect(storyOf(again.log).filter((entry) => entry === "task_parked")).toHaveLength(1);
  });

  it("waiting moves no deadline", async () => {
    const { log } = await tryRun({ scripts: [turn(ask(true), read)] });
    const late = await tryRun({
      log: new MemoryLog("run-1", log),
      host: { takeInputs: async () => [answer], now: tickingClock("2026-05-04T02:00:00.000Z") },
      scripts: rest,
    });
    expect([late.task.end?.code, late.requests.length]).toEqual(["BUDGET_WALL_TIME", 0]);
  });

  it("a child does not wait: its parent has it in flight", async () => {
    const { journal } = await tryRun({
      scripts: {
        analyst: [turn(call("delegate", { role: "challenger", instrument: "US:SPY" }))],
        challenger: [turn(ask(true), read), ...rest],
      },
      contract: {},
    });
    expect(getTask(journal.run, "main/1.1")).toMatchObject({ parked: null, end: { code: "FINISHED" } });
  });
});
