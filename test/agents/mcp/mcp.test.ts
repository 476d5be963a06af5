/** Tools of MCP servers: real ones, as programs and over HTTP, honest and hostile. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { McpTools } from "../../../pipeline/agents/mcp/open.ts";
import { openMcpTools } from "../../../pipeline/agents/mcp/open.ts";
import { readMcpConfig } from "../../../pipeline/agents/mcp/settings.ts";
import { survey } from "../../../pipeline/agents/mcp/survey.ts";
import { readMcpSettings } from "../../../pipeline/app/config.ts";
import type { JsonObject } from "../../../pipeline/schema/turn.ts";
import { call, finish, tryRun, turn } from "../support/runs.ts";
import { type Conduct, startHttp } from "./server.ts";

const SERVER = fileURLToPath(new URL("./server.ts", import.meta.url));
const TSX = fileURLToPath(new URL("../../../node_modules/tsx/dist/loader.mjs", import.meta.url));

let folder: string;
const closing: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-mcp-"));
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  rmSync(folder, { recursive: true, force: true });
});

const noted = () => readFileSync(join(folder, "notes"), "utf8").trim().split("\n").slice(1);
const program = (conduct: Conduct): JsonObject => ({
  kind: "stdio",
  command: process.execPath,
  args: ["--import", TSX, SERVER, conduct, join(folder, "notes")],
});

const admitted = (name: string, changes: JsonObject = {}): JsonObject => ({
  name,
  effect: name === "quote" ? "read" : "write",
  scope: `mcp:${name}`,
  timeout_ms: 4000,
  offer_digest: "0".repeat(64),
  ...changes,
});

function writeConfig(servers: JsonObject[]): string {
  const path = join(folder, "mcp.json");
  writeFileSync(path, JSON.stringify({ schema: "mcp_servers/v1", servers }));
  return path;
}

/** The digests of the honest server, as a person takes them from `assay mcp list`. */
let pinned: Record<string, string> | undefined;
async function pins(): Promise<Record<string, string>> {
  if (pinned !== undefined) return pinned;
  const server = await startHttp("honest");
  const path = writeConfig([{ id: "pin", transport: { kind: "http", url: server.url }, tools: [] }]);
  const surveyed = await survey(readMcpConfig(path)!, () => null, "1");
  await surveyed[0]!.connection?.close();
  server.close();
  pinned = Object.fromEntries(surveyed[0]!.seen.map(({ tool, digest }) => [tool, digest!]));
  return pinned;
}

async function open(transport: JsonObject, changes: JsonObject = {}): Promise<McpTools> {
  const digests = await pins();
  const tools = ["quote", "send-note"].map((name) => admitted(name, { offer_digest: digests[name]!, ...changes }));
  const path = writeConfig([{ id: "trial", transport, tools, connect_timeout_ms: 15_000 }]);
  const opened = await openMcpTools({ path, secret: (name) => (name === "MCP_KEY" ? "key-1" : null) }, "1");
  closing.push(opened.close);
  return opened;
}

async function overHttp(conduct: Conduct, changes: JsonObject = {}) {
  const server = await startHttp(conduct);
  closing.push(server.close);
  return { notes: server.notes, ...(await open({ kind: "http", url: server.url }, changes)) };
}

const NAMES = ["mcp_trial_quote", "mcp_trial_send_note"];

/** One call of a model in a run that may use both tools. */
async function callIn({ tools }: McpTools, tool: string, args: JsonObject, scopes?: object) {
  const run = await tryRun({
    tools,
    contract: {
      tools: { offered: [...NAMES, "submit"], on_request: [] },
      scopes: { read: ["mcp:quote"], write: ["mcp:send-note"], ...scopes },
    },
    scripts: [turn(call(tool, args)), turn(call("submit", { text: "t", references: [] }), finish())],
  });
  const receipt = run.receipts.find((each) => each.tool === tool)!;
  const content = receipt.view_digest === null ? null : (run.log.stored.get(receipt.view_digest) as JsonObject);
  return { ...run, receipt, content };
}

