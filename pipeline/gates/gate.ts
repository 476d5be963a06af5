/**
 * The one shape of a gate: a question, the evidence it needs, its codes with meaning and remedy, and a pure check that
 * reports. A gate decides no verdict and knows no other gate; run.ts folds.
 */
import { type Fact, figureId } from "../schema/fact.ts";
import type { Severity } from "../schema/verdict.ts";
import type { EvidenceKey, GateEvidence } from "./evidence.ts";

export const FAMILIES = ["data", "causality", "evidence", "numbers", "research", "compliance"] as const;
/**
 * admission: before anything of the product is composed or drawn; a BLOCK there ends it.
 * data: before render. page: after recalculation, once per locale.
 */
export const STAGES = ["admission", "data", "page"] as const;
export type Stage = (typeof STAGES)[number];

export interface CodeTerms {
  /** The least severity; a policy may raise it and never lowers it. */
  severity: Severity;
  /** When the check itself may raise a REVIEW code to BLOCK; absent: never. */
  blocks_when?: string;
  meaning: string;
  remedy: string;
}

/** Codes of the run itself. Any check may report EVIDENCE_MISSING when what it was given is incomplete. */
export const ALWAYS_CODES = {
  EVIDENCE_MISSING: {
    severity: "BLOCK",
    meaning: "evidence that was declared or that the check needs is absent",
    remedy: "supply the missing file or rows and run again; absent evidence is never taken as good",
  },
  GATE_FAULT: {
    severity: "BLOCK",
    meaning: "a required check did not run as the policy demands, or failed while running",
    remedy: "report the fault with the batch id; the card stays in quarantine until the check runs",
  },
  NOTHING_EXAMINED: {
    severity: "BLOCK",
    meaning: "a check ran and found nothing to look at",
    remedy: "find out why its subjects are absent; a check that saw nothing proves nothing",
  },
} as const satisfies Record<string, CodeTerms>;

/** `blocks` raises a REVIEW code to BLOCK where its terms say when. */
export type Report<C extends string> = (
  code: C | "EVIDENCE_MISSING",
  subject: string,
  detail?: string,
  options?: { blocks: boolean },
) => void;
/** Counts one subject that the check really looked at. */
export type Examined = (subject: string) => void;

export interface Gate<K extends EvidenceKey = EvidenceKey, C extends string = string> {
  id: string;
  version: number;
  family: (typeof FAMILIES)[number];
  stage: Stage;
  question: string;
  needs: readonly K[];
  codes: Record<C, CodeTerms>;
  check(evidence: Pick<GateEvidence, K>, report: Report<C>, examined: Examined): void;
}

export function defineGate<const K extends EvidenceKey, const C extends string = never>(gate: Gate<K, C>): Gate<K, C> {
  return gate;
}

/** Up to five examples and how many more there are: one finding per cause, readable by a person. */
export function examples(items: readonly string[], limit = 5): string {
  const shown = items.slice(0, limit).join("; ");
  return items.length > limit ? `${shown}; and ${items.length - limit} more` : shown;
}

export type FactsByFigure = ReadonlyMap<string, Fact>;

export function byFigure(facts: readonly Fact[]): FactsByFigure {
  return new Map(facts.map((fact) => [figureId(fact), fact]));
}

/** Exact value of an OK fact, else null. */
export function okValue(facts: FactsByFigure, figure: string): string | null {
  const fact = facts.get(figure);
  return fact?.status === "OK" ? fact.value : null;
}
