/**
 * What other tasks handed in to the task at hand, and what it handed in itself: claims, objections, reviews. Reads nothing that
 * its contract does not name; what is there is taken word for word.
 */
import type { ToolContext } from "../agents/tool.ts";
import type { ClaimRecord } from "../schema/claim.ts";
import type { ClaimReviews, HandedIn, Objections, RefusedClaim, SubmittedClaims } from "../schema/composed.ts";

type Handed = Pick<ToolContext, "contract" | "handedIn">;

export interface Draft {
  claim: ClaimRecord;
  /** The document that it stands in. */
  reference: string;
}

export interface Drafts {
  /** By claim id. Several under one id: nobody can say which is meant. */
  claims: Map<string, Draft[]>;
  /** By the grammar. */
  refused: Map<string, RefusedClaim["faults"]>;
  objections: Objections["objections"];
  reviews: ClaimReviews[];
}

export function draftsOf(context: Handed): Drafts {
  return draftsAmong(
    context.contract.inputs.flatMap((reference) => {
      const document = handedIn(context, reference);
      return document === null ? [] : [{ reference, document }];
    }),
  );
}

export function draftsAmong(documents: readonly { reference: string; document: HandedIn }[]): Drafts {
  const drafts: Drafts = { claims: new Map(), refused: new Map(), objections: [], reviews: [] };
  for (const { reference, document } of documents) {
    if (document.schema === "submitted_claims/v1") {
      for (const claim of document.claims) {
        drafts.claims.set(claim.id, [...(drafts.claims.get(claim.id) ?? []), { claim, reference }]);
      }
      for (const { id, faults } of document.refused) drafts.refused.set(id, faults);
    } else if (document.schema === "objections/v1") drafts.objections.push(...document.objections);
    else if (document.schema === "claim_reviews/v1") drafts.reviews.push(document);
  }
  return drafts;
}

/** Claims that this very task handed in, the last time that it did. */
export function ownClaims(context: Handed): ClaimRecord[] {
  const own = handedIn(context, referenceTo(context.contract.task_id, "claims")) as SubmittedClaims | null;
  return own?.claims ?? [];
}

export function handedIn(context: Pick<Handed, "handedIn">, reference: string): HandedIn | null {
  return context.handedIn(reference) as HandedIn | null;
}

export function referenceTo(taskId: string, name: string): string {
  return `task:${taskId}/${name}`;
}
