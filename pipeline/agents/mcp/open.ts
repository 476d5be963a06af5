/**
 * The admitted tools of the configured servers as tools of ours. A task is offered one only if its contract names it, like any
 * other; effect and scope are what a person wrote down, never what a server says of itself.
 */
import { AssayError } from "../../domain/outcome.ts";
import type { JsonObject } from "../../schema/turn.ts";
import type { Tool } from "../tool.ts";
import type { McpConnection } from "./connection.ts";
import { showOffer } from "./offer.ts";
import { outcomeOf } from "./result.ts";
import { type McpSettings, readMcpConfig, toolName } from "./settings.ts";
import { type Seen, survey } from "./survey.ts";

export interface McpTools {
  tools: Tool[];
  /** Admitted by a person and yet not to be had, with why. Whoever needs one of them must say so, not go on without. */
  refused: { name: string; code: string; message: string }[];
  close(): Promise<void>;
}

/** Throws MCP_CONFIG_INVALID. Without a list there are no tools. */
export async function openMcpTools({ path, secret }: McpSettings, version: string): Promise<McpTools> {
  const config = readMcpConfig(path);
  const surveyed = config === undefined ? [] : await survey(config, secret, version);
  const opened: McpTools = {
    tools: [],
    refused: [],
    async close() {
      await Promise.all(surveyed.map(({ connection }) => connection?.close().catch(() => undefined)));
    },
  };
  for (const { server, connection, fault, seen } of surveyed) {
    const refuse = (tool: string, code: string, message: string) =>
      opened.refused.push({ name: toolName(server.id, tool), code, message });
    if (fault !== null) for (const { name } of server.tools) refuse(name, fault.code, fault.message);
    for (const each of seen) {
      if (each.admitted === null || connection === null) continue;
      if (each.code !== null) {
        refuse(each.tool, each.code, `the MCP server ${server.id} does not offer it as it was admitted`);
        continue;
      }
      try {
        opened.tools.push(toTool(server.id, each, connection));
      } catch (error) {
        if (!(error instanceof AssayError)) throw error;
        refuse(each.tool, error.code, error.message);
      }
    }
  }
  return opened;
}

function toTool(server: string, { offer, digest, admitted }: Seen, connection: McpConnection): Tool {
  const { name, effect, scope, timeout_ms } = admitted!;
  const shown = showOffer(server, offer!, admitted!);
  return {
    name: shown.offer.name,
    version: digest!,
    effect,
    offer: shown.offer,
    timeout_ms,
    parse(args) {
      const parsed = shown.input.safeParse(args);
      // What goes out is what the model wrote: the check alters nothing.
      if (parsed.success) return { ok: true, input: args };
      const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
      return { ok: false, issues: issues.join("\n").slice(0, 600) };
    },
    scope: () => ({ [effect]: [scope] }),
    /** Throws when nobody knows what came of the call: of an effect that is UNKNOWN. */
    async run(input, { signal }) {
      if (!connection.isOpen())
        return { status: "FAILED", code: "MCP_SERVER_GONE", message: "the connection has ended" };
      const result = await connection.call(name, input as JsonObject, { signal, timeout_ms });
      return outcomeOf(`mcp:${server}/${name}`, effect, result);
    },
  };
}