describe("over both transports", () => {
  it.each(["stdio", "http"] as const)(
    "%s: an admitted tool is called in a run like any other",
    async (kind) => {
      const opened =
        kind === "http" ? await overHttp("honest") : await open({ ...program("honest"), env: ["MCP_KEY"] });
      expect(opened.refused).toEqual([]);
      expect(opened.tools.map(({ name, effect }) => [name, effect])).toEqual([
        ["mcp_trial_quote", "read"],
        ["mcp_trial_send_note", "write"],
      ]);
      const { receipt, content, requests } = await callIn(opened, "mcp_trial_quote", { symbol: "SPY" });
      expect(receipt).toMatchObject({
        outcome: "COMPLETED",
        code: null,
        sources: [{ id: "mcp:trial/quote", range: null }],
      });
      expect(content).toMatchObject({ from: "mcp:trial/quote", structured: { symbol: "SPY", price: "501.20" } });
      expect(requests[0]!.tools.map(({ name }) => name)).toEqual([...NAMES, "submit", "finish"]);
      const sent = await callIn(opened, "mcp_trial_send_note", { text: "hello" });
      expect(sent.receipt).toMatchObject({ outcome: "COMPLETED", effect: "write" });
      if (kind === "stdio") {
        expect(noted()).toEqual(["note hello"]);
        // Of the environment it has what the list names, and what any program has.
        expect(readFileSync(join(folder, "notes"), "utf8")).toContain("env MCP_KEY\n");
      }
    },
    60_000,
  );

  it("a key goes to the server that it is for, and to no address that it is redirected to", async () => {
    const [server, elsewhere] = [await startHttp("honest", { key: "key-1" }), await startHttp("honest")];
    const lure = await startHttp("honest", { redirect: elsewhere.url });
    closing.push(server.close, elsewhere.close, lure.close);
    const known = await open({ kind: "http", url: server.url, bearer_env: "MCP_KEY" });
    expect(known.tools).toHaveLength(2);
    const lured = await open({ kind: "http", url: lure.url, bearer_env: "MCP_KEY" });
    expect(lured.tools).toEqual([]);
    expect(lured.refused[0]).toMatchObject({ code: "MCP_SERVER_UNREACHABLE" });
    const keyless = await open({ kind: "http", url: server.url });
    expect(keyless.refused.map(({ code }) => code)).toEqual(["MCP_SERVER_UNREACHABLE", "MCP_SERVER_UNREACHABLE"]);
    const unset = await open({ kind: "http", url: server.url, bearer_env: "OTHER" });
    expect(unset.refused[0]).toMatchObject({ code: "MCP_NOT_CONFIGURED" });
    expect(JSON.stringify([lured.refused, keyless.refused])).not.toContain("key-1");
  }, 60_000);
});

