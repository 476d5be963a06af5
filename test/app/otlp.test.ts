/** Spans on the wire: a real collector's endpoint on a local port, and one that is slow, gone or refuses. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Span } from "../../pipeline/agents/trace.ts";
import { readTracing } from "../../pipeline/app/config.ts";
import { openTracing } from "../../pipeline/app/otlp.ts";
import { call, finish, MemoryLog, tryRun, turn } from "../agents/support/runs.ts";

interface Sent {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code: number; message?: string };
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface Export {
  resourceSpans: {
    resource: { attributes: Sent["attributes"] };
    schemaUrl: string;
    scopeSpans: { scope: { name: string; version: string }; schemaUrl: string; spans: Sent[] }[];
  }[];
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function collector(answer: (response: ServerResponse) => void = (response) => response.end("{}")) {
  const exports: { request: IncomingMessage; body: Export }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    exports.push({ request, body: JSON.parse(Buffer.concat(chunks).toString("utf8")) as Export });
    answer(response.setHeader("content-type", "application/json"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { exports, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces` };
}

function open(url: string, wait_ms = 3000) {
  const warnings: string[] = [];
  const target = { url, headers: () => ({ "x-key": "secret-1" }), version: "9.9.9" };
  return { warnings, tracing: openTracing(target, (message) => warnings.push(message), wait_ms)! };
}

const scripts = {
  analyst: [
    turn(call("delegate", { role: "challenger", instrument: "US:SPY" }), call("read_facts", { instrument: "US:FAIL" })),
    turn(call("submit", { text: "SPY rose", references: [] }), finish()),
  ],
  challenger: [turn(call("submit", { text: "SPY fell", references: [] }), finish())],
};

const spansOf = (exports: { body: Export }[]) =>
  exports.flatMap(({ body }) =>
    body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
const attribute = ({ attributes }: Sent, key: string) => attributes.find((each) => each.key === key)?.value;

const span: Span = {
  trace_id: "main/run-1@x",
  span_id: "main",
  parent_id: null,
  name: "invoke_agent analyst",
  started_at: "2026-05-04T00:00:00.250Z",
  ended_at: "2026-05-04T00:00:01.000Z",
  fault: null,
  attributes: { "gen_ai.operation.name": "invoke_agent" },
};

describe("a run at a collector", () => {
  it("is one tree of agents, requests and tools, in the pinned conventions, without anybody's words", async () => {
    const { exports, url } = await collector();
    const { tracing, warnings } = open(url);
    await tryRun({ host: { trace: tracing.tracer }, scripts });
    await tracing.close();
    expect(warnings).toEqual([]);
    const [{ request, body }] = exports as [(typeof exports)[0]];
    expect(request.headers).toMatchObject({ "content-type": "application/json", "x-key": "secret-1" });
    const [{ resource, scopeSpans, schemaUrl }] = body.resourceSpans as [Export["resourceSpans"][0]];
    expect(schemaUrl).toBe("https://opentelemetry.io/schemas/1.41.0");
    expect(scopeSpans[0]).toMatchObject({ schemaUrl, scope: { name: "assay.agents", version: "9.9.9" } });
    expect(resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "assay" } });

    const spans = spansOf(exports);
    const byId = new Map(spans.map((each) => [each.spanId, each]));
    const lineage = (each: Sent): string =>
      [each.name, ...(each.parentSpanId === undefined ? [] : [lineage(byId.get(each.parentSpanId)!)])].join(" < ");
    const parent = "invoke_agent analyst";
    const child = `invoke_agent challenger < execute_tool delegate < ${parent}`;
    expect(spans.map(lineage).sort()).toEqual(
      [
        parent,
        `chat m-1 < ${parent}`,
        `chat m-1 < ${parent}`,
        `execute_tool delegate < ${parent}`,
        child,
        `chat m-1 < ${child}`,
        `execute_tool submit < ${child}`,
        `execute_tool finish < ${child}`,
        `execute_tool read_facts < ${parent}`,
        `execute_tool submit < ${parent}`,
        `execute_tool finish < ${parent}`,
      ].sort(),
    );
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    for (const { traceId, spanId } of spans) expect([traceId, spanId].join(" ")).toMatch(/^[0-9a-f]{32} [0-9a-f]{16}$/);
    expect(JSON.stringify(exports.map((each) => each.body))).not.toMatch(/rivals|SPY (rose|fell)|no source has it/);
  });

  it("names what the conventions name", async () => {
    const { exports, url } = await collector();
    const { tracing } = open(url);
    await tryRun({ host: { trace: tracing.tracer }, scripts });
    await tracing.close();
    const spans = spansOf(exports);
    const chat = spans.find(({ name }) => name === "chat m-1")!;
    expect([chat.kind, chat.status.code]).toEqual([3, 0]);
    expect(Object.fromEntries(chat.attributes.map(({ key, value }) => [key, value]))).toMatchObject({
      "gen_ai.operation.name": { stringValue: "chat" },
      "gen_ai.provider.name": { stringValue: "scripted" },
      "gen_ai.request.model": { stringValue: "m-1" },
      "gen_ai.request.max_tokens": { intValue: 1000 },
      "gen_ai.conversation.id": { stringValue: "run-1" },
      "gen_ai.usage.input_tokens": { intValue: 100 },
      "gen_ai.usage.cache_read.input_tokens": { intValue: 0 },
      "gen_ai.usage.output_tokens": { intValue: 50 },
      "gen_ai.response.finish_reasons": { arrayValue: { values: [{ stringValue: "tool_call" }] } },
    });
    const failed = spans.find(({ name }) => name === "execute_tool read_facts")!;
    expect([failed.kind, failed.status]).toEqual([1, { code: 2 }]);
    expect(attribute(failed, "error.type")).toEqual({ stringValue: "SOURCE_MISSING" });
    const agent = spans.find(({ name }) => name === "invoke_agent challenger")!;
    expect(attribute(agent, "gen_ai.agent.name")).toEqual({ stringValue: "challenger" });
    expect(attribute(agent, "gen_ai.usage.input_tokens")).toBeUndefined();
  });

  it("times are those of the run", async () => {
    const { exports, url } = await collector();
    const { tracing } = open(url);
    tracing.tracer(span);
    await tracing.close();
    const [{ startTimeUnixNano, endTimeUnixNano }] = spansOf(exports) as [Sent];
    expect([startTimeUnixNano, endTimeUnixNano]).toEqual(["1777852800250000000", "1777852801000000000"]);
  });

  it("a run that was killed goes on in the same trace, from another process", async () => {
    const { exports, url } = await collector();
    const log = new MemoryLog();
    log.before = (entries) => {
      if (entries.some(({ body }) => body.type === "task_ended")) throw new Error("killed");
    };
    const first = open(url);
    await expect(tryRun({ log, host: { trace: first.tracing.tracer }, scripts })).rejects.toThrow("killed");
    await first.tracing.close();
    const second = open(url);
    const rest = { analyst: scripts.analyst.slice(1), challenger: [] };
    await tryRun({ log: new MemoryLog("run-1", log), host: { trace: second.tracing.tracer }, scripts: rest });
    await second.tracing.close();
    expect(exports.length).toBeGreaterThan(1);
    expect(new Set(spansOf(exports).map(({ traceId }) => traceId)).size).toBe(1);
    expect(spansOf(exports).filter(({ parentSpanId }) => parentSpanId === undefined)).toHaveLength(1);
  });
});

describe("a collector that does not do its part", () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ["refuses", (response) => response.writeHead(400).end("no")],
    ["breaks off", (response) => response.destroy()],
    ["asks to come later", (response) => response.writeHead(503, { "retry-after": "60" }).end()],
    ["never answers", () => undefined],
  ])("%s: said once, and nothing waits longer than it must", async (_name, answer) => {
    const { url } = await collector(answer);
    const { tracing, warnings } = open(url, 400);
    for (let n = 0; n < 1200; n += 1) tracing.tracer({ ...span, span_id: `s${n}` });
    const begun = performance.now();
    await tracing.close();
    expect(performance.now() - begun).toBeLessThan(2000);
    await expect.poll(() => warnings.length).toBe(1);
    expect(warnings[0]).not.toContain("secret");
    tracing.tracer(span);
  });

  it("nobody listens: the run is what it is without one", async () => {
    const { tracing, warnings } = open("http://127.0.0.1:1/v1/traces", 400);
    const { task } = await tryRun({ host: { trace: tracing.tracer }, scripts });
    expect(task.end?.code).toBe("FINISHED");
    await tracing.close();
    await expect.poll(() => warnings.length).toBe(1);
  });
});

describe("what is configured", () => {
  it.each<[Record<string, string>, string | null]>([
    [{}, null],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "" }, null],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318/" }, "http://c:4318/v1/traces"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c/", OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t/x" }, "http://t/x"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_SDK_DISABLED: "true" }, null],
  ])("%j sends to %j", (env, url) => {
    expect(readTracing(env).url).toBe(url);
  });

  it("no address: nothing is opened", () => {
    expect(openTracing({ ...readTracing({}), version: "1" }, () => undefined)).toBeUndefined();
  });

  it("an address that is none is refused, and a key in it not printed", () => {
    const read = () => readTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://user:secret@c" });
    expect(read).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    expect(read).not.toThrow(/secret/);
  });

  it("headers are read when they are sent, those for traces first", () => {
    const env = {
      OTEL_EXPORTER_OTLP_HEADERS: "a=1",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "authorization=Basic%20x%3D, b=%ZZ,c",
    };
    expect(readTracing(env).headers()).toEqual({ authorization: "Basic x=" });
    expect(readTracing({ OTEL_EXPORTER_OTLP_HEADERS: "a=1" }).headers()).toEqual({ a: "1" });
    expect(JSON.stringify(readTracing(env))).not.toContain("Basic");
  });
});
