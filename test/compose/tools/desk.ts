/** A desk with one invented product, and a tool of it tried by itself, as the loop would call it. */
import type { Tool, ToolContext, ToolOutcome } from "../../../pipeline/agents/tool.ts";
import type { Desk, EvidenceText, ProductDesk } from "../../../pipeline/compose/tools/desk.ts";
import type { Fact } from "../../../pipeline/schema/fact.ts";
import type { JsonObject } from "../../../pipeline/schema/turn.ts";
import { contractOf } from "../../agents/support/runs.ts";

export const CARD = "US:YTEST";

export function fact(figure: string, changes: Partial<Fact> = {}): Fact {
  const at = figure.lastIndexOf(".");
  return {
    schema: "fact/v1",
    instrument: CARD,
    fact: at < 0 ? figure : figure.slice(0, at),
    window: at < 0 ? "" : figure.slice(at + 1),
    status: "OK",
    reason: null,
    value: "0.1",
    unit: "ratio",
    currency: null,
    print_rule: "percent_signed",
    start_session: "2025-06-30",
    end_session: "2026-06-30",
    formula: "total_return/1",
    epistemic_type: "DERIVED",
    evidence: [],
    source_id: null,
    stated_on: null,
    ...changes,
  };
}

export function payload(evidence_id: string, text: string | Error, media_type = "text/csv"): EvidenceText {
  return {
    evidence_id,
    source_id: `source-${evidence_id}`,
    media_type,
    first_usable_at: "2026-06-30T21:30:00.000Z",
    text: async () => {
      if (text instanceof Error) throw text;
      return text;
    },
  };
}

export function deskOf(changes: Partial<ProductDesk> = {}): Desk {
  return {
    locale: "en-US",
    as_of: "2026-07-01T00:00:00.000Z",
    products: new Map([
      [
        CARD,
        {
          product: {
            instrument: CARD,
            market: "US",
            product_type: "EQUITY_INDEX",
            peer_group: "",
            fx_hedged: false,
            is_in_reporting_currency: false,
            is_compared_at_home: false,
          },
          facts: new Map(),
          research: null,
          names: [],
          own_names: [CARD, "YTEST", "Yonder Test ETF", "IT"],
          causalEdges: [],
          evidence: [],
          recalculated: async () => null,
          sealedVersion: async () => null,
          ...changes,
        },
      ],
    ]),
  };
}

/** Undefined content where there is none. Arguments that the tool's input refuses are `ARGUMENTS_REFUSED`. */
export async function tryTool(tool: Tool, args: JsonObject, call = "main#1.1"): Promise<ToolOutcome> {
  const parsed = tool.parse(args);
  if (!parsed.ok) return { status: "FAILED", code: "ARGUMENTS_REFUSED", message: parsed.issues };
  let second = 0;
  const context: ToolContext = {
    contract: contractOf(),
    call,
    attempt: 1,
    now: () => new Date(Date.parse("2026-07-01T01:00:00.000Z") + ++second).toISOString(),
    signal: new AbortController().signal,
    runChild: () => Promise.reject(new Error("no children here")),
    handedIn: () => null,
  };
  return tool.run(parsed.input, context);
}

/** For a table: what came of it in one word. */
export function codeOf(outcome: ToolOutcome): string {
  return outcome.status === "OK" ? "OK" : outcome.code;
}
