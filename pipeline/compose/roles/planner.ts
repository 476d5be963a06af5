/** Role: the root of a run. Decides who looks at what and in which order; writes no claim and has no tool to. */
import type { JsonValue } from "../../schema/turn.ts";
import type { Listed } from "./material.ts";
import { FINISH, type Method, type Role, type Wanted } from "./role.ts";
import { contentOf, hasCalled, type Seen } from "./seen.ts";

export const PLANNER = "planner";

const method: Method = (seen) => {
  if (!hasCalled(seen, "list_facts")) return [{ tool: "list_facts", arguments: { instrument: seen.instrument } }];
  const listed = contentOf<Listed>(seen, "list_facts");
  if (listed === null || listed.ok.length + listed.research_sentences === 0) return [FINISH];
  const claims = referencesTo(seen, "claims");
  if (!isDelegated(seen, "domain_analyst")) return [order("domain_analyst", [])];
  if (listed.causal_edges.length > 0 && !isDelegated(seen, "causal_analyst")) return [order("causal_analyst", claims)];
  if (claims.length === 0) return [FINISH];
  if (!isDelegated(seen, "challenger")) return [order("challenger", claims)];
  if (!isDelegated(seen, "evidence_verifier")) {
    return [order("evidence_verifier", claims), order("quantitative_verifier", claims)];
  }
  const others = [...referencesTo(seen, "objections"), ...referencesTo(seen, "review")];
  return [order("assembler", [...claims, ...others]), FINISH];
};

export const planner: Role = {
  name: PLANNER,
  purpose: "plans the run",
  words: `You plan how the claims of one research card come about. You write none yourself: you give work to roles with delegate, and pass
on the references of what they handed in.
1. Look at what there is (list_facts).
2. domain_analyst proposes points and risks. Where the product has causal edges, causal_analyst looks at them.
3. challenger is given all claims so far and speaks against them.
4. evidence_verifier and quantitative_verifier are each given every reference to claims, those of the challenger too.
5. assembler is given every reference there is: claims, objections and reviews. What it hands in becomes your result.
If verifiers found faults worth mending, give the claims' author the work again and have the new claims verified; pass on the
newer reference only. An objection is not to be settled or smoothed over: it is shown beside the claim. Then finish.`,
  tools: ["list_facts", "read_drafts", "delegate"],
  reads: ["facts"],
  share: 1,
  needs: [],
  method,
};

function order(role: string, inputs: JsonValue[]): Wanted {
  return { tool: "delegate", arguments: { role, inputs, note: null } };
}

function isDelegated({ calls }: Seen, role: string): boolean {
  return calls.some(({ tool, arguments: args }) => tool === "delegate" && args.role === role);
}

/** Documents of one name that children handed in. */
function referencesTo({ calls }: Seen, name: string): string[] {
  return calls
    .filter(({ tool }) => tool === "delegate")
    .flatMap(({ content }) => (content as { outputs?: { reference: string }[] } | null)?.outputs ?? [])
    .map(({ reference }) => reference)
    .filter((reference) => reference.endsWith(`/${name}`));
}
