/**
 * What a receipt says of a tool's outcome, and the view of its result. A view may leave parts out; the result itself stays as
 * it was. A result that breaks the terms of tools is a failure, not a smaller result.
 */
import { canonicalJson } from "../domain/digest.ts";
import type { Receipt } from "../schema/receipt.ts";
import type { TaskContract } from "../schema/task.ts";
import type { JsonObject, JsonValue } from "../schema/turn.ts";
import type { Journal } from "./journal.ts";
import { isNarrowing } from "./narrowing.ts";
import type { RanOutcome } from "./run-tool.ts";
import { settledText } from "./settled-texts.ts";
import type { Tool, ToolOutcome } from "./tool.ts";

/** Together with what is handed in. A tool hands out less at a time. */
export const RESULT_MAX = 256_000;

export type ReceiptFacts = Pick<Receipt, "admission" | "outcome"> & Partial<Omit<Receipt, "clock">>;

export function takeOutcome(
  outcome: RanOutcome,
  tool: Tool,
  contract: TaskContract,
  journal: Journal,
): Omit<ReceiptFacts, "admission"> {
  const fault = faultOf(outcome, contract);
  // An effect happened, whatever is wrong with what it says of itself.
  if (fault !== null) return { outcome: tool.effect === "write" ? "UNKNOWN" : "FAILED", ...fault };
  const cost_microusd = "cost_microusd" in outcome ? (outcome.cost_microusd ?? null) : null;
  if (outcome.status === "FAILED" || outcome.status === "UNKNOWN") {
    return { outcome: outcome.status, code: outcome.code, detail: outcome.message, cost_microusd };
  }
  const kept = outcome.content === undefined ? {} : keepResult(outcome.content, tool, journal);
  const completed = { outcome: "COMPLETED" as const, cost_microusd, ...kept };
  if (outcome.status === "EMPTY") return { ...completed, code: outcome.code };
  const { sources = [], outputs = [], surface = {}, parks = false } = outcome;
  return {
    ...completed,
    // What the model could not see it has not read.
    sources: "code" in kept ? [] : sources,
    outputs: outputs.map(({ name, document, references }) => ({
      name,
      digest: journal.keep("task_output", document),
      references,
    })),
    surface: { granted: surface.grant ?? [], withdrawn: surface.withdraw ?? [] },
    parks,
  };
}

function keepResult(content: JsonValue, tool: Tool, journal: Journal) {
  const result_digest = journal.keep("tool_result", content);
  if (tool.narrow === undefined) return { result_digest, view_digest: result_digest };
  const view = viewOf(content, tool.narrow);
  return view === undefined
    ? { result_digest, code: "VIEW_REFUSED" }
    : { result_digest, view_digest: journal.keep("tool_result", view) };
}

/** Undefined: there is none that only leaves something out. */
function viewOf(content: JsonValue, narrow: NonNullable<Tool["narrow"]>): JsonValue | undefined {
  try {
    const view = narrow(structuredClone(content));
    return isNarrowing(view, content) ? view : undefined;
  } catch {
    return undefined;
  }
}

/** More than is bounded, what JSON cannot say, or tools that the contract does not hold ready. */
function faultOf(outcome: RanOutcome, contract: TaskContract): { code: string; detail: string | null } | null {
  if (typeof outcome !== "object" || outcome === null) return { code: "RESULT_MALFORMED", detail: "no outcome" };
  if (outcome.status !== "OK" && outcome.status !== "EMPTY") return null;
  const handedIn = outcome.status === "OK" ? (outcome.outputs ?? []) : [];
  const size = sizeOf([outcome.content ?? null, ...handedIn.map(({ document }) => document)]);
  if (size === null) return { code: "RESULT_MALFORMED", detail: "no JSON" };
  if (size > RESULT_MAX) return { code: "RESULT_TOO_LARGE", detail: `${size} characters, at most ${RESULT_MAX}` };
  const foreign = foreignGrant(outcome, contract);
  return foreign === undefined ? null : { code: "GRANT_OUTSIDE_CONTRACT", detail: foreign };
}

function foreignGrant(outcome: ToolOutcome, { tools }: TaskContract): string | undefined {
  if (outcome.status !== "OK") return undefined;
  return outcome.surface?.grant?.find((name) => !tools.on_request.includes(name));
}

function sizeOf(documents: readonly JsonValue[]): number | null {
  try {
    return documents.reduce<number>(
      (total, document) => total + (isObject(document) ? settledText(document) : canonicalJson(document)).length,
      0,
    );
  } catch {
    return null;
  }
}

function isObject(document: JsonValue): document is JsonObject | JsonValue[] {
  return typeof document === "object" && document !== null;
}
