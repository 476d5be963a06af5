/** The roles of a run, in the order in which they work. */
import { assembler } from "./assembler.ts";
import { causalAnalyst } from "./causal-analyst.ts";
import { challenger } from "./challenger.ts";
import { domainAnalyst } from "./domain-analyst.ts";
import { evidenceVerifier } from "./evidence-verifier.ts";
import { planner } from "./planner.ts";
import { quantitativeVerifier } from "./quantitative-verifier.ts";
import type { Role } from "./role.ts";

export const ROLES: readonly Role[] = [
  planner,
  domainAnalyst,
  causalAnalyst,
  challenger,
  evidenceVerifier,
  quantitativeVerifier,
  assembler,
];

export function findRole(name: string): Role | undefined {
  return ROLES.find((role) => role.name === name);
}
