/** What a run has cost, by turn, role and in all; what nobody counted is never zero. */
import { describe, expect, it } from "vitest";
import { runSpending } from "../../pipeline/agents/spending.ts";
import { AssayError } from "../../pipeline/domain/outcome.ts";
import { call, finish, type ScriptedTurn, tryRun, turn } from "./support/runs.ts";

const submit = turn(call("submit", { text: "t", references: [] }), finish());
const read = (n: number) => turn(call("read_facts", { instrument: `US:${n}` }));
const said = (each: ScriptedTurn, changes: object): ScriptedTurn => ({ ...(each as object), ...changes });
const usage = (input: number, cached: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
});

describe("what a run has cost", () => {
  it("stands by turn and by role, and adds up", async () => {
    const delegate = turn(call("delegate", { role: "challenger", instrument: "US:1" }));
    const { journal } = await tryRun({
      scripts: {
        analyst: [
          said(delegate, { usage: usage(1000, 400, 30), cost_microusd: 70, latency_ms: 900, attempts: 3 }),
          said(submit, { usage: usage(1200, 1000, 20), cost_microusd: 20, latency_ms: 500 }),
        ],
        challenger: [said(submit, { usage: usage(300, 0, 9), cost_microusd: 5, latency_ms: 100 })],
      },
    });
    const { turns, roles, total } = runSpending(journal.run);
    expect(turns.map(({ task_id, role, turn, model }) => [task_id, role, turn, model])).toEqual([
      ["main", "analyst", 1, "scripted:m-1"],
      ["main", "analyst", 2, "scripted:m-1"],
      ["main/1.1", "challenger", 1, "scripted:m-1"],
    ]);
    expect(turns[0]).toMatchObject({ ...usage(1000, 400, 30), money_microusd: 70, latency_ms: 900, attempts: 3 });
    expect(roles).toEqual([
      {
        role: "analyst",
        requests: 4,
        unanswered: 2,
        input_tokens: { known: 2200, missing: 0 },
        cached_input_tokens: { known: 1400, missing: 0 },
        output_tokens: { known: 50, missing: 0 },
        money_microusd: { known: 90, missing: 0 },
        latency_ms: 1400,
      },
      expect.objectContaining({ role: "challenger", requests: 1, unanswered: 0 }),
    ]);
    expect(total).toMatchObject({
      requests: 5,
      input_tokens: { known: 2500, missing: 0 },
      money_microusd: { known: 95, missing: 0 },
      latency_ms: 1500,
    });
  });

  it("a model without a price, an answer that broke off and a request that failed are missing, not free", async () => {
    const { journal, task } = await tryRun({
      contract: { budget: { requests: 12, tokens: 100_000, money_microusd: null, wall_ms: 3_600_000 } },
      scripts: [
        new AssayError("MODEL_UNAVAILABLE", "503", { retry: "later" }),
        said(read(1), { cost_microusd: null }),
        { stop: "interrupted", usage: null, cost_microusd: null },
        submit,
      ],
    });
    expect(task.end?.code).toBe("FINISHED");
    expect(runSpending(journal.run).total).toMatchObject({
      requests: 4,
      unanswered: 1,
      input_tokens: { known: 200, missing: 1 },
      output_tokens: { known: 100, missing: 1 },
      money_microusd: { known: 10, missing: 2 },
    });
    expect(runSpending(journal.run).turns.map(({ output_tokens }) => output_tokens)).toEqual([50, null, 50]);
  });
});
