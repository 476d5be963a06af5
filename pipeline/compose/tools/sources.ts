/** How tools name what they read, so that a receipt, a reference and a support of a claim mean the same thing. */
import { z } from "zod";
import type { Support } from "../../schema/claim.ts";
import type { Ground } from "../../schema/composed.ts";
import type { Desk, ProductDesk } from "./desk.ts";

export const instrumentInput = z.string().min(1).max(40).describe("Such as US:SPY; one that the task was given.");
export const figureInput = z.string().min(1).max(120);

export const factSource = (instrument: string, figure: string) => `fact/${instrument}/${figure}`;
export const recalculatedSource = (instrument: string, figure: string) => `recalculated/${instrument}/${figure}`;
export const edgeSource = (edge: string) => `edge/${edge}`;
/** `sentence` as supports write it: `research/<id>`. */
export const researchSource = (instrument: string, sentence: string) =>
  `research/${instrument}/${sentence.replace(/^research\//, "")}`;

/** Null: not on the desk of this run. */
export function onDesk(desk: Desk, instrument: string): ProductDesk | null {
  return desk.products.get(instrument) ?? null;
}

export const NOT_ON_DESK = {
  status: "FAILED",
  code: "INSTRUMENT_UNKNOWN",
  message: "this run is not about that product",
} as const;

/** What must have been read by whoever names it. A query receipt is none of its author's reading. */
export function sourceOf(instrument: string, support: Support | Ground): string[] {
  switch (support.kind) {
    case "fact":
      return [factSource(instrument, support.figure)];
    case "research":
      return [researchSource(instrument, support.sentence)];
    case "evidence":
      return [`evidence/${support.evidence_id}`];
    case "edge":
      return [edgeSource(support.edge)];
    default:
      return [];
  }
}
