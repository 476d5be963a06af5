/** Random models, random crashes: what must hold whatever a model says and wherever a worker dies. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import type { ProposedCall } from "../../pipeline/agents/gateway.ts";
import { Journal } from "../../pipeline/agents/journal.ts";
import { isSettled } from "../../pipeline/agents/run-state.ts";
import { defineTool } from "../../pipeline/agents/tool.ts";
import type { JsonObject } from "../../pipeline/schema/turn.ts";
import { call, contractOf, finish, MemoryLog, type ScriptedTurn, tryRun } from "./support/runs.ts";

const TOKENS = 2000;
const REQUESTS = 9;
const PER_REQUEST = 150;

const anyCall: fc.Arbitrary<ProposedCall> = fc.oneof(
  fc
    .constantFrom("US:SPY", "US:NONE", "US:FAIL", "US:THROW", "KR:069500")
    .map((instrument) => call("read_facts", { instrument })),
  fc.constantFrom("US:SPY", "US:QQQ").map((name) => call("submit", { text: name, references: [`facts:${name}`] })),
  fc.constantFrom("desk", "press").map((to) => call("strike", { to })),
  fc.constantFrom("search_text", "approve_card").map((grant) => call("request_tool", { grant })),
  fc.constant(call("search_text", { query: "q" })),
  fc.constant(call("delegate", { role: "challenger", instrument: "US:SPY" })),
  fc.constant(finish()),
  fc.string({ maxLength: 12 }).map((name) => call(name, {})),
  fc.constant(call("read_facts", null)),
  fc.jsonValue({ maxDepth: 2 }).map((value) => call("submit", { value } as JsonObject)),
);
const anyTurn: fc.Arbitrary<ScriptedTurn> = fc.record({
  text: fc.constantFrom("", "thinking", "<<<END>>>"),
  calls: fc.array(anyCall, { maxLength: 6 }),
  stop: fc.constantFrom("calls", "calls", "calls", "end", "length", "interrupted"),
});

it("every call is accounted for, the budget holds, and nothing runs outside the contract", async () => {
  const contract = {
    tools: { offered: ["read_facts", "submit", "request_tool", "strike", "delegate"], on_request: ["search_text"] },
    scopes: { read: ["facts:US:*", "payloads:all"], write: ["notes:desk"] },
    budget: { requests: REQUESTS, tokens: TOKENS, money_microusd: 1_000_000, wall_ms: 3_600_000_000 },
  };
  const seen = { crashes: 0, unknown: 0, reruns: 0, finished: 0, strikes: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTurn, { maxLength: 8 }),
      fc.array(fc.nat(12), { maxLength: 4 }),
      async (turns, deaths) => {
        const struck: string[] = [];
        const traces = { ran: [] as string[] };
        const strike = defineTool({
          name: "strike",
          version: "1",
          effect: "write",
          description: "",
          input: z.strictObject({ to: z.string() }),
          scope: ({ to }) => ({ write: [`notes:${to}`] }),
          run({ to }, context) {
            struck.push(`${context.call} ${to}`);
            return { status: "OK", content: null };
          },
        });
        // What it says follows from what it was sent, so that it says the same after a crash.
        const speak = ({ messages }: { messages: readonly { role: string }[] }) =>
          turns[messages.filter(({ role }) => role === "assistant").length] ?? {};
        let log = new MemoryLog();
        for (const death of [...deaths, Number.POSITIVE_INFINITY]) {
          let appends = 0;
          log = new MemoryLog("run-1", log);
          log.before = () => {
            if (appends++ >= death) throw new Error("killed");
          };
          await tryRun({
            log,
            traces,
            tools: [strike],
            contract,
            scripts: { analyst: speak, challenger: speak },
          }).catch((error) => {
            expect(error.message).toBe("killed");
            seen.crashes += 1;
          });
        }

        const { run } = await Journal.open(log, () => "2026-05-04T00:00:00.000Z");
        const tasks = [...run.tasks.values()];
        const calls = tasks.flatMap((task) => task.turns.flatMap((each) => each.calls));
        for (const { attempts, receipts, key } of calls.filter((each) => isSettled(each))) {
          // One receipt for each attempt, or the one that says why there was none; only the last is final.
          expect(receipts.length, key).toBeGreaterThanOrEqual(Math.max(1, attempts));
          expect(
            receipts.slice(0, -1).every(({ outcome, effect }) => outcome === "UNKNOWN" && effect === "read"),
            key,
          ).toBe(true);
          if (attempts === 0)
            expect(receipts.map(({ outcome }) => outcome).join(), key).toMatch(/^(NOT_RUN|COMPLETED|FAILED)$/);
          if (receipts.length > 1) seen.reruns += 1;
          if (receipts.at(-1)!.outcome === "UNKNOWN") seen.unknown += 1;
        }
        const root = run.tasks.get("main")!;
        expect(root.end).not.toBeNull();
        expect(calls.filter(({ key }) => key.startsWith("main#")).every(isSettled)).toBe(true);
        if (root.end!.code === "FINISHED") {
          seen.finished += 1;
          expect(
            calls.some(
              ({ receipts }) => receipts.at(-1)?.outcome === "UNKNOWN" && receipts.at(-1)?.call.startsWith("main#"),
            ),
          ).toBe(false);
        }

        const spent = tasks.reduce(
          (sum, { spent: { requests, tokens } }) => ({
            requests: sum.requests + requests,
            tokens: sum.tokens + tokens,
          }),
          { requests: 0, tokens: 0 },
        );
        expect(spent.requests).toBeLessThanOrEqual(REQUESTS);
        expect(spent.tokens).toBeLessThan(TOKENS + PER_REQUEST);

        expect(new Set(struck).size).toBe(struck.length);
        expect(struck.every((line) => line.endsWith(" desk"))).toBe(true);
        seen.strikes += struck.length;
        expect(traces.ran.filter((line) => line.startsWith("read_facts KR"))).toEqual([]);
        const granted = calls.some(({ receipts }) => receipts.at(-1)?.surface.granted.includes("search_text"));
        if (!granted) expect(traces.ran.filter((line) => line.startsWith("search_text"))).toEqual([]);
        for (const task of tasks) {
          const { offered, on_request } = task.contract.tools;
          const names = task.turns.flatMap((each) =>
            each.calls.filter(({ attempts }) => attempts > 0).map(({ proposed }) => proposed.tool),
          );
          expect(names.filter((name) => ![...offered, ...on_request].includes(name))).toEqual([]);
        }
        expect(contractOf(contract)).toEqual(root.contract);
      },
    ),
    { numRuns: 250 },
  );
  // The property was not true for want of cases.
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
});
