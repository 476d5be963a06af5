/** Role: looks every claim up again: figures, sentences of research, evidence, edges, kind, and what is named against it. */
import type { ClaimRecord, Support } from "../../schema/claim.ts";
import type { ResearchLine } from "../choose.ts";
import { boundFigures } from "../tools/submit-claims.ts";
import { claimsOf, type Listed, type ReadClaim, type ReadEdge, type ReadFigure, researchOf } from "./material.ts";
import { FINISH, type Method, type Role, type Wanted } from "./role.ts";
import { contentOf, hasCalled, type Seen } from "./seen.ts";

const PLACES_MAX = 16;

const method: Method = (seen) => {
  const { instrument, inputs } = seen;
  if (!hasCalled(seen, "read_drafts")) {
    return [
      { tool: "read_drafts", arguments: { references: inputs } },
      { tool: "list_facts", arguments: { instrument } },
    ];
  }
  const claims = claimsOf(seen);
  if (claims.length === 0) return [FINISH];
  const known = [...LOOK_UPS].some((tool) => hasCalled(seen, tool));
  if (!known) {
    const wanted = lookUps(seen, claims);
    if (wanted.length > 0) return wanted;
  }
  const looked = lookedUp(seen);
  const reviews = claims.map((claim) => {
    const fault = faultOf(claim, looked);
    return {
      claim: claim.id,
      verdict: fault?.verdict ?? "supported",
      code: fault?.code ?? null,
      detail: fault?.detail ?? null,
    };
  });
  return [{ tool: "submit_review", arguments: { reviews } }, FINISH];
};

const LOOK_UPS = new Set(["read_facts", "read_research", "read_causal_edges", "read_evidence"]);

function lookUps({ instrument }: Seen, claims: readonly ReadClaim[]): Wanted[] {
  const supports = claims.flatMap(namedBy);
  const figures = new Set([
    ...claims.flatMap(({ slots }) => boundFigures(slots)),
    ...supports.flatMap((support) => (support.kind === "fact" ? [support.figure] : [])),
  ]);
  const places = new Map(
    supports.flatMap((support) =>
      support.kind === "evidence" ? [[`${support.evidence_id} ${support.locator}`, support] as const] : [],
    ),
  );
  const wanted: Wanted[] = [];
  if (figures.size > 0)
    wanted.push({ tool: "read_facts", arguments: { instrument, figures: [...figures].slice(0, 200) } });
  if (supports.some(({ kind }) => kind === "research")) {
    wanted.push({ tool: "read_research", arguments: { instrument } });
  }
  if (claims.some(({ causal_edge }) => causal_edge !== null)) {
    wanted.push({ tool: "read_causal_edges", arguments: { instrument } });
  }
  for (const { evidence_id, locator } of [...places.values()].slice(0, PLACES_MAX)) {
    wanted.push({ tool: "read_evidence", arguments: { instrument, evidence_id, locator, context: 0 } });
  }
  return wanted;
}

interface Looked {
  locale: Listed["locale"] | null;
  types: Map<string, string>;
  sentences: Map<string, ResearchLine>;
  edges: Map<string, string[]>;
  places: Set<string>;
}

function lookedUp(seen: Seen): Looked {
  return {
    locale: contentOf<Listed>(seen, "list_facts")?.locale ?? null,
    types: new Map((contentOf<ReadFigure[]>(seen, "read_facts") ?? []).map(({ figure, type }) => [figure, type])),
    sentences: new Map(researchOf(seen).map((line) => [`research/${line.id}`, line])),
    edges: new Map((contentOf<ReadEdge[]>(seen, "read_causal_edges") ?? []).map(({ id, faults }) => [id, faults])),
    places: new Set(
      seen.calls
        .filter(({ tool, content }) => tool === "read_evidence" && content !== null)
        .map(({ arguments: { evidence_id, locator } }) => `${evidence_id} ${locator}`),
    ),
  };
}

