/**
 * What the configured servers offer, held against what a person admitted: for each tool whether it is admitted, and if not, why.
 * Being discovered admits nothing. A server that does not answer leaves its tools out and nobody else's.
 */
import type { Sha256 } from "../../domain/digest.ts";
import { AssayError } from "../../domain/outcome.ts";
import { connect, type McpConnection } from "./connection.ts";
import { type McpOffer, offerDigest } from "./offer.ts";
import type { AdmittedTool, McpConfig, McpServer, McpSettings } from "./settings.ts";

export interface Seen {
  tool: string;
  offer: McpOffer | null;
  digest: Sha256 | null;
  admitted: AdmittedTool | null;
  /** Null: admitted, and offered as it was pinned. */
  code:
    | "NOT_ADMITTED"
    | "MCP_OFFER_CHANGED"
    | "MCP_OFFER_MALFORMED"
    | "MCP_OFFER_AMBIGUOUS"
    | "MCP_TOOL_MISSING"
    | null;
}

export interface Surveyed {
  server: McpServer;
  connection: McpConnection | null;
  fault: AssayError | null;
  seen: Seen[];
}

export async function survey(config: McpConfig, secret: McpSettings["secret"], version: string): Promise<Surveyed[]> {
  return Promise.all(config.servers.map((server) => surveyOne(server, { secret, version, folder: config.folder })));
}

async function surveyOne(server: McpServer, terms: Parameters<typeof connect>[1]): Promise<Surveyed> {
  let connection: McpConnection | null = null;
  try {
    connection = await connect(server, terms);
    return { server, connection, fault: null, seen: compare(server, await connection.offers()) };
  } catch (error) {
    await connection?.close().catch(() => undefined);
    if (!(error instanceof AssayError)) throw error;
    return { server, connection: null, fault: error, seen: [] };
  }
}

function compare({ tools }: McpServer, offers: readonly McpOffer[]): Seen[] {
  const names = new Set([...tools.map(({ name }) => name), ...offers.map(({ name }) => name)]);
  return [...names].sort().map((tool) => {
    const admitted = tools.find(({ name }) => name === tool) ?? null;
    const [offer = null, ...others] = offers.filter(({ name }) => name === tool);
    const digest = offer === null ? null : digestOrNull(offer);
    const code =
      offer === null
        ? "MCP_TOOL_MISSING"
        : others.length > 0
          ? "MCP_OFFER_AMBIGUOUS"
          : digest === null
            ? "MCP_OFFER_MALFORMED"
            : admitted === null
              ? "NOT_ADMITTED"
              : admitted.offer_digest === digest
                ? null
                : "MCP_OFFER_CHANGED";
    return { tool, offer, digest, admitted, code };
  });
}

function digestOrNull(offer: McpOffer): Sha256 | null {
  try {
    return offerDigest(offer);
  } catch {
    return null;
  }
}
