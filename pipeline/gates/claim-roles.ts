/**
 * Whether the composed sentences of a card are fair as a set: one at least of each role that the policy demands. A card without
 * any is fair, unless its composer broke off: then nobody knows what it would have said.
 */
import { defineGate } from "./gate.ts";

/** As a run of a composer ends that handed in what it had to (schema/run-entry). */
const FINISHED = "FINISHED";

export const claimRoles = defineGate({
  id: "claim-roles",
  version: 1,
  family: "research",
  stage: "page",
  question:
    "Do the composed sentences hold every role that the policy demands, and did their composer come to its end?",
  needs: ["claims", "card_terms", "rules"],
  codes: {
    CLAIM_ROLES_MISSING: {
      severity: "REVIEW",
      meaning: "the card bears composed sentences, and none of a role that the policy demands beside them",
      remedy:
        "see in the report which sentences were refused or held and why, and compose again; or show the card without any",
    },
    NOTHING_COMPOSED: {
      severity: "REVIEW",
      meaning: "a composer ran, did not come to its end, and left the card without a sentence",
      remedy: "see how its run ended, mend that and run again; or approve the card as one of figures alone",
    },
  },
  check({ claims, card_terms: { composed }, rules }, report, examined) {
    examined("composed");
    if (composed.count === 0) {
      if (composed.end !== null && composed.end !== FINISHED)
        report("NOTHING_COMPOSED", "claims", `its run ended with ${composed.end}`);
      return;
    }
    const roles = new Set(claims.map(({ role }) => role));
    for (const role of rules.page.sentences.required_roles) {
      if (!roles.has(role)) report("CLAIM_ROLES_MISSING", role, `${composed.count} sentences, none of them a ${role}`);
    }
  },
});
