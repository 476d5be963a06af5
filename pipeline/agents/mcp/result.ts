/**
 * What a server returned as a tool's outcome. Its text is bounded, marked as data and names nothing to follow: pictures, sounds
 * and links are counted and left out. A failure that the server reports is one of a read; of an effect it says nothing certain:
 * it may have happened in part. What the server calls a success is only content.
 */
import { canonicalJson } from "../../domain/digest.ts";
import { AssayError } from "../../domain/outcome.ts";
import type { JsonValue } from "../../schema/turn.ts";
import { makeVisible, makeVisibleDeep, markAsData } from "../marked.ts";
import type { Tool, ToolOutcome } from "../tool.ts";

export interface McpResult {
  content: readonly { type: string; text?: string; resource?: { text?: string } }[];
  structured: JsonValue | null;
  is_error: boolean;
}

const TEXT_MAX = 60_000;
const STRUCTURED_MAX = 60_000;
const DEPTH_MAX = 32;
const ERROR_MAX = 500;

/** Throws MCP_TOOL_FAILED for an effect of which the server says that it failed: the host takes that as UNKNOWN. */
export function outcomeOf(
  from: string,
  effect: Tool["effect"],
  { content, structured, is_error }: McpResult,
): ToolOutcome {
  const texts: string[] = [];
  const leftOut = new Map<string, number>();
  const leave = (what: string, count = 1) => leftOut.set(what, (leftOut.get(what) ?? 0) + count);
  for (const part of content) {
    const text = part.type === "text" ? part.text : part.type === "resource" ? part.resource?.text : undefined;
    if (text === undefined) leave(makeVisible(part.type).slice(0, 40));
    else texts.push(text);
  }
  const text = texts.join("\n");
  if (is_error) {
    const said = makeVisible(text).replaceAll(/\s+/g, " ").slice(0, ERROR_MAX);
    const message = `${from} says: ${said}`;
    if (effect === "write") throw new AssayError("MCP_TOOL_FAILED", message);
    return { status: "FAILED", code: "MCP_TOOL_FAILED", message };
  }
  if (text.length > TEXT_MAX) leave("characters of text", text.length - TEXT_MAX);
  const isKept = structured !== null && isShallow(structured, DEPTH_MAX) && sizeOf(structured) <= STRUCTURED_MAX;
  if (structured !== null && !isKept) leave("structured content");
  if (text === "" && !isKept && leftOut.size === 0) return { status: "EMPTY", code: "NOTHING_RETURNED" };
  return {
    status: "OK",
    content: {
      from,
      ...(text === "" ? {} : { text: markAsData(from, text.slice(0, TEXT_MAX)) }),
      ...(isKept ? { structured: makeVisibleDeep(structured) } : {}),
      ...(leftOut.size === 0 ? {} : { left_out: Object.fromEntries(leftOut) }),
    },
    sources: [{ id: from, range: null }],
  };
}

/** Goes no deeper than `depth`, so that it cannot overflow itself; whoever walks the value after it cannot either. */
export function isShallow(value: JsonValue, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((each) => isShallow(each, depth - 1));
}

const sizeOf = (value: JsonValue) => canonicalJson(value).length;
