/**
 * Runs the gates that a policy requires and folds their decisions. What is missing, throws or looked at nothing blocks;
 * the set is the policy's, checked again when folding. Pure: no clock, no I/O, same decisions for same evidence.
 */
import { digestOf, type Sha256 } from "../domain/digest.ts";
import type { Locale } from "../domain/locale.ts";
import { AssayError } from "../domain/outcome.ts";
import type { Lexicon } from "../schema/lexicon.ts";
import type { Policy } from "../schema/policy.ts";
import type { Finding, GateDecision, Severity, Verdict } from "../schema/verdict.ts";
import type { EvidenceKey, GateEvidence, PolicyRules, SuppliedEvidence } from "./evidence.ts";
import { ALWAYS_CODES, type CodeTerms, type Gate, type Report, type Stage } from "./gate.ts";
import { GATES } from "./index.ts";

/** A manifest with its lexicons and disclosure texts, and the digest over all of it (policy/load.ts makes it). */
export interface PolicyInForce {
  policy: Policy;
  digest: Sha256;
  lexicons: Readonly<Record<Locale, Lexicon>>;
  /** Texts of the disclosures by id and locale. */
  disclosures: Readonly<Record<string, Readonly<Record<Locale, string>>>>;
}

export interface GateRun extends PolicyInForce {
  instrument: string;
  stage: Stage;
  evidence: Partial<SuppliedEvidence>;
  /** For tests; the registry otherwise. */
  gates?: readonly Gate[];
}

/** One decision for each gate that the policy requires at the stage, in registry order. */
export function runGates(run: GateRun): GateDecision[] {
  const { policy, digest, instrument, stage, evidence, gates = GATES } = run;
  const given: Partial<GateEvidence> = { ...evidence, rules: toRules(run) };
  const digests = new Map<string, Sha256 | null>();
  const inputDigest = (gate: Gate): Sha256 => {
    for (const key of gate.needs) {
      const value = given[key];
      // The rules are the policy's, and the policy has its digest.
      if (key === "rules") digests.set(key, digest);
      else if (!digests.has(key)) digests.set(key, value === undefined ? null : evidenceDigest(key, value));
    }
    return digestOf("gate_input", Object.fromEntries(gate.needs.map((key) => [key, digests.get(key) ?? null])));
  };
  return requiredGates(policy, stage, gates).map(({ id, version, gate }) => {
    const findings: Finding[] = [];
    let examinedCount = 0;
    let input: Sha256 = digestOf("gate_input", {});
    const add = (code: string, terms: CodeTerms, subject: string, detail: string, options: ReportOptions = {}) => {
      const { blocks = false, span } = options;
      const severity = highest([terms.severity, policy.severities[code] ?? "REVIEW", blocks ? "BLOCK" : "REVIEW"]);
      const place = span === undefined ? {} : { span };
      findings.push({ gate: id, code, severity, subject, detail, remedy: terms.remedy, ...place });
    };
    const always = (code: keyof typeof ALWAYS_CODES, subject: string, detail: string) =>
      add(code, ALWAYS_CODES[code], subject, detail);
    if (gate === null) {
      always("GATE_FAULT", id, `the policy requires ${id}/${version}; registered: ${registered(id, gates)}`);
    } else {
      const missing = gate.needs.filter((key) => given[key] === undefined);
      for (const key of missing) always("EVIDENCE_MISSING", key, `the check needs ${key} and was not given it`);
      try {
        input = inputDigest(gate);
        if (missing.length === 0) {
          gate.check(
            given as GateEvidence,
            (code, subject, detail = "", options) => {
              const terms = termsOf(gate, code);
              if (options?.blocks && terms.severity !== "BLOCK" && terms.blocks_when === undefined) {
                throw new AssayError("SEVERITY_UNDECLARED", `${code} does not say when it blocks`);
              }
              add(code, terms, subject, detail, options);
            },
            () => {
              examinedCount += 1;
            },
          );
        }
      } catch (fault) {
        const code = fault instanceof AssayError ? `${fault.code}: ` : "";
        always("GATE_FAULT", id, `${code}${fault instanceof Error ? fault.message : String(fault)}`.slice(0, 300));
      }
      if (examinedCount === 0 && verdictOf(findings) !== "BLOCK") {
        always("NOTHING_EXAMINED", id, "no subject was examined");
      }
    }
    return {
      schema: "gate_decision/v1",
      gate: id,
      version,
      instrument,
      policy_digest: digest,
      input_digest: input,
      subjects_examined: examinedCount,
      findings,
      verdict: verdictOf(findings),
    };
  });
}

/**
 * The verdict over the stages that were to run: the highest severity, after P9 has been checked: one decision under this
 * policy for each required gate. After an admission BLOCK nothing else runs, so fold `["admission"]` alone.
 */
