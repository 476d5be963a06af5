/**
 * Whether a sentence that says why may say so: the edge it names stands in the register, is approved and complete, and is
 * used where it holds. Sentences that say why without naming an edge are the cause gate's.
 */
import { type CausalEdgeVersion, isExplanatoryOnly } from "../schema/causal-edge.ts";
import type { Instrument } from "../schema/instrument.ts";
import type { Sentence } from "../schema/sentence.ts";
import { defineGate, examples } from "./gate.ts";

export const causalEdge = defineGate({
  id: "causal-edge",
  version: 1,
  family: "causality",
  stage: "page",
  question: "Is every causal edge that a sentence names approved, complete, and used where it holds?",
  needs: ["sentences", "causal_edges", "instrument", "terms"],
  codes: {
    CAUSAL_REVIEW: {
      severity: "REVIEW",
      meaning: "a sentence rests on a causal edge that is not approved or does not say what it assumes",
      remedy: "complete the edge and promote it step by step, or say the sentence without why",
    },
    USE_RESTRICTED: {
      severity: "BLOCK",
      meaning:
        "a causal edge is unknown, withdrawn, used where it does not hold, or explains only and is used as a cause",
      remedy: "take the edge out of the sentence, or name one that covers the product and its dates",
    },
  },
  check({ sentences, causal_edges, instrument, terms }, report, examined) {
    const uses = new Map<string, Sentence[]>();
    for (const sentence of sentences) {
      examined(sentence.id);
      const id = sentence.causal_edge;
      if (id !== null) uses.set(id, [...(uses.get(id) ?? []), sentence]);
    }
    const asOf = terms.as_of.slice(0, 10);
    for (const [id, users] of uses) {
      const edge = causal_edges.find((candidate) => candidate.id === id);
      const named = `named by ${examples(users.map((sentence) => sentence.id))}`;
      const restrictions =
        edge === undefined ? [`not in the register on ${asOf}`] : restrictionsOf(edge, users, instrument, asOf);
      const doubts = edge === undefined ? [] : doubtsOf(edge);
      // What may not be used need not be completed first.
      if (restrictions.length > 0) report("USE_RESTRICTED", id, `${restrictions.join("; ")}; ${named}`);
      else if (doubts.length > 0) report("CAUSAL_REVIEW", id, `${doubts.join("; ")}; ${named}`);
    }
  },
});

function restrictionsOf(
  edge: CausalEdgeVersion,
  sentences: readonly Sentence[],
  instrument: Instrument,
  asOf: string,
): string[] {
  const { markets, product_types, peer_groups, fx_hedged, from, until } = edge.regime;
  const found: string[] = [];
  if (stateOf(edge) === "WITHDRAWN") found.push("withdrawn");
  if (!markets.includes(instrument.market)) found.push(`does not hold in ${instrument.market}`);
  if (!product_types.includes(instrument.product_type)) found.push(`does not hold for ${instrument.product_type}`);
  if (peer_groups !== undefined && !peer_groups.includes(instrument.peer_group)) {
    found.push(`does not hold for the group ${instrument.peer_group || "of no name"}`);
  }
  if (fx_hedged !== undefined && fx_hedged !== instrument.fx_hedged) {
    found.push(`does not hold for ${instrument.fx_hedged ? "hedged" : "unhedged"} products`);
  }
  if (asOf < from || (until !== null && asOf > until)) found.push(`holds from ${from} to ${until ?? "now"}`);
  const stated = sentences.filter(({ type }) => !EXPLAINING.includes(type));
  if (isExplanatoryOnly(edge) && stated.length > 0) {
    found.push(`explains only, and is stated as a cause by ${examples(stated.map(({ id }) => id))}`);
  }
  return found;
}

/** What an edge without estimand and identification may serve: an explanation that is marked as one. */
const EXPLAINING: readonly Sentence["type"][] = ["INFERRED", "OPINION"];

function doubtsOf(edge: CausalEdgeVersion): string[] {
  const state = stateOf(edge);
  const doubts = state === "APPROVED" ? [] : [`version ${edge.version} is ${state}, not APPROVED`];
  if (edge.assumptions.length === 0) doubts.push("states no assumptions");
  if (edge.alternatives.length === 0) doubts.push("weighs no alternatives");
  if (edge.falsifier === null) doubts.push("has no falsifier");
  return doubts;
}

/** The register is supplied as it stood, so the last entry is the state. */
function stateOf({ history }: CausalEdgeVersion): CausalEdgeVersion["history"][number]["state"] {
  return history.at(-1)?.state ?? "DRAFT";
}
