import { describe, expect, it } from "vitest";
import { z } from "zod";
import { assertWithin, type Handoff } from "../../pipeline/agents/children.ts";
import { getTask } from "../../pipeline/agents/run-state.ts";
import { defineTool } from "../../pipeline/agents/tool.ts";
import type { TaskContract } from "../../pipeline/schema/task.ts";
import { call, contractOf, finish, tryRun, turn } from "./support/runs.ts";

const parent = contractOf({ inputs: ["doc-1"], scopes: { read: ["facts:US:*"], write: [] } });
const child = (changes: Partial<TaskContract>): TaskContract => ({
  ...parent,
  task_id: "main/1.1",
  parent_id: "main",
  tools: { offered: ["read_facts"], on_request: [] },
  ...changes,
});

describe("a child's contract lies within its parent's", () => {
  it.each<[string, Partial<TaskContract>]>([
    ["as the parent's", {}],
    ["narrower scope", { scopes: { read: ["facts:US:SPY"], write: [] } }],
    ["its input", { inputs: ["doc-1"] }],
    ["less to spend", { budget: { ...parent.budget, requests: 1, money_microusd: 0 } }],
  ])("%s: allowed", (_name, changes) => {
    expect(() => assertWithin(parent, child(changes))).not.toThrow();
  });

  it.each<[string, Partial<TaskContract>]>([
    ["another tenant", { tenant: "other" }],
    ["another run", { root_id: "run-2" }],
    ["another parent", { parent_id: "elsewhere" }],
    ["a name that is not below", { task_id: "main2" }],
    ["a tool that the parent is not offered", { tools: { offered: ["approve_card"], on_request: [] } }],
    ["a tool that the parent could only ask for", { tools: { offered: ["search_text"], on_request: [] } }],
    ["a wider scope", { scopes: { read: ["facts:*"], write: [] } }],
    ["another market", { scopes: { read: ["facts:KR:069500"], write: [] } }],
    ["a write", { scopes: { read: [], write: ["notes:desk"] } }],
    ["another input", { inputs: ["doc-2"] }],
    ["more requests", { budget: { ...parent.budget, requests: 13 } }],
    ["more tokens", { budget: { ...parent.budget, tokens: 100_001 } }],
    ["more time", { budget: { ...parent.budget, wall_ms: 3_600_001 } }],
    ["money without limit", { budget: { ...parent.budget, money_microusd: null } }],
    ["more calls a turn", { calls_per_turn: parent.calls_per_turn + 1 }],
    ["more failures in a row", { retry: { ...parent.retry, failures: parent.retry.failures + 1 } }],
    ["more idle turns", { retry: { ...parent.retry, idle_turns: parent.retry.idle_turns + 1 } }],
  ])("%s: refused", (_name, changes) => {
    expect(() => assertWithin(parent, child(changes))).toThrow(
      expect.objectContaining({ code: "CHILD_OUTSIDE_PARENT" }),
    );
  });

  it("in a run too: the child is never opened, and its parent sees a coded failure", async () => {
    const { journal, receipts } = await tryRun({
      contract: { scopes: { read: ["facts:US:SPY"], write: [] } },
      scripts: { analyst: [turn(call("delegate", { role: "challenger", instrument: "US:QQQ" }))] },
    });
    expect([...journal.run.tasks.keys()]).toEqual(["main"]);
    expect(receipts[0]).toMatchObject({ outcome: "FAILED", code: "CHILD_OUTSIDE_PARENT" });
  });
});

it("a tool opens children of the task that it was called in, and of no other", async () => {
  const stray = defineTool({
    name: "stray",
    version: "1",
    effect: "read",
    description: "",
    input: z.strictObject({}),
    scope: () => ({}),
    async run(_input, { contract, runChild }) {
      const isRoot = contract.parent_id === null;
      // Called in the child, it names the root as parent.
      const handoff = await runChild(
        { ...contract, task_id: isRoot ? "main/a" : "main/b", parent_id: "main" },
        { schema: "task_request/v1", words: "Go.", blocks: [] },
      );
      return { status: "OK", content: handoff.gaps };
    },
  });
  const tools = { offered: ["stray"], on_request: [] };
  let asked = 0;
  const { journal, receipts } = await tryRun({
    tools: [stray],
    contract: { tools },
    scripts: { analyst: () => (asked++ < 2 ? turn(call("stray")) : { stop: "refusal" }) },
  });
  expect([...journal.run.tasks.keys()]).toEqual(["main", "main/a"]);
  expect(receipts.find(({ call: key }) => key === "main/a#1.1")).toMatchObject({ code: "CHILD_OUTSIDE_PARENT" });
});

