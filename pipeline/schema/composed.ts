/**
 * Step `compose`, per locale: the claims that the sentence gates let pass, as records and as printed; what was refused, by the
 * grammar or by a gate, with why; and which run proposed them. No clock: what composed is the same when composed again.
 */
import type { Locale } from "../domain/locale.ts";
import type { Inline } from "./card.ts";
import type { ClaimRecord } from "./claim.ts";
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

export interface Composed {
  schema: "composed/v1";
  instrument: string;
  locale: Locale;
  /** Gateway and model; both null where nothing may be composed. */
  provider: string | null;
  model: string | null;
  claims: DrawnClaim[];
  held: HeldClaim[];
  /** Drafts that the grammar refused: no claim came of them. */
  refused: { id: string; faults: { code: string; detail: string }[] }[];
  /** Sentence checks that ran on the claims, under all gates of that stage. */
  checks: number;
  /** How the run ended (schema/run-entry), or null. */
  end: string | null;
  /** Digest of the run's turns and receipts (ComposeRun), or null. */
  run: string | null;
}

export interface ComposeRun {
  schema: "compose_run/v1";
  turns: ModelTurn[];
  receipts: Omit<Receipt, "clock">[];
}

/** What submit_claims hands in. */
export interface SubmittedClaims {
  schema: "submitted_claims/v1";
  claims: ClaimRecord[];
  refused: Composed["refused"];
}
