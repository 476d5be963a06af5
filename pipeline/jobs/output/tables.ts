/** The CSV files of a batch's output: columns are relied on by outside checks. */

import { textOfRuns } from "../../compose/print-slots.ts";
import type { Locale } from "../../domain/locale.ts";
import { print } from "../../domain/print.ts";
import type { Composed, DrawnClaim } from "../../schema/composed.ts";
import type { Fact } from "../../schema/fact.ts";
import type { RecalculationRow } from "../../schema/recalculated.ts";
import type { Finding, GateDecision, Verdict } from "../../schema/verdict.ts";
import { toCsv } from "./csv.ts";

/** One row per instrument × fact × window; `printed` as on the card of the default locale. */
export function factsCsv(facts: Iterable<Fact>, locale: Locale): string {
  return toCsv(
    [
      "instrument",
      "fact",
      "window",
      "status",
      "reason",
      "value",
      "printed",
      "unit",
      "currency",
      "start_session",
      "end_session",
      "formula",
      "evidence",
    ],
    mapped(facts, (fact) => [
      fact.instrument,
      fact.fact,
      fact.window,
      fact.status,
      fact.reason,
      fact.value,
      fact.value === null ? null : print(fact.print_rule, fact.value, locale, fact.currency),
      fact.unit,
      fact.currency,
      fact.start_session,
      fact.end_session,
      fact.formula,
      fact.evidence.join(" "),
    ]),
  );
}

export function recalculationCsv(rows: Iterable<RecalculationRow>): string {
  return toCsv(
    ["instrument", "figure", "where", "printed", "recalculated", "match", "formula"],
    mapped(rows, (row) => [
      row.instrument,
      row.figure,
      row.where,
      row.printed,
      row.recalculated,
      String(row.match),
      row.formula,
    ]),
  );
}

/** Every claim that the grammar let through, as printed in one locale: drawn where its verdict is PASS, else held back. */
export function claimsCsv(composed: Iterable<Composed>): string {
  const rows = function* () {
    for (const { claims, held } of composed) {
      for (const claim of claims) yield rowOf(claim, "PASS");
      for (const claim of held) yield rowOf(claim, claim.verdict);
    }
  };
  return toCsv(["instrument", "claim", "type", "text", "facts", "verdict"], rows());
}

function rowOf({ record, runs }: DrawnClaim, verdict: Verdict): string[] {
  const figures = record.slots.map(({ figure }) => figure).filter((figure) => !figure.startsWith("label/"));
  return [record.instrument, record.id, record.type, textOfRuns(runs), figures.join(" "), verdict];
}

export function quarantineCsv(findings: Iterable<Finding & { instrument: string }>): string {
  return toCsv(
    ["instrument", "gate", "code", "severity", "subject", "detail", "remedy"],
    mapped(findings, (finding) => [
      finding.instrument,
      finding.gate,
      finding.code,
      finding.severity,
      finding.subject,
      finding.detail,
      finding.remedy,
    ]),
  );
}

/** Every decision, with how many subjects it examined; a gate that judges pages has a row for each locale. */
export function gatesCsv(decisions: Iterable<GateDecision>): string {
  return toCsv(
    ["instrument", "gate", "version", "verdict", "subjects_examined", "findings", "policy_digest", "input_digest"],
    mapped(decisions, (decision) => [
      decision.instrument,
      decision.gate,
      String(decision.version),
      decision.verdict,
      String(decision.subjects_examined),
      String(decision.findings.length),
      decision.policy_digest,
      decision.input_digest,
    ]),
  );
}

function* mapped<T, R>(items: Iterable<T>, map: (item: T) => R): Iterable<R> {
  for (const item of items) yield map(item);
}
