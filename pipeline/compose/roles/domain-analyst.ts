/** Role: what a client wants to know of the product first, and its risks. Says nothing about causes. */
import type { JsonValue } from "../../schema/turn.ts";
import { askedFigures, chooseClaims } from "../choose.ts";
import { figuresOf, type Listed, researchOf } from "./material.ts";
import { FINISH, type Method, type Role, type Wanted } from "./role.ts";
import { contentOf, hasCalled } from "./seen.ts";

const ASKED = askedFigures(["point", "risk", "counterpoint"]);

const method: Method = (seen) => {
  const { instrument } = seen;
  if (!hasCalled(seen, "list_facts")) return [{ tool: "list_facts", arguments: { instrument } }];
  const listed = contentOf<Listed>(seen, "list_facts");
  if (listed === null) return [FINISH];
  if (!hasCalled(seen, "read_facts") && !hasCalled(seen, "read_research")) {
    const figures = listed.ok.filter((figure) => ASKED.has(figure));
    const hasPeers = listed.ok.some((figure) => figure.startsWith("peer_"));
    const wanted: Wanted[] = [];
    if (figures.length > 0) wanted.push({ tool: "read_facts", arguments: { instrument, figures } });
    if (listed.research_sentences > 0) wanted.push({ tool: "read_research", arguments: { instrument } });
    if (hasPeers) wanted.push({ tool: "compare_peers", arguments: { instrument } });
    return wanted.length > 0 ? wanted : [FINISH];
  }
  const { product, locale } = listed;
  const claims = chooseClaims({ product, locale, figures: figuresOf(seen), research: researchOf(seen) });
  if (claims.length === 0) return [FINISH];
  return [{ tool: "submit_claims", arguments: { instrument, claims: claims as unknown as JsonValue } }, FINISH];
};

export const domainAnalyst: Role = {
  name: "domain_analyst",
  purpose: "proposes points and risks from figures, peers and research",
  words: `You propose the sentences of a research card about one product: four to six points that answer what a client asks of this type of
product first, and one or two risks. Each is one atomic statement bound to figures by places {name}; you never write a numeral,
a date or a rank, and you say up, down, above or below only of a figure whose sign says so. Read figures before you bind them.
Name with every claim what speaks against it. A sentence of the research may be cited as it stands, with whose view it is.
Say nothing about causes, nothing about the future as if it were known, and give no advice. If a figure is unavailable, do
without it.`,
  tools: [
    "list_facts",
    "read_facts",
    "compare_peers",
    "read_research",
    "read_evidence",
    "search_payloads",
    "submit_claims",
  ],
  reads: ["facts", "research", "evidence"],
  share: 0.25,
  needs: [],
  method,
};