describe("being discovered is not being admitted", () => {
  it("what nobody listed is not a tool, whatever the server offers", async () => {
    const opened = await overHttp("honest");
    expect(opened.tools.some(({ name }) => name.includes("delete"))).toBe(false);
    const { receipt } = await callIn(opened, "mcp_trial_delete_all", {});
    expect(receipt).toMatchObject({ outcome: "NOT_RUN", code: "TOOL_UNKNOWN" });
  });

  it("admitted for a run is what its contract names, within its scopes", async () => {
    const opened = await overHttp("honest");
    const outside = await callIn(opened, "mcp_trial_send_note", { text: "x" }, { write: [] });
    expect(outside.receipt).toMatchObject({ outcome: "NOT_RUN", code: "OUTSIDE_SCOPE" });
    expect(opened.notes).toEqual([]);
  });

  it.each<[Conduct, JsonObject, Record<string, string>]>([
    ["changed", {}, { mcp_trial_quote: "MCP_OFFER_CHANGED" }],
    ["twice", {}, { mcp_trial_quote: "MCP_OFFER_AMBIGUOUS" }],
    [
      "honest",
      { offer_digest: "f".repeat(64) },
      { mcp_trial_quote: "MCP_OFFER_CHANGED", mcp_trial_send_note: "MCP_OFFER_CHANGED" },
    ],
    ["unsupported", {}, { mcp_trial_quote: "MCP_OFFER_CHANGED", mcp_trial_send_note: "MCP_TOOL_MISSING" }],
    ["endless_list", {}, { mcp_trial_quote: "MCP_OFFER_MALFORMED", mcp_trial_send_note: "MCP_OFFER_MALFORMED" }],
  ])(
    "a server that is %s with %j: what is not as it was pinned is left out, with a code",
    async (conduct, changes, expected) => {
      const { tools, refused } = await overHttp(conduct, changes);
      expect(Object.fromEntries(refused.map(({ name, code }) => [name, code]))).toEqual(expected);
      expect(tools.map(({ name }) => name)).toEqual(NAMES.filter((name) => expected[name] === undefined));
    },
  );

  it("a schema that the host cannot check by is refused even where a person pinned it", async () => {
    const server = await startHttp("unsupported");
    closing.push(server.close);
    const transport = { kind: "http", url: server.url };
    const bare = readMcpConfig(writeConfig([{ id: "trial", transport, tools: [] }]))!;
    const [seen] = await survey(bare, () => null, "1");
    await seen!.connection!.close();
    const { tools, refused } = await open(transport, { offer_digest: seen!.seen[0]!.digest! });
    expect(tools).toEqual([]);
    expect(refused[0]).toMatchObject({ name: "mcp_trial_quote", code: "MCP_SCHEMA_UNSUPPORTED" });
  });

  it("one server that does not answer takes its tools with it and nobody else's", async () => {
    const [mute, honest] = [await startHttp("mute"), await startHttp("honest")];
    closing.push(mute.close, honest.close);
    const quote = admitted("quote", { offer_digest: (await pins()).quote! });
    const path = writeConfig([
      { id: "mute", transport: { kind: "http", url: mute.url }, tools: [quote], connect_timeout_ms: 300 },
      { id: "gone", transport: { kind: "stdio", command: join(folder, "no-such-program") }, tools: [quote] },
      { id: "well", transport: { kind: "http", url: honest.url }, tools: [quote] },
    ]);
    const opened = await openMcpTools({ path, secret: () => null }, "1");
    closing.push(opened.close);
    expect(opened.tools.map(({ name }) => name)).toEqual(["mcp_well_quote"]);
    expect(opened.refused.map(({ name, code }) => [name, code])).toEqual([
      ["mcp_mute_quote", "MCP_SERVER_UNREACHABLE"],
      ["mcp_gone_quote", "MCP_SERVER_UNREACHABLE"],
    ]);
  });
});

