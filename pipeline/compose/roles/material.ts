/** What tools of the desk return, as the built-in methods read it. */
import type { Locale } from "../../domain/locale.ts";
import type { ClaimRecord, EpistemicType } from "../../schema/claim.ts";
import type { ClaimReviews, Objections } from "../../schema/composed.ts";
import type { KnownFigure, ResearchLine } from "../choose.ts";
import type { Product } from "../rules/rule.ts";
import { contentOf, type Seen } from "./seen.ts";

/** Of list_facts. */
export interface Listed {
  locale: Locale;
  product: Product;
  ok: string[];
  research_sentences: number;
  causal_edges: string[];
}

/** Of read_facts and compare_peers, which says no unit: all of its figures are numbers. */
export interface ReadFigure {
  figure: string;
  value: string;
  type: EpistemicType;
  unit?: string;
}

/** Of read_causal_edges. */
export interface ReadEdge {
  id: string;
  faults: string[];
}

export type ReadClaim = Omit<ClaimRecord, "schema" | "instrument" | "locale" | "turn" | "receipt">;

/** Of read_drafts. */
export interface ReadDraft {
  reference: string;
  document: { schema: "submitted_claims/v1"; claims: ReadClaim[] } | Objections | ClaimReviews;
}

export function figuresOf(seen: Seen): Map<string, KnownFigure> {
  const figures = new Map<string, KnownFigure>();
  for (const tool of ["read_facts", "compare_peers"]) {
    for (const { figure, value, type, unit } of contentOf<ReadFigure[]>(seen, tool) ?? []) {
      const isNumber = unit !== "date" && unit !== "instant" && unit !== "text";
      if (!figures.has(figure)) figures.set(figure, { value, type, isNumber });
    }
  }
  return figures;
}

export function researchOf(seen: Seen): ResearchLine[] {
  return contentOf<ResearchLine[]>(seen, "read_research") ?? [];
}

export function claimsOf(seen: Seen): ReadClaim[] {
  const drafts = contentOf<ReadDraft[]>(seen, "read_drafts") ?? [];
  return drafts.flatMap(({ document }) => (document.schema === "submitted_claims/v1" ? document.claims : []));
}
