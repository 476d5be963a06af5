/**
 * A local server that speaks one provider's real wire format from a script, and misbehaves as the script says. A list of
 * turns is answered by the place in the conversation (how many assistant turns were sent), so a client that was killed
 * and asks again is told the same again. A request that the provider would refuse is refused, and kept in `faults`.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../../pipeline/schema/turn.ts";
import { anthropicDialect } from "./anthropic-server.ts";
import { compatibleDialect } from "./openai-compatible-server.ts";
import { openaiDialect } from "./openai-server.ts";
import type { Conversation, Dialect, Frame, Part, Trouble, WireProvider, WireRequest, WireTurn } from "./script.ts";

export type { Trouble, WireProvider, WireRequest, WireTurn } from "./script.ts";

export const WIRE_KEY = "wire-secret-0123456789";

export type WireScript = readonly WireTurn[] | ((request: WireRequest, turn: number) => WireTurn);

export interface Wire {
  /** The base URL to configure, with its version path. */
  url: string;
  requests: WireRequest[];
  /** What the real API would have answered with 400, one line each. */
  faults: string[];
  close(): Promise<void>;
}

const DIALECTS: Record<WireProvider, Dialect> = {
  anthropic: anthropicDialect,
  openai: openaiDialect,
  "openai-compatible": compatibleDialect,
};

export async function startWire({ provider, script }: { provider: WireProvider; script: WireScript }): Promise<Wire> {
  const dialect = DIALECTS[provider];
  const requests: WireRequest[] = [];
  const faults: string[] = [];
  const asked = new Map<number, number>();

  const server = createServer(async (incoming, response) => {
    try {
      const body = JSON.parse(await textOf(incoming)) as JsonObject;
      const request = { path: incoming.url ?? "", headers: incoming.headers, body, seen: dialect.read(body) };
      requests.push(request);
      if (!dialect.isKeyRight(incoming.headers, WIRE_KEY)) {
        return refuse(response, dialect, 401, "authentication_error", `the key ${WIRE_KEY} is meant`);
      }
      const found = [...commonFaults(request, dialect), ...dialect.faults(body)];
      faults.push(...found);
      if (found.length > 0) return refuse(response, dialect, 400, "invalid_request_error", found.join("; "));

      const place = request.seen.messages.filter(({ role }) => role === "assistant").length;
      const turn = typeof script === "function" ? script(request, place) : script[place];
      if (turn === undefined) return refuse(response, dialect, 400, "invalid_request_error", "the script has ended");
      const times = asked.get(place) ?? 0;
      asked.set(place, times + 1);
      const trouble = Array.isArray(turn.trouble) ? turn.trouble[times] : turn.trouble;
      const whole = { usage: { input: 100, cached: 0, output: 20 }, text: "", ...turn };
      const frames = dialect.frames(whole, { turn: place + 1, model: request.seen.model });
      await play(response, dialect, frames, trouble);
    } catch (fault) {
      faults.push(String(fault));
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function play(
  response: ServerResponse,
  dialect: Dialect,
  frames: Frame[],
  trouble: Trouble | undefined,
): Promise<void> {
  const stream = () => response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const send = (some: Frame[]) => response.write(some.map(({ sse }) => sse).join(""));
  const within = (part: Part) => {
    const at = part === "end" ? frames.findIndex((frame) => frame.part === part) : lastIndexOf(frames, part);
    return frames.slice(0, Math.max(0, at));
  };
  switch (trouble?.kind) {
    case "status": {
      const { status, retryAfter, location, code = "api_error", message = "trouble on request" } = trouble;
      if (retryAfter !== undefined) response.setHeader("retry-after", retryAfter);
      if (location !== undefined) response.setHeader("location", location);
      return refuse(response, dialect, status, code, message);
    }
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "silence":
      return;
    case "content_type":
      response.writeHead(200, { "content-type": trouble.type }).end(trouble.body);
      return;
    case "cut":
    case "stall": {
      stream();
      send(within(trouble.within));
      if (trouble.kind === "stall") return;
      // The bytes must be on their way before the connection breaks.
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (trouble.reset === true) response.socket?.resetAndDestroy();
      else response.end();
      return;
    }
    case "error_event":
      stream();
      send(within(trouble.within));
      response.end(dialect.errorFrame(trouble.code, trouble.message));
      return;
    case "bytes":
      stream();
      send(within("text"));
      response.write(trouble.bytes);
      send(frames.slice(within("text").length));
      response.end();
      return;
    case "slow":
      await new Promise((resolve) => setTimeout(resolve, trouble.ms));
      stream();
      send(frames);
      response.end();
      return;
    case "endless":
      stream();
      send(within("text"));
      return flood(response, frames.find(({ part }) => part === "text")!.sse.repeat(200));
    case "endless_line":
      stream();
      response.write('data: {"text":"');
      return flood(response, "x".repeat(65_536));
    case "slivers": {
      stream();
      const bytes = Buffer.from(frames.map(({ sse }) => sse).join(""));
      for (let at = 0; at < bytes.length; at += 3) {
        response.write(bytes.subarray(at, at + 3));
        if (at % 300 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
      return;
    }
    default:
      stream();
      send(frames);
      response.end();
  }
}

function lastIndexOf(frames: Frame[], part: Part): number {
  return frames.findLastIndex((frame) => frame.part === part);
}

/** Writes until the other side has had enough. */
async function flood(response: ServerResponse, piece: string): Promise<void> {
  const gone = once(response, "close");
  while (!response.destroyed) {
    if (response.write(piece)) await new Promise((resolve) => setImmediate(resolve));
    else await Promise.race([gone, once(response, "drain")]);
  }
}

function refuse(response: ServerResponse, dialect: Dialect, status: number, code: string, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(dialect.errorBody(code, message)));
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** What every provider refuses: above all a call without its result, and a result without its call. */
function commonFaults({ path, headers, body, seen }: WireRequest, dialect: Dialect): string[] {
  const faults: string[] = [];
  if (path !== dialect.path) faults.push(`path ${path}`);
  if (headers["content-type"] !== "application/json") faults.push("content type");
  if (body.stream !== true) faults.push("a stream was not asked for");
  if (dialect === anthropicDialect && headers["anthropic-version"] !== "2023-06-01") faults.push("anthropic-version");
  for (const { name, input_schema } of seen.tools) {
    if (!/^[\w-]{1,64}$/.test(name)) faults.push(`tool name ${name}`);
    if ((input_schema as JsonObject | null)?.type !== "object") faults.push(`tool ${name} takes no object`);
  }
  return [...faults, ...unpaired(seen)];
}

function unpaired({ messages }: Conversation): string[] {
  const faults: string[] = [];
  const used = new Set<string>();
  messages.forEach((message, at) => {
    const called = (message.calls ?? []).map(({ call_id }) => call_id);
    for (const id of called) {
      if (used.has(id)) faults.push(`call id ${id} stands twice`);
      used.add(id);
    }
    const answered = messages[at + 1]?.results?.map(({ call_id }) => call_id) ?? [];
    if (called.join() !== answered.join()) faults.push(`calls ${called} were answered by ${answered}`);
    if (message.role === "tool" && messages[at - 1]?.role !== "assistant") faults.push("results without calls");
  });
  return faults;
}