describe("what a child hands back", () => {
  const delegate = call("delegate", { role: "challenger", instrument: "US:QQQ" });
  const challenger = [
    turn(call("read_facts", { instrument: "US:QQQ" }), call("read_facts", { instrument: "US:SPY" }), call("nope")),
    turn(call("submit", { text: "doubtful", references: ["facts:US:QQQ"] }), finish()),
  ];

  it("outputs, sources with ranges, and gaps as the host saw them", async () => {
    const { journal, receipts } = await tryRun({ scripts: { analyst: [turn(delegate)], challenger } });
    const receipt = receipts.find(({ tool }) => tool === "delegate")!;
    const handoff = journal.document<Handoff>(receipt.result_digest!);
    expect(handoff).toMatchObject({
      task_id: "main/1.1",
      end: { code: "FINISHED" },
      is_partial: false,
      outputs: [{ name: "claims", document: { text: "doubtful" } }],
      sources: [{ id: "facts:US:QQQ", ranges: ["total_return.1y"] }],
      gaps: [
        { call: "main/1.1#1.2", tool: "read_facts", code: "OUTSIDE_SCOPE" },
        { call: "main/1.1#1.3", tool: "nope", code: "TOOL_UNKNOWN" },
      ],
    });
  });

  it("what a child read its parent has not read", async () => {
    const submit = (reference: string) => turn(call("submit", { text: "t", references: [reference] }), finish());
    const claiming = async (reference: string) =>
      (await tryRun({ scripts: { analyst: [turn(delegate), submit(reference)], challenger } })).task.end?.code;
    expect(await claiming("facts:US:QQQ")).not.toBe("FINISHED");
    expect(await claiming("task:main/1.1/claims")).toBe("FINISHED");
  });

  it("a partial answer says that it is one", async () => {
    const { journal, receipts } = await tryRun({
      scripts: {
        analyst: [turn(delegate)],
        challenger: [turn(call("submit", { text: "so far", references: [] })), { stop: "refusal" }],
      },
    });
    const receipt = receipts.find(({ tool }) => tool === "delegate")!;
    expect(journal.document<Handoff>(receipt.result_digest!)).toMatchObject({
      is_partial: true,
      end: { code: "MODEL_REFUSED" },
      outputs: [{ document: { text: "so far" } }],
    });
  });

  it("children run beside each other and leave one journal", async () => {
    const both = defineTool({
      name: "both",
      version: "1",
      effect: "read",
      description: "",
      input: z.strictObject({}),
      scope: () => ({}),
      async run(_input, { contract, runChild }) {
        const ask = (task_id: string) =>
          runChild(
            {
              ...contract,
              task_id,
              parent_id: "main",
              role: task_id.slice(5),
              tools: { offered: ["read_facts", "submit"], on_request: [] },
            },
            { schema: "task_request/v1", words: "Go.", blocks: [] },
          );
        const handoffs = await Promise.all([ask("main/a"), ask("main/b")]);
        return { status: "OK", content: handoffs.map(({ end }) => end.code) };
      },
    });
    const script = [
      turn(call("read_facts", { instrument: "US:1" })),
      turn(call("submit", { text: "t", references: [] }), finish()),
    ];
    const own = () => {
      let asked = 0;
      return () => script[asked++] ?? {};
    };
    const { journal, log } = await tryRun({
      tools: [both],
      contract: { tools: { offered: ["both", "read_facts", "submit"], on_request: [] } },
      scripts: { analyst: [turn(call("both"))], a: own(), b: own() },
    });
    expect(["main/a", "main/b"].map((id) => getTask(journal.run, id).end?.code)).toEqual(["FINISHED", "FINISHED"]);
    expect(log.entries.map(({ seq }) => seq)).toEqual(log.entries.map((_, index) => index + 1));
  });
});
