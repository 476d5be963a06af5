/**
 * What tools may look at: the frozen documents of the products that a run is about, read-only. Whoever runs a task fills the
 * desk; a task's scopes say which products of it the task may see. What the intended use has no right to is not on it.
 */
import type { Locale } from "../../domain/locale.ts";
import type { CausalEdgeVersion } from "../../schema/causal-edge.ts";
import type { Fact } from "../../schema/fact.ts";
import type { Recalculated } from "../../schema/recalculated.ts";
import type { ResearchDefinition } from "../../schema/research.ts";
import type { JsonObject } from "../../schema/turn.ts";
import type { Product } from "../rules/rule.ts";

export interface Desk {
  locale: Locale;
  as_of: string;
  /** By instrument, such as `US:SPY`. */
  products: ReadonlyMap<string, ProductDesk>;
}

export interface ProductDesk {
  product: Product;
  /** By figure id, such as `total_return.1y`. */
  facts: ReadonlyMap<string, Fact>;
  research: ResearchDefinition | null;
  /** Registered names that may hold digits: its own, those of its comparison and sources, those that the language knows. */
  names: readonly string[];
  /** By which a sentence names this very product. */
  own_names: readonly string[];
  causalEdges: readonly CausalEdgeVersion[];
  evidence: readonly EvidenceText[];
  /** Asks the second path; null where it has no result. */
  recalculated(): Promise<Recalculated | null>;
  /** The product's last sealed version, as a reader may see it; null where none was sealed. */
  sealedVersion(): Promise<JsonObject | null>;
}

/** One payload that the product's facts rest on and that the intended use may read. */
export interface EvidenceText {
  evidence_id: string;
  source_id: string;
  media_type: string;
  /** When it could first be used. */
  first_usable_at: string;
  /** The payload as text, decoded as its source contract says. */
  text(): Promise<string>;
}

/** Scopes of one product: what a contract grants and what a tool asks. */
export const readScopes = (instrument: string) => ({
  facts: `facts:${instrument}`,
  research: `research:${instrument}`,
  evidence: `evidence:${instrument}`,
  recalculation: `recalculation:${instrument}`,
  versions: `versions:${instrument}`,
});
