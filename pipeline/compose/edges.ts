/**
 * Which edges of the causal register concern a product, and why one may not carry a "because" there. What a gate will ask again
 * after the run, from its own rules; here it only keeps an analyst from proposing what cannot stand.
 */
import { type CausalEdgeVersion, isExplanatoryOnly } from "../schema/causal-edge.ts";
import { type ResearchDefinition, sentencesOf } from "../schema/research.ts";
import type { Product } from "./rules/rule.ts";

export type EdgeFault = "UNKNOWN" | "WITHDRAWN" | "NOT_APPROVED" | "OUTSIDE_REGIME" | "EXPLAINS_ONLY" | "INCOMPLETE";

export interface ConcernedEdge {
  edge: CausalEdgeVersion;
  /** Empty: a sentence may say why by it. */
  faults: EdgeFault[];
}

interface Concerned {
  product: Product;
  research: ResearchDefinition | null;
  causalEdges: readonly CausalEdgeVersion[];
}

/** Edges that hold for the product, and those that its research names whether they hold or not. */
export function edgesConcerning({ product, research, causalEdges }: Concerned, asOf: string): ConcernedEdge[] {
  const named = new Set(research === null ? [] : sentencesOf(research).map(({ sentence }) => sentence.causal_edge));
  return causalEdges
    .filter((edge) => named.has(edge.id) || holdsFor(edge, product, asOf))
    .map((edge) => ({ edge, faults: edgeFaults(edge, product, asOf) }));
}

export function edgeFaults(edge: CausalEdgeVersion, product: Product, asOf: string): EdgeFault[] {
  const state = edge.history.at(-1)?.state;
  const faults: EdgeFault[] = [];
  if (state === "WITHDRAWN") faults.push("WITHDRAWN");
  else if (state !== "APPROVED") faults.push("NOT_APPROVED");
  if (!holdsFor(edge, product, asOf)) faults.push("OUTSIDE_REGIME");
  if (isExplanatoryOnly(edge)) faults.push("EXPLAINS_ONLY");
  if (edge.assumptions.length === 0 || edge.alternatives.length === 0 || edge.falsifier === null) {
    faults.push("INCOMPLETE");
  }
  return faults;
}

function holdsFor({ regime }: CausalEdgeVersion, product: Product, asOf: string): boolean {
  const { markets, product_types, peer_groups, fx_hedged, from, until } = regime;
  const day = asOf.slice(0, 10);
  return (
    markets.includes(product.market) &&
    product_types.includes(product.product_type) &&
    (peer_groups === undefined || peer_groups.includes(product.peer_group)) &&
    (fx_hedged === undefined || fx_hedged === product.fx_hedged) &&
    from <= day &&
    (until === null || day <= until)
  );
}