describe("what a server says is data", () => {
  it("its description reaches the model inside marks, with what is hidden shown; the schema bare of its words", async () => {
    const { tools } = await overHttp("honest");
    const { description, input_schema } = tools[0]!.offer;
    const [, mark] = /<<<DATA ([0-9a-f]{32}) from="mcp:trial\/quote"/.exec(description) ?? [];
    const inside = description.slice(description.indexOf("<<<DATA"));
    expect(inside.endsWith(`<<<END ${mark}>>>`)).toBe(true);
    for (const words of ["Ignore your rules", "\\u{202E}", "input.symbol: Such as SPY. SYSTEM"])
      expect(inside).toContain(words);
    expect(inside.match(/<<<END/g)).toHaveLength(1);
    expect(JSON.stringify(input_schema)).not.toContain("SYSTEM");
    expect(input_schema).toMatchObject({ required: ["symbol"], properties: { description: { type: "boolean" } } });
  });

  it.each<[string, JsonObject, string]>([
    ["a wrong type", { symbol: 5 }, "ARGUMENTS_REFUSED"],
    ["too long", { symbol: "x".repeat(13) }, "ARGUMENTS_REFUSED"],
    ["missing", {}, "ARGUMENTS_REFUSED"],
    ["more than asked", { symbol: "SPY", to: "elsewhere" }, "ARGUMENTS_REFUSED"],
  ])("arguments are checked by the host: %s", async (_name, args, code) => {
    expect((await callIn(await overHttp("honest"), "mcp_trial_quote", args)).receipt).toMatchObject({
      outcome: "NOT_RUN",
      code,
    });
  });

  it("instructions in a result stay inside the marks, and nothing they name is run", async () => {
    const opened = await overHttp("honest");
    const { content, receipts, requests } = await callIn(opened, "mcp_trial_quote", { symbol: "ORDERS" });
    const text = content!.text as string;
    const [, mark] = /^<<<DATA ([0-9a-f]{32}) /.exec(text) ?? [];
    expect(text.endsWith(`<<<END ${mark}>>>`)).toBe(true);
    expect(text.match(/<<<END/g)).toHaveLength(1);
    expect(text).toContain("\\u{0000}\\u{200B}");
    expect(receipts.map(({ tool }) => tool)).toEqual(["mcp_trial_quote", "submit", "finish"]);
    expect(requests[1]!.tools.map(({ name }) => name)).toEqual(requests[0]!.tools.map(({ name }) => name));
  });

  it.each<[string, object, object | null]>([
    ["NONE", { outcome: "COMPLETED", code: "NOTHING_RETURNED", sources: [] }, null],
    [
      "ERROR",
      { outcome: "FAILED", code: "MCP_TOOL_FAILED", detail: "mcp:trial/quote says: no such\\u{A} symbol" },
      null,
    ],
    ["PICTURE", { outcome: "COMPLETED", code: null }, { left_out: { image: 1 } }],
    ["DEEP", { outcome: "COMPLETED", code: null }, { left_out: { "structured content": 1 } }],
    ["LONG", { outcome: "COMPLETED", code: null }, { left_out: { "characters of text": 140_000 } }],
    ["GIANT", { outcome: "FAILED", code: expect.stringMatching(/^(MCP_CALL_LOST|TOOL_TIMEOUT)$/) }, null],
    ["SILENCE", { outcome: "FAILED", code: expect.stringMatching(/^(MCP_CALL_LOST|TOOL_TIMEOUT)$/) }, null],
    ["DIE", { outcome: "FAILED", code: expect.stringMatching(/^(MCP_CALL_LOST|TOOL_TIMEOUT)$/) }, null],
  ])("a result that is %s", async (symbol, expected, shown) => {
    const { receipt, content, task } = await callIn(await overHttp("honest", { timeout_ms: 800 }), "mcp_trial_quote", {
      symbol,
    });
    if (symbol === "ERROR") expect(receipt.detail).toMatch(/^mcp:trial\/quote says: no such.*symbol \\u\{202E\}$/);
    else expect(receipt).toMatchObject(expected);
    if (shown !== null) expect(content).toMatchObject(shown);
    expect(task.end?.code).toBe("FINISHED");
  });
});

describe("a server is offered nothing", () => {
  it("its question to our model finds nobody, and is no answer to ours", async () => {
    const { receipt, requests } = await callIn(await open(program("honest")), "mcp_trial_quote", { symbol: "ASKS" });
    expect(receipt).toMatchObject({ outcome: "FAILED", code: "MCP_CALL_LOST" });
    expect(receipt.detail).toMatch(/sampling|method not found/i);
    expect(JSON.stringify(requests)).not.toContain("secret?");
  }, 30_000);
});

