/**
 * Tool: hands in what one verifier says of each claim it was given. It can support only what it looked up itself: the terminal
 * gate asks whether every figure, sentence and edge behind a supported claim was read in this very task.
 */
import { z } from "zod";
import { defineTool, type Tool } from "../../agents/tool.ts";
import type { ClaimRecord } from "../../schema/claim.ts";
import { type ClaimReviews, REVIEW_VERDICTS } from "../../schema/composed.ts";
import type { JsonObject } from "../../schema/turn.ts";
import { draftsOf } from "../drafts.ts";
import { recalculatedSource } from "./sources.ts";
import { boundFigures, CLAIMS_MAX, restsOn } from "./submit-claims.ts";

const REVIEWS_MAX = 4 * CLAIMS_MAX;

const reviewInput = z.strictObject({
  claim: z.string().min(1).max(90),
  verdict: z.enum(REVIEW_VERDICTS),
  code: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{1,63}$/)
    .nullable(),
  detail: z.string().max(300).nullable(),
});

/** What each verifier must have read itself of a claim that it supports. */
const MUST_READ: Record<string, (claim: ClaimRecord) => string[]> = {
  evidence_verifier: restsOn,
  quantitative_verifier: ({ instrument, slots }) =>
    boundFigures(slots).map((figure) => recalculatedSource(instrument, figure)),
};

export const submitReview: Tool = defineTool({
  name: "submit_review",
  version: "1",
  description: `Hand in your review: for every claim that you were given one verdict, all in one call; calling again replaces them.
supported: you looked it up and it holds; unsupported: it does not hold; unclear: you could not look it up. Anything but a
plain "supported" bears a code such as FIGURE_MISMATCH and says in detail where. A claim that you leave out is not supported.`,
  input: z.strictObject({ reviews: z.array(reviewInput).min(1).max(REVIEWS_MAX) }),
  effect: "read",
  scope: () => ({}),
  run: ({ reviews }, context) => {
    const { claims } = draftsOf(context);
    const { role } = context.contract;
    const document: ClaimReviews = { schema: "claim_reviews/v1", by: role, reviews: [] };
    const refused: { claim: string; code: string }[] = [];
    const references: string[] = [];
    const seen = new Set<string>();
    for (const review of reviews) {
      const [draft, other] = claims.get(review.claim) ?? [];
      const code =
        draft === undefined
          ? "CLAIM_UNKNOWN"
          : other !== undefined
            ? "CLAIM_AMBIGUOUS"
            : seen.has(review.claim)
              ? "REVIEW_REPEATED"
              : review.verdict !== "supported" && review.code === null
                ? "CODE_ABSENT"
                : null;
      seen.add(review.claim);
      if (draft === undefined || code !== null) {
        refused.push({ claim: review.claim, code: code ?? "CLAIM_UNKNOWN" });
        continue;
      }
      document.reviews.push({ ...review, receipt: draft.claim.receipt });
      references.push(draft.reference);
      if (review.verdict === "supported") references.push(...(MUST_READ[role]?.(draft.claim) ?? []));
    }
    if (document.reviews.length === 0) return { status: "EMPTY", code: "NOTHING_ACCEPTED", content: { refused } };
    return {
      status: "OK",
      content: { accepted: document.reviews.length, refused },
      outputs: [
        {
          name: "review",
          document: document as unknown as JsonObject,
          references: [...new Set(references)],
        },
      ],
    };
  },
});
