/** The tools of a composer's run over one desk. Which role is offered which, its contract says. */
import { makeToolbox, type Tool, type Toolbox } from "../agents/tool.ts";
import type { Locale } from "../domain/locale.ts";
import { compileChild } from "./contracts.ts";
import { ROLES } from "./roles/index.ts";
import { PLANNER } from "./roles/planner.ts";
import { ASSEMBLED, assemble } from "./tools/assemble.ts";
import { comparePeers } from "./tools/compare-peers.ts";
import { delegate } from "./tools/delegate.ts";
import type { Desk } from "./tools/desk.ts";
import { listFacts } from "./tools/list-facts.ts";
import { objectTo } from "./tools/object.ts";
import { readCausalEdges } from "./tools/read-causal-edges.ts";
import { readDrafts } from "./tools/read-drafts.ts";
import { readEvidence } from "./tools/read-evidence.ts";
import { readFacts } from "./tools/read-facts.ts";
import { readResearch } from "./tools/read-research.ts";
import { recalculateFigures } from "./tools/recalculate.ts";
import { searchPayloads } from "./tools/search-payloads.ts";
import { submitClaims } from "./tools/submit-claims.ts";
import { submitReview } from "./tools/submit-review.ts";

export function composerToolbox(desk: Desk): Toolbox {
  return makeToolbox([
    listFacts(desk),
    readFacts(desk),
    comparePeers(desk),
    readResearch(desk),
    readCausalEdges(desk),
    readEvidence(desk),
    searchPayloads(desk),
    recalculateFigures(desk),
    readDrafts,
    submitClaims(desk),
    objectTo(desk),
    submitReview,
    assemble,
    DELEGATES[desk.locale],
  ]);
}

const delegateIn = (locale: Locale): Tool =>
  delegate({
    roles: ROLES.filter(({ name }) => name !== PLANNER),
    compile: (order, context) => compileChild(locale, order, context),
    adopts: ASSEMBLED,
  });

const DELEGATES: Record<Locale, Tool> = { "ko-KR": delegateIn("ko-KR"), "en-US": delegateIn("en-US") };
