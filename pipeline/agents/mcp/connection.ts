/**
 * One connection to an MCP server, over a program's standard streams or streamable HTTP. It offers a server nothing: no sampling,
 * no roots, no questions. Every message is bounded, no redirect is followed, and what the SDK would make of a tool's schemas
 * by itself is left out.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolResultSchema, ListToolsResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { AssayError } from "../../domain/outcome.ts";
import type { JsonObject, JsonValue } from "../../schema/turn.ts";
import { makeVisible } from "../marked.ts";
import type { McpOffer } from "./offer.ts";
import type { McpResult } from "./result.ts";
import type { McpServer, McpSettings } from "./settings.ts";

export interface McpConnection {
  isOpen(): boolean;
  offers(): Promise<McpOffer[]>;
  /**
   * Throws MCP_CALL_LOST when there is no result. An error of the protocol is none: its code may have come from behind the server,
   * after an effect.
   */
  call(tool: string, args: JsonObject, terms: { signal: AbortSignal; timeout_ms: number }): Promise<McpResult>;
  close(): Promise<void>;
}

export const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
const PAGES_MAX = 20;
const TOOLS_MAX = 500;

/** Throws MCP_SERVER_UNREACHABLE and MCP_NOT_CONFIGURED. */
export async function connect(
  { id, transport, connect_timeout_ms: timeout }: McpServer,
  { secret, folder, version }: Pick<McpSettings, "secret"> & { folder: string; version: string },
): Promise<McpConnection> {
  const wire = openTransport(id, transport, secret, folder);
  const client = new Client({ name: "assay", version }, { capabilities: {} });
  let isOpen = false;
  client.onclose = () => {
    isOpen = false;
  };
  try {
    await client.connect(wire, { timeout });
    isOpen = true;
  } catch (cause) {
    await client.close().catch(() => undefined);
    throw fault("MCP_SERVER_UNREACHABLE", id, cause, "later");
  }
  return {
    isOpen: () => isOpen,
    async offers() {
      const offers: McpOffer[] = [];
      let cursor: string | undefined;
      for (let page = 1; page <= PAGES_MAX && offers.length <= TOOLS_MAX; page += 1) {
        const params = cursor === undefined ? {} : { cursor };
        const found = await client
          .request({ method: "tools/list", params }, ListToolsResultSchema, { timeout })
          .catch((cause: unknown) => {
            throw fault("MCP_SERVER_UNREACHABLE", id, cause, "later");
          });
        for (const { name, description = "", inputSchema } of found.tools) {
          offers.push({ name, description, input_schema: inputSchema as JsonObject });
        }
        cursor = found.nextCursor;
        if (cursor === undefined) return offers;
      }
      throw new AssayError("MCP_OFFER_MALFORMED", `the MCP server ${id} offers tools without end`);
    },
    async call(tool, args, { signal, timeout_ms }) {
      try {
        const params = { name: tool, arguments: args };
        const options = { signal, timeout: timeout_ms };
        const result = await client.request({ method: "tools/call", params }, CallToolResultSchema, options);
        return {
          content: result.content as McpResult["content"],
          structured: (result.structuredContent as JsonValue | undefined) ?? null,
          is_error: result.isError === true,
        };
      } catch (cause) {
        throw fault("MCP_CALL_LOST", id, cause);
      }
    },
    close: () => client.close(),
  };
}

function fault(code: string, server: string, cause: unknown, retry: "later" | "never" = "never"): AssayError {
  const said = makeVisible(cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s+/g, " ");
  // The cause stays here: it can hold headers, and with them a key.
  return new AssayError(code, `the MCP server ${server}: ${said.slice(0, 300)}`, { retry });
}

function openTransport(
  server: string,
  transport: McpServer["transport"],
  secret: McpSettings["secret"],
  folder: string,
): Transport {
  const need = (name: string) => {
    const value = secret(name);
    if (value !== null) return value;
    throw new AssayError("MCP_NOT_CONFIGURED", `the MCP server ${server} needs ${name}`, { hint: `set ${name}` });
  };
  if (transport.kind === "stdio") {
    const { command, args, env } = transport;
    return new StdioClientTransport({
      command,
      args,
      env: Object.fromEntries(env.map((name) => [name, need(name)])),
      cwd: folder,
      // What it prints beside the protocol is nobody's to read on this terminal.
      stderr: "ignore",
      maxBufferSize: MESSAGE_BYTES_MAX,
    });
  }
  const headers = transport.bearer_env === undefined ? {} : { authorization: `Bearer ${need(transport.bearer_env)}` };
  return new StreamableHTTPClientTransport(new URL(transport.url), {
    requestInit: { headers },
    fetch: boundedFetch,
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  }) as Transport;
}

/** A redirect would carry arguments and key elsewhere; an endless answer would fill the memory. */
async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "error" });
  if (response.body === null) return response;
  let bytes = 0;
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > MESSAGE_BYTES_MAX) controller.error(new Error(`more than ${MESSAGE_BYTES_MAX} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText } = response;
  return new Response(bounded, { status, statusText, headers: response.headers });
}
