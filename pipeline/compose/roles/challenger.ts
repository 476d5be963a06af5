/** Role: the other side. Its objections are recorded as they are, whatever becomes of the claims. */
import type { JsonValue } from "../../schema/turn.ts";
import { askedFigures, type ClaimProposal, chooseCounterpoints, type ResearchLine } from "../choose.ts";
import { MAIN_WINDOWS } from "../rules/counterpoints.ts";
import { claimsOf, figuresOf, type Listed, type ReadClaim, researchOf } from "./material.ts";
import { FINISH, type Method, type Role, type Wanted } from "./role.ts";
import { contentOf, hasCalled } from "./seen.ts";

const ASKED = askedFigures(["counterpoint"]);

const method: Method = (seen) => {
  const { instrument, inputs } = seen;
  if (!hasCalled(seen, "list_facts")) {
    return [
      { tool: "list_facts", arguments: { instrument } },
      { tool: "read_drafts", arguments: { references: inputs } },
    ];
  }
  const listed = contentOf<Listed>(seen, "list_facts");
  const claims = claimsOf(seen);
  if (listed === null || claims.length === 0) return [FINISH];
  if (!hasCalled(seen, "read_facts") && !hasCalled(seen, "read_research")) {
    const figures = listed.ok.filter((figure) => ASKED.has(figure));
    const wanted: Wanted[] = [];
    if (figures.length > 0) wanted.push({ tool: "read_facts", arguments: { instrument, figures } });
    if (listed.research_sentences > 0) wanted.push({ tool: "read_research", arguments: { instrument } });
    return wanted.length > 0 ? wanted : [FINISH];
  }
  const { product, locale } = listed;
  const research = researchOf(seen);
  const counters = chooseCounterpoints({ product, locale, figures: figuresOf(seen), research }, claims);
  const objections = [
    ...counters.flatMap((counter) => objectionBy(counter, claims)),
    ...rivalsIn(research, counters, thesisIn(claims)),
  ];
  const wanted: Wanted[] = [];
  if (counters.length > 0) {
    wanted.push({ tool: "submit_claims", arguments: { instrument, claims: counters as unknown as JsonValue } });
  }
  const gaps = objections.length > 0 ? [] : [NOTHING_AGAINST];
  wanted.push({ tool: "object", arguments: { instrument, objections, gaps } });
  return [...wanted, FINISH];
};

const NOTHING_AGAINST = { code: "NOTHING_AGAINST", detail: "no figure and no sentence at hand says otherwise" };

/** Of what goes the other way both cannot be said as if it were all; what only stands beside a gain qualifies it. */
const OTHER_WAY = /^but-(?:up|down|ahead|behind|currency)/;

/** Against the thesis for a sentence of research; of a figure, against the claim of the same or of the leading figure. */
function objectionBy({ id, supports }: ClaimProposal, claims: readonly ReadClaim[]) {
  const own = supports.flatMap((support) => (support.kind === "fact" ? [support.figure] : []));
  const points = claims.filter(({ role, slots }) => role === "point" && slots.length > 0);
  const binding = (figures: readonly string[]) =>
    points.find(({ slots }) => slots.some(({ figure }) => figures.includes(figure)))?.id;
  const main = MAIN_WINDOWS.map((window) => `total_return.${window}`);
  const about =
    own.length === 0 ? (thesisIn(claims) ?? points[0]?.id) : (binding(own) ?? binding(main) ?? points[0]?.id);
  if (about === undefined) return [];
  const stance = own.length === 0 || OTHER_WAY.test(id) ? "disagrees" : "qualifies";
  return [{ about, stance, grounds: supports as unknown as JsonValue, counter_claim: `claims/${id}` }];
}

/** Competing hypotheses that no counter-point says, against what the research holds. */
function rivalsIn(research: readonly ResearchLine[], counters: readonly ClaimProposal[], thesis: string | undefined) {
  const said = new Set(
    counters.flatMap(({ supports }) =>
      supports.map((support) => (support.kind === "research" ? support.sentence : "")),
    ),
  );
  const held = research.find(({ section }) => section === "thesis");
  const about = thesis ?? (held === undefined ? undefined : `research/${held.id}`);
  if (about === undefined) return [];
  return research
    .filter(({ section, id }) => section === "competing_hypotheses" && !said.has(`research/${id}`))
    .map(({ id }) => ({
      about,
      stance: "disagrees",
      grounds: [{ kind: "research", sentence: `research/${id}` }],
      counter_claim: null,
    }));
}

/** A point that cites research. */
function thesisIn(claims: readonly ReadClaim[]): string | undefined {
  return claims.find(({ role, supports }) => role === "point" && supports.some(({ kind }) => kind === "research"))?.id;
}

export const challenger: Role = {
  name: "challenger",
  purpose: "speaks against the claims so far: competing hypotheses, counter-evidence, counter-points",
  words: `You speak against what others propose. Read their claims, then look for what says otherwise: another window with the other sign, the
comparison, the currency, the fall on the way, the cost; in the research its competing hypotheses and counter-evidence. Propose at
least one counter-point as a claim of its own (role counterpoint), with the rules of every claim: one sentence, places instead of
numerals, figures that you have read. Then object: name the claim that each speaks against, your stance and its grounds, and the
counter-claim. Do not soften, and do not look for a middle: your objection is shown as it is. Invent none: where nothing speaks
against a claim, hand in the gap.`,
  tools: [
    "list_facts",
    "read_facts",
    "compare_peers",
    "read_research",
    "read_evidence",
    "search_payloads",
    "read_drafts",
    "submit_claims",
    "object",
  ],
  reads: ["facts", "research", "evidence"],
  share: 0.2,
  needs: ["claims"],
  method,
};
