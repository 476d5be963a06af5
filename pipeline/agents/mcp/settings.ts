/**
 * Which MCP servers there are and which of their tools a person has admitted, from one JSON file. What stands here admits; what
 * a server says of itself only has to agree with it.
 */
import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { AssayError } from "../../domain/outcome.ts";

export interface McpSettings {
  path: string | null;
  /** The value of a variable that the list names for a server. */
  secret(name: string): string | null;
}

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/);

const admittedToolSchema = z.strictObject({
  /** As the server names it. */
  name: z.string().min(1).max(128),
  effect: z.enum(["read", "write"]),
  /** What a task must be allowed, to read or to write, before the tool runs for it. */
  scope: z.string().regex(/^[^\s*]{1,200}$/),
  timeout_ms: z.number().int().min(100).max(1_800_000),
  /** Of name, description and input schema, as a person read them (`assay mcp list`). */
  offer_digest: z.string().regex(/^[0-9a-f]{64}$/),
});
export type AdmittedTool = z.infer<typeof admittedToolSchema>;

const serverSchema = z.strictObject({
  /** Without `_`, so that `mcp_<server>_<tool>` can be read one way only. */
  id: z.string().regex(/^[a-z][a-z0-9]{0,19}$/),
  transport: z.discriminatedUnion("kind", [
    /** `env`: names of the variables that the program is handed, beside those that any program needs. */
    z.strictObject({
      kind: z.literal("stdio"),
      command: z.string().min(1).max(1000),
      args: z.array(z.string().max(4000)).max(100).default([]),
      env: z.array(variable).max(50).default([]),
    }),
    z.strictObject({
      kind: z.literal("http"),
      url: z
        .url({ protocol: /^https?$/ })
        .refine((text) => new URL(text).username + new URL(text).password === "", "has a user or password in it"),
      /** Name of the variable that holds a bearer token. */
      bearer_env: variable.optional(),
    }),
  ]),
  connect_timeout_ms: z.number().int().min(100).max(120_000).default(10_000),
  tools: z.array(admittedToolSchema).max(64),
});
export type McpServer = z.infer<typeof serverSchema>;

const configSchema = z
  .strictObject({ schema: z.literal("mcp_servers/v1"), servers: z.array(serverSchema).max(20) })
  .superRefine(({ servers }, context) => {
    const ids = new Set<string>();
    const names = new Set<string>();
    for (const { id, tools } of servers) {
      if (ids.has(id)) context.addIssue(`two servers are called ${id}`);
      ids.add(id);
      for (const { name } of tools) {
        const ours = toolName(id, name);
        if (ours.length > 64) context.addIssue(`the name ${ours} is longer than 64 characters`);
        if (names.has(ours)) context.addIssue(`two tools would be called ${ours}`);
        names.add(ours);
      }
    }
  });
export type McpConfig = z.infer<typeof configSchema> & { folder: string };

/** As a model calls it. */
export function toolName(server: string, tool: string): string {
  return `mcp_${server}_${tool.toLowerCase().replace(/[^a-z0-9]/g, "_")}`;
}

/** What a run that begins now is offered of other servers' tools: what was admitted, whether or not it can be had. */
export function admittedTools(
  config: McpConfig | undefined,
): { name: string; version: string; effect: "read" | "write"; scope: string }[] {
  return (config?.servers ?? []).flatMap(({ id, tools }) =>
    tools.map(({ name, effect, scope, offer_digest }) => ({
      name: toolName(id, name),
      version: offer_digest,
      effect,
      scope,
    })),
  );
}

const BYTES_MAX = 1_000_000;

/** Undefined where no list is configured. Throws MCP_CONFIG_INVALID. */
export function readMcpConfig(path: string | null): McpConfig | undefined {
  if (path === null) return undefined;
  const refuse = (what: string) =>
    new AssayError("MCP_CONFIG_INVALID", `the list of MCP servers ${what}`, {
      at: path,
      hint: "see ASSAY_MCP_CONFIG in the README for its form",
    });
  let read: unknown;
  try {
    if (statSync(path).size > BYTES_MAX) throw refuse(`has more than ${BYTES_MAX} bytes`);
    read = JSON.parse(readFileSync(path, "utf8"));
  } catch (fault) {
    if (fault instanceof AssayError) throw fault;
    throw refuse(fault instanceof SyntaxError ? "is not JSON" : "cannot be read");
  }
  const parsed = configSchema.safeParse(read);
  if (!parsed.success) throw refuse(`is not what it should be: ${z.prettifyError(parsed.error).slice(0, 600)}`);
  return { ...parsed.data, folder: dirname(path) };
}
