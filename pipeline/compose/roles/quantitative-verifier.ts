/** Role: holds every bound figure to the second path. It computes nothing itself and has no tool that would. */
import { boundFigures } from "../tools/submit-claims.ts";
import { claimsOf, type ReadClaim } from "./material.ts";
import { FINISH, type Method, type Role } from "./role.ts";
import { hasCalled, type Seen } from "./seen.ts";

const FIGURES_MAX = 100;

const method: Method = (seen) => {
  const { instrument, inputs } = seen;
  if (!hasCalled(seen, "read_drafts")) return [{ tool: "read_drafts", arguments: { references: inputs } }];
  const claims = claimsOf(seen);
  if (claims.length === 0) return [FINISH];
  const figures = [...new Set(claims.flatMap(({ slots }) => boundFigures(slots)))];
  if (figures.length > 0 && !hasCalled(seen, "recalculate")) {
    const chunks = Array.from({ length: Math.ceil(figures.length / FIGURES_MAX) }, (_, index) =>
      figures.slice(index * FIGURES_MAX, (index + 1) * FIGURES_MAX),
    );
    return chunks.map((chunk) => ({ tool: "recalculate", arguments: { instrument, figures: chunk } }));
  }
  const found = recalculatedIn(seen);
  return [{ tool: "submit_review", arguments: { reviews: claims.map((claim) => reviewOf(claim, found)) } }, FINISH];
};

interface Recalculation {
  figure: string;
  status: string;
  value: string | null;
  matches: boolean;
}

function recalculatedIn({ calls }: Seen): Map<string, Recalculation> {
  const all = calls.flatMap(({ tool, content }) =>
    tool === "recalculate" ? ((content ?? []) as unknown as Recalculation[]) : [],
  );
  return new Map(all.map((one) => [one.figure, one]));
}

function reviewOf({ id, slots }: ReadClaim, found: ReadonlyMap<string, Recalculation>) {
  const figures = boundFigures(slots);
  if (figures.length === 0) return { claim: id, verdict: "supported", code: "NO_FIGURE", detail: "binds no figure" };
  const unknown = figures.filter((figure) => found.get(figure)?.status !== "OK");
  if (unknown.length > 0) {
    return { claim: id, verdict: "unclear", code: "NOT_RECALCULATED", detail: unknown.join(", ").slice(0, 300) };
  }
  const other = figures.filter((figure) => found.get(figure)?.matches !== true);
  if (other.length > 0) {
    return { claim: id, verdict: "unsupported", code: "FIGURE_MISMATCH", detail: other.join(", ").slice(0, 300) };
  }
  return { claim: id, verdict: "supported", code: null, detail: null };
}

export const quantitativeVerifier: Role = {
  name: "quantitative_verifier",
  purpose: "holds every figure that a claim binds to a second calculation",
  words: `You verify the figures of claims that others propose. You compute nothing: call recalculate for every figure that a claim binds,
the figure of a window label too, and compare what it says. Supported is a claim of whose figures every one matches; unsupported
(FIGURE_MISMATCH, with the figure) if one does not; unclear (NOT_RECALCULATED) if the second path has no result for it. A claim
that binds no figure is supported with the code NO_FIGURE. Do not judge the words, and do not explain a difference away.`,
  tools: ["read_drafts", "recalculate", "submit_review"],
  reads: ["facts", "recalculation"],
  share: 0.1,
  needs: ["claims"],
  method,
};
