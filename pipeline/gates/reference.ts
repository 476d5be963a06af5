/**
 * The reference of gates, fault codes and reasons as Markdown, generated from the registry and the tables; runnable cases
 * are handed in by a caller.
 */
import { FAULTS, REASON_MEANINGS } from "../schema/fault-codes.ts";
import { ALWAYS_CODES, type CodeTerms, FAMILIES, type Gate } from "./gate.ts";
import { GATES } from "./index.ts";

export interface CaseNote {
  gate: string;
  code: string;
  name: string;
  /** What the case shows, in a few words. */
  law: string;
  fires: boolean;
}

export function gateReference(cases: readonly CaseNote[] = [], gates: readonly Gate[] = GATES): string {
  const always = Object.entries(ALWAYS_CODES).flatMap(([code, terms]) => codeLines(code, terms, cases, null));
  return [
    "# Gates",
    "",
    "PASS < REVIEW < BLOCK; the verdict is the maximum. A policy fixes which gates run and may raise a severity, never",
    "lower one. A rule that did not fire certifies neither facts nor regulation.",
    "",
    "## Codes of the run itself (every gate)",
    "",
    ...always,
    ...FAMILIES.flatMap((family) => {
      const members = gates.filter((gate) => gate.family === family);
      return members.length === 0 ? [] : [`## ${family}`, "", ...members.flatMap((gate) => gateLines(gate, cases))];
    }),
    ...faultLines(),
  ].join("\n");
}

/** Codes that stand in the detail of a finding, or end a command before any gate is asked. */
function faultLines(): string[] {
  return [
    "## Faults of collection",
    "",
    "Of a product: in quarantine, as EVIDENCE_MISSING or as the gate's code of the same name. Of the request: nothing runs.",
    "",
    ...Object.entries(FAULTS).map(([code, { stops, meaning, remedy }]) => {
      return `- **${code}** (${stops}): ${meaning}. Remedy: ${remedy}.`;
    }),
    "",
    "## Reasons of withheld figures",
    "",
    "In order of precedence.",
    "",
    ...Object.entries(REASON_MEANINGS).map(([reason, meaning]) => `- **${reason}**: ${meaning}.`),
    "",
  ];
}

function gateLines(gate: Gate, cases: readonly CaseNote[]): string[] {
  return [
    `### ${gate.id}/${gate.version}`,
    "",
    gate.question,
    "",
    `Stage: ${gate.stage}. Needs: ${gate.needs.join(", ")}.`,
    "",
    ...Object.entries(gate.codes).flatMap(([code, terms]) => codeLines(code, terms, cases, gate.id)),
  ];
}

function codeLines(code: string, terms: CodeTerms, cases: readonly CaseNote[], gate: string | null): string[] {
  const severity =
    terms.blocks_when === undefined ? terms.severity : `${terms.severity}, BLOCK when ${terms.blocks_when}`;
  const shown = cases.filter((found) => found.code === code && (gate === null || found.gate === gate));
  return [
    `- **${code}** (${severity}): ${terms.meaning}. Remedy: ${terms.remedy}.`,
    ...shown.map(({ name, law, fires }) => `  - ${fires ? "fires" : "does not fire"}: ${law} (\`${code}/${name}\`)`),
    "",
  ];
}