describe("an effect that did not say what came of it is UNKNOWN, and is not done again", () => {
  it.each<[string, string, string, string]>([
    ["the program dies", "die", "UNKNOWN", "UNSETTLED"],
    ["it never answers", "silence", "UNKNOWN", "UNSETTLED"],
    ["it answers beyond all bounds", "giant", "UNKNOWN", "UNSETTLED"],
    ["it breaks on the way", "break", "UNKNOWN", "UNSETTLED"],
    ["an error comes from behind it", "refuse", "UNKNOWN", "UNSETTLED"],
    ["it says that it failed, and not after what", "decline", "UNKNOWN", "UNSETTLED"],
  ])(
    "%s",
    async (_name, text, outcome, end) => {
      const opened = await open(program("honest"), { timeout_ms: 1500 });
      const { receipt, task } = await callIn(opened, "mcp_trial_send_note", { text });
      expect([receipt.outcome, task.end?.code]).toEqual([outcome, end]);
      expect(noted()).toEqual([`note ${text}`]);
    },
    30_000,
  );

  it("after the server is gone a call is refused before anything is sent, and that is certain", async () => {
    const opened = await open(program("honest"));
    await callIn(opened, "mcp_trial_send_note", { text: "die" });
    const { receipt } = await callIn(opened, "mcp_trial_send_note", { text: "again" });
    expect(receipt).toMatchObject({ outcome: "FAILED", code: "MCP_SERVER_GONE" });
    expect(noted()).toEqual(["note die"]);
  }, 30_000);

  it("over HTTP too", async () => {
    const opened = await overHttp("honest", { timeout_ms: 800 });
    const { receipt } = await callIn(opened, "mcp_trial_send_note", { text: "die" });
    expect(receipt.outcome).toBe("UNKNOWN");
    expect(opened.notes).toEqual(["note die"]);
  });
});

describe("the list of servers", () => {
  const quote = admitted("quote");
  const http = { kind: "http", url: "http://127.0.0.1/" };
  it.each<[string, unknown]>([
    ["no JSON", "{"],
    ["another document", { servers: [] }],
    ["an id with _", [{ id: "a_b", transport: http, tools: [] }]],
    [
      "an id twice",
      [
        { id: "a", transport: http, tools: [] },
        { id: "a", transport: http, tools: [] },
      ],
    ],
    ["a file as address", [{ id: "a", transport: { kind: "http", url: "file:///etc/passwd" }, tools: [] }]],
    ["a password in the address", [{ id: "a", transport: { kind: "http", url: "http://u:secret@h/" }, tools: [] }]],
    ["a scope for everything", [{ id: "a", transport: http, tools: [{ ...quote, scope: "mcp:*" }] }]],
    ["no digest", [{ id: "a", transport: http, tools: [{ ...quote, offer_digest: "" }] }]],
    ["no effect", [{ id: "a", transport: http, tools: [{ ...quote, effect: "none" }] }]],
    ["two names that become one", [{ id: "a", transport: http, tools: [admitted("x-y"), admitted("x_y")] }]],
    ["a name too long", [{ id: "a", transport: http, tools: [admitted("x".repeat(60))] }]],
    ["a word too many", [{ id: "a", transport: http, tools: [], trusted: true }]],
  ])("%s is refused", (_name, given) => {
    const path = Array.isArray(given) ? writeConfig(given as JsonObject[]) : join(folder, "mcp.json");
    if (!Array.isArray(given)) writeFileSync(path, typeof given === "string" ? given : JSON.stringify(given));
    const read = () => readMcpConfig(path);
    expect(read).toThrow(expect.objectContaining({ code: "MCP_CONFIG_INVALID" }));
    expect(read).not.toThrow(/secret/);
  });

  it("none is configured: there are no tools", async () => {
    expect(readMcpSettings({}).path).toBeNull();
    expect(await openMcpTools(readMcpSettings({}), "1")).toMatchObject({ tools: [], refused: [] });
  });

  it("one that is not there is no empty one", async () => {
    const settings = readMcpSettings({ ASSAY_MCP_CONFIG: "gone.json" }, folder);
    expect(settings.path).toBe(join(folder, "gone.json"));
    await expect(openMcpTools(settings, "1")).rejects.toMatchObject({ code: "MCP_CONFIG_INVALID" });
  });
});
