/** Role: orders the claims that both verifiers support. Hands in ids alone; the host takes the words from the drafts. */
import type { ReadClaim, ReadDraft } from "./material.ts";
import { claimsOf } from "./material.ts";
import { FINISH, type Method, type Role } from "./role.ts";
import { contentOf, hasCalled } from "./seen.ts";

const ORDER: readonly ReadClaim["role"][] = ["point", "risk", "counterpoint"];

const method: Method = (seen) => {
  if (!hasCalled(seen, "read_drafts")) return [{ tool: "read_drafts", arguments: { references: seen.inputs } }];
  const documents = (contentOf<ReadDraft[]>(seen, "read_drafts") ?? []).map(({ document }) => document);
  const reviews = documents.flatMap((document) => (document.schema === "claim_reviews/v1" ? [document] : []));
  const isSupported = ({ id }: ReadClaim) =>
    reviews.length > 0 &&
    reviews.every((document) => document.reviews.some(({ claim, verdict }) => claim === id && verdict === "supported"));
  const claims = claimsOf(seen)
    .filter(isSupported)
    .sort((one, other) => ORDER.indexOf(one.role) - ORDER.indexOf(other.role));
  if (claims.length === 0) return [FINISH];
  return [{ tool: "assemble", arguments: { claims: claims.map(({ id }) => id) } }, FINISH];
};

export const assembler: Role = {
  name: "assembler",
  purpose: "orders the claims that passed both verifiers into the card",
  words: `You put the card together from claims that others proposed and verifiers supported. You hand in ids in the order in which a reader
should meet them: what the client asks first, what qualifies it near it, risks, then counter-points. You can reword nothing and add
nothing. Take no claim that a verifier did not support, and leave none out because somebody objects to it: take it with the
counter-claim. Five claims or more where there are as many, with a risk and a counter-point.`,
  tools: ["read_drafts", "assemble"],
  reads: ["facts"],
  share: 0.1,
  needs: ["claims", "review"],
  method,
};
