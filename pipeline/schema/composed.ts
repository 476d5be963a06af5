/**
 * Step `compose`, per locale: the claims that the sentence gates let pass, as records and as printed; what was refused, by the
 * grammar, a verifier or a gate, with why; who disagreed with what; and which run proposed them. No clock: what composed is the
 * same when composed again.
 */
import { z } from "zod";
import type { Locale } from "../domain/locale.ts";
import type { Inline } from "./card.ts";
import type { ClaimRecord } from "./claim.ts";
import type { ProjectedInput } from "./projected-input.ts";
import type { SearchRecord } from "./query-receipt.ts";
import type { Receipt } from "./receipt.ts";
import type { ModelTurn } from "./turn.ts";
import type { Finding, Verdict } from "./verdict.ts";

export interface DrawnClaim {
  record: ClaimRecord;
  runs: Inline[];
}

/** A claim that a gate found something in. It is not drawn. */
export interface HeldClaim extends DrawnClaim {
  verdict: Exclude<Verdict, "PASS">;
  findings: Finding[];
}

/** No claim came of it: the grammar refused it, a verifier did not support it, or the assembler did not take it. */
export interface RefusedClaim {
  id: string;
  faults: { code: string; detail: string }[];
}

export interface Composed {
  schema: "composed/v1";
  instrument: string;
  locale: Locale;
  /** Gateway and model; both null where nothing may be composed. */
  provider: string | null;
  model: string | null;
  claims: DrawnClaim[];
  held: HeldClaim[];
  refused: RefusedClaim[];
  /** Every objection that a role handed in, whatever became of the claim. */
  disagreements: Disagreement[];
  /** What a role looked for and did not find, each code once a role. */
  gaps: { role: string; code: string }[];
  /** What each verifier said, as numbers of claims. */
  reviews: ({ role: string } & Record<ReviewVerdict, number>)[];
  /** What roles searched payloads for, and what came of it: what a claim of absence rests on. */
  searches: SearchRecord[];
  /** Sentence checks that ran on the claims, under all gates of that stage. */
  checks: number;
  /** How the run ended (schema/run-entry), or null. */
  end: string | null;
  /** Digest of the run's turns and receipts (ComposeRun), or null. */
  run: string | null;
}

/** What an objection rests on: a place that can be looked at. A query receipt is none. */
export const groundSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("fact"), figure: z.string().max(120) }),
  z.strictObject({
    kind: z.literal("evidence"),
    evidence_id: z.string().max(200),
    locator: z.string().min(1).max(200),
  }),
  z.strictObject({ kind: z.literal("research"), sentence: z.string().max(80) }),
  z.strictObject({ kind: z.literal("edge"), edge: z.string().max(64) }),
]);
export type Ground = z.infer<typeof groundSchema>;

export const STANCES = ["disagrees", "qualifies"] as const;

export interface Disagreement {
  /** Role and task of who objects. */
  by: string;
  task: string;
  /** Id of a claim of another, or `research/<sentence>`. */
  about: string;
  stance: (typeof STANCES)[number];
  grounds: Ground[];
  /** The claim that says the other side, where one was proposed. */
  counter_claim: string | null;
}

/** All tasks of one run, each with its turns and receipts and with what its model was sent. */
export interface ComposeRun {
  schema: "compose_run/v1";
  tasks: { task_id: string; role: string; inputs: string[]; end: string | null }[];
  turns: ModelTurn[];
  receipts: Omit<Receipt, "clock">[];
  /** Texts to roles and messages, each once: inputs of one task repeat each other. */
  systems: string[];
  messages: ProjectedInput["messages"];
  /** Projected inputs, with places in the two lists above. */
  sent: (Omit<ProjectedInput, "schema" | "system" | "messages"> & { system: number; messages: number[] })[];
}

/** What submit_claims hands in. */
export interface SubmittedClaims {
  schema: "submitted_claims/v1";
  claims: ClaimRecord[];
  refused: RefusedClaim[];
}

/** What object hands in. */
export interface Objections {
  schema: "objections/v1";
  objections: Disagreement[];
  gaps: { code: string; detail: string }[];
}

export const REVIEW_VERDICTS = ["supported", "unsupported", "unclear"] as const;
export type ReviewVerdict = (typeof REVIEW_VERDICTS)[number];

/** What submit_review hands in: what one verifier says of each claim that it was handed. */
export interface ClaimReviews {
  schema: "claim_reviews/v1";
  by: string;
  /** `receipt` is that of the claim: a claim handed in anew under an old id is another one. */
  reviews: { claim: string; receipt: string; verdict: ReviewVerdict; code: string | null; detail: string | null }[];
}

/** What assemble hands in: claims of drafts, word for word. */
export interface AssembledClaims {
  schema: "assembled_claims/v1";
  claims: ClaimRecord[];
  refused: RefusedClaim[];
}

export type HandedIn = SubmittedClaims | Objections | ClaimReviews | AssembledClaims;
