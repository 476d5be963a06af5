import { describe, expect, it } from "vitest";
import { covers } from "../../pipeline/agents/admission.ts";
import type { GatewayAnswer } from "../../pipeline/agents/gateway.ts";
import { lostOutcome } from "../../pipeline/agents/recovery.ts";
import { ARGUMENTS_MAX, CALLS_MAX, sealTurn, TEXT_MAX } from "../../pipeline/agents/seal.ts";
import { makeToolbox } from "../../pipeline/agents/tool.ts";
import type { ProjectedInput } from "../../pipeline/schema/projected-input.ts";
import type { JsonObject } from "../../pipeline/schema/turn.ts";
import { call, contractOf, testTools } from "./support/runs.ts";

const answer = (changes: Partial<GatewayAnswer>): GatewayAnswer => ({
  text: "",
  calls: [],
  stop: "calls",
  discarded: [],
  usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 },
  cost_microusd: null,
  latency_ms: 1,
  attempts: 1,
  ...changes,
});
const seal = (changes: Partial<GatewayAnswer>) =>
  sealTurn(
    contractOf(),
    {
      provider: "p",
      model: "m",
      settings: { max_output_tokens: 1, temperature: null },
      input: { turn: 1, tool_surface_digest: "a".repeat(64) } as ProjectedInput,
      input_digest: "b".repeat(64),
    },
    answer(changes),
  );
const nested = (levels: number): JsonObject => (levels === 0 ? {} : { a: nested(levels - 1) });

describe("a sealed turn", () => {
  it.each<[string, JsonObject, string]>([
    ["too large", { text: "x".repeat(ARGUMENTS_MAX) }, "ARGUMENTS_TOO_LARGE"],
    ["too deep", nested(40), "ARGUMENTS_TOO_DEEP"],
    [
      "a prototype's key, deep inside",
      JSON.parse('{"a":[{"constructor":{"x":1}}]}'),
      "ARGUMENTS_KEY_REFUSED: constructor",
    ],
    ["a NUL", { text: "a\0" }, "ARGUMENTS_BROKEN_TEXT"],
    ["half a character in a key", { "\udc00": 1 }, "ARGUMENTS_BROKEN_TEXT"],
  ])("arguments that are %s are not repaired: there are none, with why", (_name, args, why) => {
    const [sealed] = seal({ calls: [call("submit", args, "c")] }).calls;
    expect(sealed).toMatchObject({ arguments: null });
    expect(sealed!.malformed).toContain(why);
  });

  it("good arguments stay as they are", () => {
    const args = { b: 1, a: ["한글", { x: null }] };
    expect(seal({ calls: [call("submit", args, "c")] }).calls[0]).toEqual({
      call_id: "c",
      tool: "submit",
      arguments: args,
      malformed: null,
    });
  });

  it("is bounded, and says what was cut", () => {
    const turn = seal({
      text: "y".repeat(TEXT_MAX + 1),
      calls: Array.from({ length: CALLS_MAX + 5 }, (_, n) => call("t".repeat(300), {}, `c${n}`)),
    });
    expect([turn.text.length, turn.calls.length, turn.calls[0]!.tool.length]).toEqual([TEXT_MAX, CALLS_MAX, 200]);
    expect(turn.discarded).toEqual(["5 further calls", `text beyond ${TEXT_MAX} of ${TEXT_MAX + 1} characters`]);
  });

  it("broken text of a model is shown as broken", () => {
    expect(seal({ text: "a\0\ud800b", discarded: ["\0"] })).toMatchObject({
      text: "a\uFFFD\uFFFDb",
      discarded: ["\uFFFD"],
    });
  });

  it.each<[string, Partial<GatewayAnswer>]>([
    ["a stop that is none", { stop: "done" as never }],
    ["negative tokens", { usage: { input_tokens: -1, cached_input_tokens: 0, output_tokens: 0 } }],
    ["money with a fraction", { cost_microusd: 0.5 }],
  ])("%s is no answer", (_name, changes) => {
    expect(() => seal(changes)).toThrow(expect.objectContaining({ code: "MODEL_ANSWER_MALFORMED" }));
  });
});

describe("scopes", () => {
  it.each([
    ["facts:US:SPY", "facts:US:SPY", true],
    ["facts:*", "facts:US:SPY", true],
    ["facts:US:*", "facts:US:SPY", true],
    ["facts:US:*", "facts:US:*", true],
    ["facts:US:*", "facts:*", false],
    ["facts:US:*", "facts:US", false],
    ["facts:US:SPY", "facts:US:SPYG", false],
    ["facts:*", "factsheet:1", false],
    ["", "facts:US:SPY", false],
  ])("%s covers %s: %s", (granted, asked, expected) => {
    expect(covers([granted], asked)).toBe(expected);
  });
});

describe("a lost call", () => {
  it.each([
    ["read", 1, "UNKNOWN"],
    ["read", 2, "UNKNOWN"],
    ["read", 3, "FAILED"],
    ["write", 1, "UNKNOWN"],
    ["write", 9, "UNKNOWN"],
  ] as const)("%s, lost %i times: %s", (effect, attempts, outcome) => {
    expect(lostOutcome({ key: "main#1.1", proposed: call("t"), attempts, receipts: [] }, effect).outcome).toBe(outcome);
  });
});

describe("a toolbox", () => {
  it("has no two tools of one name, and nobody else's finish", () => {
    const tools = testTools({ ran: [] });
    expect(() => makeToolbox([...tools, tools[0]!])).toThrow(expect.objectContaining({ code: "TOOL_NAME_TAKEN" }));
    expect(() => makeToolbox([{ ...tools[0]!, name: "finish" }])).toThrow(
      expect.objectContaining({ code: "TOOL_NAME_TAKEN" }),
    );
  });
});
