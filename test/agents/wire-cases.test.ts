/** Single cases of the loop, over each provider's real format: what is good runs, what is not is told, and nothing half is taken. */
import { describe, expect, it } from "vitest";
import { gatewayOpener } from "../../pipeline/agents/gateways/open.ts";
import { Journal } from "../../pipeline/agents/journal.ts";
import { runTask } from "../../pipeline/agents/loop.ts";
import { receiptsOf, surfaceOf } from "../../pipeline/agents/run-state.ts";
import { makeToolbox } from "../../pipeline/agents/tool.ts";
import { contractOf, MemoryLog, REQUEST, testTools, tickingClock } from "./support/runs.ts";
import type { WireCall } from "./wire/script.ts";
import { FORMATS, wireOptions } from "./wire/settings.ts";
import { startWire, type WireProvider, type WireTurn } from "./wire/start.ts";

const read = (instrument: string): WireCall => ({ tool: "read_facts", arguments: { instrument } });
const HAND_IN: WireCall = { tool: "submit", arguments: { text: "up", references: ["facts:US:SPY"] } };
const FINISH: WireCall = { tool: "finish", arguments: {} };
const MONEYLESS = { requests: 12, tokens: 100_000, money_microusd: null, wall_ms: 3_600_000 };

async function run(provider: WireProvider, script: WireTurn[]) {
  const wire = await startWire({ provider, script });
  try {
    const { gateway, model } = await gatewayOpener(wireOptions(wire.url))(`${provider}:m-1`);
    const ran: string[] = [];
    const now = tickingClock();
    const host = {
      modelFor: () => ({
        gateway,
        model,
        settings: { max_output_tokens: 1000, temperature: null },
        timeout_ms: 20_000,
        characters_max: 400_000,
      }),
      roleText: () => "You are the analyst.",
      toolbox: makeToolbox(testTools({ ran })),
      rules: [],
      now,
      signal: new AbortController().signal,
    };
    const journal = await Journal.open(new MemoryLog(), now);
    const task = await runTask(host, journal, contractOf({ budget: MONEYLESS }), REQUEST);
    const told = wire.requests.map(({ seen }) => seen.messages.findLast(({ role }) => role === "tool")?.results ?? []);
    return {
      task,
      ran,
      requests: wire.requests,
      faults: wire.faults,
      outcomes: receiptsOf(task).map(({ tool, outcome, code }) => [tool, outcome, code]),
      /** What the model was told of its last calls, request by request. */
      told: told.map((results) => results.map(({ output }) => summaryOf(output))),
    };
  } finally {
    await wire.close();
  }
}

/** Two formats have no mark for an error: it stands in the text, in all alike. */
function summaryOf(output: unknown): string {
  const { error, ...own } = output as { error?: object };
  const { status, code, data } = { ...own, ...error } as { status: string; code?: string; data?: unknown };
  return [status, code, data === undefined ? "" : "with data"].filter(Boolean).join(" ");
}

describe.each(FORMATS)("%s", (provider) => {
  it("one call bad and one good: the good one runs, the bad one is told why, and nothing is asked twice", async () => {
    const bad: WireCall = { tool: "read_facts", arguments: '{"instrument": "US:S' };
    const { ran, told, outcomes, task, requests, faults } = await run(provider, [
      { calls: [read("US:SPY"), bad, { tool: "__proto__", arguments: {} }, read("US:QQQ")] },
      { calls: [HAND_IN, FINISH] },
    ]);
    expect(ran).toEqual(["read_facts US:SPY", "read_facts US:QQQ", "submit up"]);
    expect(outcomes.slice(0, 4)).toEqual([
      ["read_facts", "COMPLETED", null],
      ["read_facts", "NOT_RUN", "ARGUMENTS_MALFORMED"],
      ["__proto__", "NOT_RUN", "TOOL_UNKNOWN"],
      ["read_facts", "COMPLETED", null],
    ]);
    const refused = ["NOT_RUN ARGUMENTS_MALFORMED", "NOT_RUN TOOL_UNKNOWN"];
    expect(told[1]).toEqual(["OK with data", ...refused, "OK with data"]);
    expect([requests.length, task.end?.code, faults]).toEqual([2, "FINISHED", []]);
  });

  it("a failed tool and an empty one bring no data, and nothing may rest on them", async () => {
    const onNothing: WireCall = { tool: "submit", arguments: { text: "up", references: ["facts:US:NONE"] } };
    const { told, outcomes, task } = await run(provider, [
      { calls: [read("US:FAIL"), read("US:NONE"), read("US:SPY")] },
      { calls: [onNothing, FINISH] },
      { calls: [HAND_IN, FINISH] },
    ]);
    expect(told[1]).toEqual(["FAILED SOURCE_MISSING", "EMPTY NOTHING_FOUND", "OK with data"]);
    expect(outcomes[4]).toEqual(["finish", "FAILED", "REFERENCE_NOT_READ"]);
    expect([task.end?.code, task.turns.length]).toEqual(["FINISHED", 3]);
  });

  it("tools that change within a turn are a boundary: what follows is not run, and the next request offers them", async () => {
    const grant: WireCall = { tool: "request_tool", arguments: { grant: "search_text" } };
    const search: WireCall = { tool: "search_text", arguments: { query: "x" } };
    const { ran, told, requests, task } = await run(provider, [
      { calls: [grant, search, read("US:SPY")] },
      { calls: [search, read("US:SPY")] },
      { calls: [HAND_IN, FINISH] },
    ]);
    expect(told[1]).toEqual(["OK", "NOT_RUN SURFACE_CHANGED", "NOT_RUN SURFACE_CHANGED"]);
    expect(ran).toEqual(["request_tool", "search_text x", "read_facts US:SPY", "submit up"]);
    const offered = requests.map(({ seen }) => seen.tools.some(({ name }) => name === "search_text"));
    expect(offered).toEqual([false, true, true]);
    expect([task.end?.code, surfaceOf(task).includes("search_text")]).toEqual(["FINISHED", true]);
  });

  it.each([false, true])(
    "a stream that breaks within a call discards it (reset: %s): recorded, not run, and told",
    async (reset) => {
      const note: WireCall = { tool: "send_note", arguments: { to: "desk" } };
      const trouble = [{ kind: "cut" as const, within: "arguments" as const, reset }];
      const { ran, requests, task } = await run(provider, [
        { text: "Now.", calls: [read("US:SPY"), note], trouble },
        { calls: [read("US:SPY"), HAND_IN, FINISH] },
      ]);
      const [broken] = task.turns;
      expect([broken!.turn.stop, broken!.calls.flatMap(({ receipts }) => receipts.map(({ code }) => code))]).toEqual([
        "interrupted",
        broken!.calls.map(() => "TURN_INTERRUPTED"),
      ]);
      expect(broken!.turn.discarded.join()).toContain("send_note");
      expect(ran).toEqual(["read_facts US:SPY", "submit up"]);
      expect(JSON.stringify(requests[1]!.seen.messages)).toContain("broke off on the way");
      expect(task.end?.code).toBe("FINISHED");
    },
  );
});
