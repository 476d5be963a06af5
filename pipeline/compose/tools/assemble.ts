/**
 * Tool: makes the card's list of claims out of ids alone. The host takes each claim from the draft that was handed in, word for
 * word, so that whoever assembles can add no fact, figure, forecast or word; what was not supported by both verifiers is refused.
 */
import { z } from "zod";
import { defineTool, type Tool } from "../../agents/tool.ts";
import type { AssembledClaims, RefusedClaim } from "../../schema/composed.ts";
import type { JsonObject, JsonValue } from "../../schema/turn.ts";
import { type Draft, type Drafts, draftsOf } from "../drafts.ts";
import { CLAIMS_MAX } from "./submit-claims.ts";

/** Name of the document. */
export const ASSEMBLED = "assembled";

/** Each must have said of a claim that it is supported. */
export const VERIFIERS = ["evidence_verifier", "quantitative_verifier"] as const;

export const assemble: Tool = defineTool({
  name: "assemble",
  version: "1",
  description: `Hand in the card's claims as a list of ids (claims/…) in the order in which the card says them; calling again
replaces it. Nothing can be reworded or added. Refused with a code: an id that is in no draft, a claim that a verifier did not
support, and a claim whose supported counter-claim you leave out.`,
  input: z.strictObject({ claims: z.array(z.string().min(1).max(90)).min(1).max(CLAIMS_MAX) }),
  effect: "read",
  scope: () => ({}),
  run: ({ claims: ids }, context) => {
    const drafts = draftsOf(context);
    const document: AssembledClaims = { schema: "assembled_claims/v1", claims: [], refused: [] };
    const references = new Set<string>();
    for (const [index, id] of ids.entries()) {
      const [draft] = drafts.claims.get(id) ?? [];
      const faults = ids.indexOf(id) < index ? [{ code: "ID_REPEATED", detail: id }] : assemblyFaults(drafts, id);
      if (draft !== undefined && faults.length === 0) faults.push(...counterFaults(drafts, id, ids));
      if (draft === undefined || faults.length > 0) {
        document.refused.push({ id, faults });
        continue;
      }
      document.claims.push(draft.claim);
      references.add(draft.reference);
    }
    const refused = document.refused as unknown as JsonValue;
    if (document.claims.length === 0) return { status: "EMPTY", code: "NOTHING_ACCEPTED", content: { refused } };
    return {
      status: "OK",
      content: { accepted: document.claims.map(({ id }) => id), refused },
      outputs: [{ name: ASSEMBLED, document: document as unknown as JsonObject, references: [...references] }],
    };
  },
});

/** Why a claim of the drafts may not stand on the card; empty where it may. */
export function assemblyFaults(drafts: Drafts, id: string): RefusedClaim["faults"] {
  const [draft, other] = drafts.claims.get(id) ?? [];
  if (draft === undefined) {
    const isRefused = drafts.refused.has(id);
    return [{ code: isRefused ? "CLAIM_REFUSED" : "CLAIM_UNKNOWN", detail: id.slice(0, 90) }];
  }
  if (other !== undefined) return [{ code: "CLAIM_AMBIGUOUS", detail: `two drafts have ${id}` }];
  return VERIFIERS.flatMap((role) => reviewFaults(drafts, draft, role));
}

/** Where a role reviewed several times, every review must support it. */
function reviewFaults({ reviews }: Drafts, { claim }: Draft, role: string): RefusedClaim["faults"] {
  const said = reviews
    .filter(({ by }) => by === role)
    .flatMap((document) => document.reviews)
    .filter((review) => review.claim === claim.id && review.receipt === claim.receipt);
  if (said.length === 0) return [{ code: "NOT_REVIEWED", detail: role }];
  return said
    .filter(({ verdict }) => verdict !== "supported")
    .map(({ verdict, code, detail }) => ({
      code: "NOT_SUPPORTED",
      detail: `${role}: ${[verdict, code, detail].filter((part) => part !== null).join(", ")}`,
    }));
}

/** What was said against a claim goes onto the card with it. */
function counterFaults(drafts: Drafts, id: string, chosen: readonly string[]): RefusedClaim["faults"] {
  return drafts.objections.flatMap(({ about, counter_claim }) => {
    if (about !== id || counter_claim === null || chosen.includes(counter_claim)) return [];
    return assemblyFaults(drafts, counter_claim).length > 0
      ? []
      : [{ code: "COUNTER_LEFT_OUT", detail: counter_claim }];
  });
}
