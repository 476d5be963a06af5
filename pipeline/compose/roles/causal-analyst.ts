/** Role: whether anything may be said about why. Where no approved edge holds, it says so instead. */
import type { JsonValue } from "../../schema/turn.ts";
import { chooseCause, type ResearchLine } from "../choose.ts";
import { type Listed, type ReadEdge, researchOf } from "./material.ts";
import { FINISH, type Method, type Role, type Wanted } from "./role.ts";
import { contentOf, hasCalled } from "./seen.ts";

const method: Method = (seen) => {
  const { instrument } = seen;
  if (!hasCalled(seen, "list_facts")) {
    return [
      { tool: "list_facts", arguments: { instrument } },
      { tool: "read_causal_edges", arguments: { instrument } },
    ];
  }
  const listed = contentOf<Listed>(seen, "list_facts");
  const edges = contentOf<ReadEdge[]>(seen, "read_causal_edges");
  if (listed === null || edges === null) return [FINISH];
  if (listed.research_sentences > 0 && !hasCalled(seen, "read_research")) {
    return [{ tool: "read_research", arguments: { instrument } }];
  }
  const research = researchOf(seen);
  const told = edges.map((edge) => ({ edge, lines: research.filter((line) => line.causal_edge === edge.id) }));
  const claims = told.flatMap(({ edge, lines }) =>
    edge.faults.length > 0 ? [] : lines.flatMap((line) => chooseCause({ locale: listed.locale, research }, line)),
  );
  const objections = told.flatMap(({ edge, lines }) =>
    edge.faults.length === 0 ? [] : lines.map((line) => objectionTo(line, edge)),
  );
  const gaps = told.flatMap(({ edge }) => {
    if (edge.faults.length > 0) return [{ code: `EDGE_${edge.faults[0]}`, detail: edge.id }];
    // An edge is no sentence: what says why by it is somebody's, as it stands.
    const isSaid = claims.some(({ causal_edge }) => causal_edge === edge.id);
    return isSaid ? [] : [{ code: "EDGE_WITHOUT_SENTENCE", detail: edge.id }];
  });
  const wanted: Wanted[] = [];
  if (claims.length > 0) {
    wanted.push({ tool: "submit_claims", arguments: { instrument, claims: claims as unknown as JsonValue } });
  }
  if (objections.length + gaps.length > 0) {
    wanted.push({ tool: "object", arguments: { instrument, objections, gaps } });
  }
  return [...wanted, FINISH];
};

/** A sentence that says why by an edge that may not carry it. */
function objectionTo({ id }: ResearchLine, { id: edge }: ReadEdge) {
  return { about: `research/${id}`, stance: "disagrees", grounds: [{ kind: "edge", edge }], counter_claim: null };
}

export const causalAnalyst: Role = {
  name: "causal_analyst",
  purpose: "says why, where an approved causal edge holds, and objects where none does",
  words: `You decide whether anything may be said about why. Read the causal edges that concern the product first. Only an edge without
faults may carry a claim that says why: name its id in causal_edge, stay within its effect, sign, lag and regime, and name its
alternatives or counter-evidence as what speaks against it. Of a sentence of the research, or a claim of others, that says why
by an edge with faults, or by none: object, with the edge as ground. What happened beside something else did not happen because of
it. Where no edge will do, hand in the gap with its code. A card without a "because" is a good card.`,
  tools: ["list_facts", "read_facts", "read_research", "read_causal_edges", "read_drafts", "submit_claims", "object"],
  reads: ["facts", "research"],
  share: 0.15,
  needs: [],
  method,
};
