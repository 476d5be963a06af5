/**
 * What a role of the composer is: the host's words to it, the tools and reading it is given, its share of the planner's budget,
 * and the method by which `builtin:` plays it. A model plays it through the same words and tools.
 */
import type { ProposedCall } from "../../agents/gateway.ts";
import type { JsonObject } from "../../schema/turn.ts";
import type { Seen } from "./seen.ts";

export interface Role {
  name: string;
  /** What it is for, to who delegates. */
  purpose: string;
  /** The host's words to it, before those that every model is told. */
  words: string;
  tools: readonly string[];
  reads: readonly ("facts" | "research" | "evidence" | "recalculation")[];
  /** Of the planner's requests and tokens. */
  share: number;
  /** Documents that it cannot work without, by the ends of their references. */
  needs: readonly string[];
  method: Method;
}

/** Pure: what it has been told and what came of its calls, to what it calls next. Nothing: it has no more to do. */
export type Method = (seen: Seen) => Wanted[];
export type Wanted = Pick<ProposedCall, "tool"> & { arguments: JsonObject };

export const FINISH: Wanted = { tool: "finish", arguments: {} };