export function foldVerdict(
  { policy, digest }: PolicyInForce,
  stages: readonly Stage[],
  decisions: readonly GateDecision[],
  gates: readonly Gate[] = GATES,
): { verdict: Verdict; findings: Finding[] } {
  const findings = decisions.flatMap((decision) => decision.findings);
  const add = (code: keyof typeof ALWAYS_CODES, gate: string, detail: string) => {
    const { severity, remedy } = ALWAYS_CODES[code];
    findings.push({ gate, code, severity, subject: gate, detail, remedy });
  };
  const required = stages.flatMap((stage) => requiredGates(policy, stage, gates));
  for (const { id, version } of required) {
    const made = decisions.filter((decision) => decision.gate === id && decision.version === version);
    if (made.length === 0) add("EVIDENCE_MISSING", id, `no decision of ${id}/${version}, which the policy requires`);
    if (made.length > 1) add("GATE_FAULT", id, `${made.length} decisions of ${id}/${version}`);
  }
  // Closed both ways: a manifest that leaves a gate out lets nothing pass, whoever edited it.
  const named = new Set(policy.gates.map(({ gate }) => gate));
  for (const { id, stage } of gates) {
    if (stages.includes(stage) && !named.has(id)) add("GATE_FAULT", id, "the policy leaves out a registered gate");
  }
  if (required.length === 0) add("NOTHING_EXAMINED", "policy", "the policy requires no gate at these stages");
  for (const decision of decisions) {
    if (decision.policy_digest !== digest) add("GATE_FAULT", decision.gate, "decided under another policy");
    // A decision is stored between run and fold: its verdict must still follow from its findings.
    if (decision.verdict !== verdictOf(decision.findings)) add("GATE_FAULT", decision.gate, "verdict without findings");
  }
  return { verdict: verdictOf(findings), findings };
}

/** The same document goes through several stages: it is hashed once. */
function evidenceDigest(key: EvidenceKey, value: GateEvidence[EvidenceKey]): Sha256 {
  if (typeof value !== "object" || value === null) return digestOf(`gate_${key}`, value);
  const known = DIGESTS.get(value);
  if (known !== undefined) return known;
  const digest = digestOf(`gate_${key}`, hashed(key, value));
  DIGESTS.set(value, digest);
  return digest;
}

const DIGESTS = new WeakMap<object, Sha256>();

/** Moves are hashed as lines of text, and sentences without their tokens, which follow from text and slots. */
function hashed(key: EvidenceKey, value: object): unknown {
  if (key === "sentences") return (value as GateEvidence["sentences"]).map(({ tokens: _, ...said }) => said);
  if (key !== "moves") return value;
  const lines = (value as GateEvidence["moves"]).map(
    ({ session, previous_session, price_ratio, total_ratio }) =>
      `${previous_session} ${session} ${price_ratio ?? "-"} ${total_ratio ?? "-"}`,
  );
  return lines.join("\n");
}

type ReportOptions = NonNullable<Parameters<Report<string>>[3]>;

interface Required {
  id: string;
  version: number;
  gate: Gate | null;
}

/** Registry order; a gate that is not registered in the required version counts at its own stage, or at `data`. */
function requiredGates(policy: Policy, stage: Stage, gates: readonly Gate[]): Required[] {
  const rank = (id: string) => {
    const index = gates.findIndex((gate) => gate.id === id);
    return index < 0 ? gates.length : index;
  };
  return policy.gates
    .map(({ gate: id, version }) => {
      const named = gates.find((gate) => gate.id === id);
      return { id, version, gate: named?.version === version ? named : null, stage: named?.stage ?? "data" };
    })
    .filter((required) => required.stage === stage)
    .sort((left, right) => rank(left.id) - rank(right.id))
    .map(({ id, version, gate }) => ({ id, version, gate }));
}

function registered(id: string, gates: readonly Gate[]): string {
  const found = gates.filter((gate) => gate.id === id).map((gate) => `${id}/${gate.version}`);
  return found.length > 0 ? found.join(", ") : "none of that name";
}

function termsOf(gate: Gate, code: string): CodeTerms {
  const terms = gate.codes[code] ?? (code === "EVIDENCE_MISSING" ? ALWAYS_CODES.EVIDENCE_MISSING : undefined);
  if (terms === undefined) throw new AssayError("CODE_UNDECLARED", `${gate.id} does not declare ${code}`);
  return terms;
}

function highest(severities: readonly Severity[]): Severity {
  return severities.includes("BLOCK") ? "BLOCK" : "REVIEW";
}

function verdictOf(findings: readonly Finding[]): Verdict {
  return findings.length === 0 ? "PASS" : highest(findings.map(({ severity }) => severity));
}

function toRules({ policy, lexicons, disclosures }: PolicyInForce): PolicyRules {
  const { use, thresholds: limits } = policy;
  return {
    use,
    lexicons,
    page: { ...policy, texts: disclosures },
    jump: limits.jump.value,
    scale_tolerance: limits.scale_tolerance.value,
    gap_days: limits.gap_days.value,
    stale_days: limits.stale_days.value,
    start_gap_days: limits.start_gap_days.value,
    cross_check: limits.cross_check.value,
    expense_ratio_ceiling: limits.expense_ratio_ceiling.value,
    rate_jump: limits.rate_jump.value,
    premium: limits.premium.value,
    payout_share: limits.payout_share.value,
    turnover: limits.turnover.value,
    tiles: limits.tiles.value,
  };
}
