/**
 * `assay mcp list`: the configured MCP servers, what each offers, and the digest by which a person admits a tool. It starts the
 * servers and asks; it calls no tool and admits nothing.
 */
import { makeVisible } from "../../agents/marked.ts";
import { readMcpConfig } from "../../agents/mcp/settings.ts";
import { type Surveyed, survey } from "../../agents/mcp/survey.ts";
import { type Config, readMcpSettings } from "../config.ts";
import { brief, plain } from "../plain.ts";

export async function list({ version }: Config, options: { json?: boolean }): Promise<void> {
  const { path, secret } = readMcpSettings();
  const config = readMcpConfig(path);
  const surveyed = config === undefined ? [] : await survey(config, secret, version);
  await Promise.all(surveyed.map(({ connection }) => connection?.close().catch(() => undefined)));
  if (options.json) return void process.stdout.write(`${JSON.stringify(surveyed.map(toDocument), null, 2)}\n`);
  const none = "no MCP servers: ASSAY_MCP_CONFIG names a file that lists them\n";
  process.stdout.write(config === undefined ? none : plain(surveyed.map(describe).join("")));
}

function toDocument({ server, fault, seen }: Surveyed) {
  return {
    server: server.id,
    transport: server.transport.kind,
    fault: fault === null ? null : { code: fault.code, message: fault.message },
    tools: seen.map(({ tool, offer, digest, admitted, code }) => ({
      name: tool,
      state: code ?? "ADMITTED",
      offer_digest: digest,
      pinned: admitted?.offer_digest ?? null,
      effect: admitted?.effect ?? null,
      scope: admitted?.scope ?? null,
      description: offer?.description ?? null,
      input_schema: offer?.input_schema ?? null,
    })),
  };
}

function describe({ server, fault, seen }: Surveyed): string {
  const head = `${server.id} (${server.transport.kind})${fault === null ? "" : `: ${fault.code}: ${fault.message}`}\n`;
  const lines = seen.map(({ tool, offer, digest, admitted, code }) => {
    const terms = admitted === null ? "" : `, ${admitted.effect} ${admitted.scope}`;
    const words = offer === null ? "" : `    ${brief(makeVisible(offer.description), 160)}\n`;
    return `  ${code ?? "ADMITTED"} ${makeVisible(tool)}${terms}\n    offer_digest ${digest ?? "none"}\n${words}`;
  });
  return head + lines.join("");
}