interface Fault {
  verdict: "unsupported" | "unclear";
  code: string;
  detail: string;
}

/** The first thing that does not hold. */
function faultOf(claim: ReadClaim, looked: Looked): Fault | null {
  const wrong = (code: string, detail: string): Fault => ({
    verdict: "unsupported",
    code,
    detail: detail.slice(0, 300),
  });
  const loose = boundFigures(claim.slots).find((figure) => !looked.types.has(figure));
  if (loose !== undefined) return wrong("FIGURE_UNREAD", loose);
  if (claim.supports.length === 0) return wrong("SUPPORT_ABSENT", claim.id);
  const missing = namedBy(claim).find((support) => !isRead(support, looked));
  if (missing !== undefined) return wrong("SUPPORT_UNREAD", JSON.stringify(missing));
  if (!isOfItsKind(claim, looked)) return wrong("TYPE_DIFFERS", claim.type);
  const quoted = quotedBy(claim, looked);
  if (quoted !== null && looked.locale !== null && quoted.text[looked.locale] !== claim.text) {
    return wrong("SENTENCE_DIFFERS", quoted.id);
  }
  if (claim.causal_edge !== null && looked.edges.get(claim.causal_edge)?.length !== 0) {
    return wrong("EDGE_UNUSABLE", claim.causal_edge);
  }
  if (claim.opposing.kind === "sought") {
    return { verdict: "unclear", code: "SEARCH_UNSEEN", detail: claim.opposing.receipt_id.slice(0, 300) };
  }
  return null;
}

function isRead(support: Support, { types, sentences, places }: Looked): boolean {
  switch (support.kind) {
    case "fact":
      return types.has(support.figure);
    case "research":
      return sentences.has(support.sentence);
    case "evidence":
      return places.has(`${support.evidence_id} ${support.locator}`);
    // That a query was run supports nothing about the product.
    case "receipt":
      return false;
  }
}

/** What says that it is a fact binds one of its kind; what rests on research alone is of the kind of its sentence. */
function isOfItsKind({ type, slots, supports }: ReadClaim, { types, sentences }: Looked): boolean {
  if (slots.length > 0) {
    return !OF_FACTS.includes(type) || boundFigures(slots).some((figure) => types.get(figure) === type);
  }
  return supports.some((support) => support.kind === "research" && sentences.get(support.sentence)?.type === type);
}

const OF_FACTS: readonly ClaimRecord["type"][] = ["OBSERVED", "REPORTED", "DERIVED"];

/** The one sentence that a claim without figures repeats. */
function quotedBy({ slots, supports }: ReadClaim, { sentences }: Looked): ResearchLine | null {
  const [support, ...more] = supports;
  if (slots.length > 0 || more.length > 0 || support?.kind !== "research") return null;
  return sentences.get(support.sentence) ?? null;
}

function namedBy({ supports, opposing }: ReadClaim): Support[] {
  return opposing.kind === "found" ? [...supports, ...opposing.supports] : supports;
}

export const evidenceVerifier: Role = {
  name: "evidence_verifier",
  purpose: "looks up again what each claim rests on: place, time, kind, support",
  words: `You verify claims that others propose; you propose none. Take nothing from the claim itself: read every figure, sentence of research,
place of evidence and causal edge that it names, then judge. Supported is a claim whose every part stands in what you read:
figures that are OK and mean what the sentence says of them, the window that it names, the kind that it says it is, a sentence
that says no more than its source, and something real named against it. Otherwise unsupported with a code and the place, or
unclear if you could not look it up. You are not asked whether you like it, and a claim that is nearly right is not supported.`,
  tools: [
    "list_facts",
    "read_facts",
    "read_research",
    "read_causal_edges",
    "read_evidence",
    "search_payloads",
    "read_drafts",
    "submit_review",
  ],
  reads: ["facts", "research", "evidence"],
  share: 0.2,
  needs: ["claims"],
  method,
};
