/**
 * `assay run --model`: claims composed by a model over a provider's real wire format. The model here plays each role by the built-in
 * method of that role, so that what should come out is known; killed in the middle, nothing that was answered is asked again.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GatewayMessage } from "../../pipeline/agents/gateway.ts";
import { ROLES } from "../../pipeline/compose/roles/index.ts";
import { seenIn } from "../../pipeline/compose/roles/seen.ts";
import type { JsonObject } from "../../pipeline/schema/turn.ts";
import type { Conversation } from "../agents/wire/script.ts";
import { startWire, WIRE_KEY, type Wire, type WireTurn } from "../agents/wire/start.ts";
import { exampleIn, faultOf, type Place, place, query, rowsOf, succeeded } from "./support.ts";

const MODEL = "anthropic:by-method";
const CARD = "US:YBULN";
let here: Place;
let wire: Wire;
let batch: string;
/** After so many requests nobody answers any more. */
let silentAfter = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  wire = await startWire({
    provider: "anthropic",
    script: ({ seen }) => (wire.requests.length > silentAfter ? { trouble: { kind: "silence" } } : byMethod(seen)),
  });
  here = await place({ env: { ANTHROPIC_API_KEY: WIRE_KEY, ANTHROPIC_BASE_URL: wire.url } });
  batch = exampleIn(here.dir);
});
afterAll(() => wire.close());

/** The role is told by the host's words to it. */
function byMethod({ system, messages }: Conversation): WireTurn {
  const role = ROLES.find(({ words }) => system.includes(words));
  const wanted = role?.method(seenIn(toMessages(messages))) ?? [];
  if (wanted.length === 0) return { text: "Nothing more." };
  return { calls: wanted.map(({ tool, arguments: given }) => ({ tool, arguments: given })) };
}

function toMessages(messages: Conversation["messages"]): GatewayMessage[] {
  const tools = new Map(messages.flatMap(({ calls = [] }) => calls.map(({ call_id, tool }) => [call_id, tool])));
  return messages.map(({ role, text = "", calls = [], results = [] }): GatewayMessage => {
    if (role === "user") return { role, text };
    if (role === "assistant") {
      const made = calls.map((call) => ({ ...call, arguments: call.arguments as JsonObject, malformed: null }));
      return { role, text, calls: made };
    }
    const came = results.map(({ call_id, output, is_error = false }) => {
      return { call_id, tool: tools.get(call_id) ?? "", output, is_error: is_error || !isOk(output) };
    });
    return { role, results: came };
  });
}

const isOk = (output: unknown) => (output as { status?: string }).status === "OK";
const run = (out: string, ...more: string[]) =>
  ["run", batch, "--only", CARD, "--out", join(here.dir, out), ...more] as const;
const claimsIn = (out: string) => rowsOf(join(here.dir, out, "claims.csv"));
const sealed = async () =>
  (
    await query<{ count: number }>(
      here,
      "SELECT count(*)::int AS count FROM run_entry WHERE facts -> 'body' ->> 'type' = 'turn_sealed'",
    )
  )[0]!.count;

describe("a model composes the claims of a card", () => {
  it("killed in the middle, what it had answered is not asked again, and the claims are those of the same turns", async () => {
    silentAfter = 12;
    const running = await here.start(...run("by-model", "--model", MODEL));
    while (wire.requests.length <= silentAfter) await new Promise((resolve) => setTimeout(resolve, 100));
    running.process.kill("SIGKILL");
    await running.ended;
    const before = await sealed();
    expect(before).toBe(silentAfter);

    silentAfter = Number.POSITIVE_INFINITY;
    // At once: it waits until the lease of the killed worker has ended.
    succeeded(await here.assay(...run("by-model", "--model", MODEL)));
    // Every request but the one that nobody answered was sealed.
    expect(wire.requests.length).toBe((await sealed()) + 1);
    expect(wire.faults).toEqual([]);
    const claims = claimsIn("by-model");
    expect(claims.length).toBeGreaterThanOrEqual(5);

    succeeded(await here.assay(...run("by-method")));
    expect(claims.map(({ claim, text, verdict }) => [claim, text, verdict])).toEqual(
      claimsIn("by-method").map(({ claim, text, verdict }) => [claim, text, verdict]),
    );
  });

  it("a second run and a replay ask nobody", async () => {
    const before = wire.requests.length;
    succeeded(await here.call(...run("again", "--model", MODEL)));
    expect(claimsIn("again")).toEqual(claimsIn("by-model"));
    const { stdout } = succeeded(await here.call("replay", "example-csv", "--model", MODEL));
    expect(stdout).toContain("every digest the same");
    expect(wire.requests.length).toBe(before);
  });

  it("whoever looks at the card afterwards sees the run of that model", async () => {
    const { stdout } = succeeded(await here.call("runs", "card", CARD, "--batch", "example-csv"));
    expect(stdout).toContain(`${CARD} ko-KR: ${MODEL}, FINISHED`);
    const status = succeeded(await here.call("status", "example-csv", "--json")).stdout;
    expect(JSON.parse(status)[0].unfinished).not.toContain(CARD);
  });

  it("a key that is refused stops the run, records no card, and the next run asks again", async () => {
    const key = here.env.ANTHROPIC_API_KEY!;
    here.env.ANTHROPIC_API_KEY = "wrong";
    const args = run("refused", "--model", "anthropic:other", "--json");
    const refused = await here.call(...args);
    here.env.ANTHROPIC_API_KEY = key;
    expect(faultOf(refused).code).toBe("MODEL_REJECTED");
    succeeded(await here.call(...args));
    expect(claimsIn("refused").length).toBeGreaterThanOrEqual(5);
  });

  it("a model that is not configured is refused before any work", async () => {
    const refused = await here.call(...run("none", "--model", "openai:some", "--json"));
    expect(faultOf(refused).code).toBe("MODEL_NOT_CONFIGURED");
  });
});
