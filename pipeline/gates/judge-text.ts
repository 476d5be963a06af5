/**
 * The sentence gates alone, on sentences that belong to no card: what a person tries before using it. The same gates, rules
 * and fold as for a card; nothing is bound, so nothing is excused by a fact.
 */
import type { Sentence } from "../schema/sentence.ts";
import type { Finding, Verdict } from "../schema/verdict.ts";
import { foldVerdict, type PolicyInForce, runGates } from "./run.ts";

export interface TextJudgement {
  verdict: Verdict;
  findings: Finding[];
}

export function judgeText(policy: PolicyInForce, sentences: readonly Sentence[]): TextJudgement {
  const evidence = {
    sentences: [...sentences],
    claims: [],
    query_receipts: [],
    facts: [],
    sources: [],
    causal_edges: [],
  };
  return foldVerdict(policy, ["sentences"], runGates({ ...policy, instrument: "", stage: "sentences", evidence }));
}
