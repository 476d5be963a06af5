/** A fault in words for the person at the terminal: code, what happened, where, what to do. JSON with --json. */
import { AssayError } from "../domain/outcome.ts";

export function explain(error: unknown, asJson: boolean): string {
  const known = error instanceof AssayError ? error : null;
  const fault = {
    code: known?.code ?? "FAULT",
    message: error instanceof Error ? error.message : String(error),
    at: known?.at ?? null,
    hint: known?.hint ?? null,
  };
  if (asJson) return `${JSON.stringify({ error: fault })}\n`;
  const lines = [`assay: ${fault.code}: ${fault.message}`];
  if (fault.at !== null) lines.push(`  at ${fault.at}`);
  if (fault.hint !== null) lines.push(`  ${fault.hint}`);
  if (known === null && error instanceof Error && error.stack !== undefined) lines.push(error.stack);
  return `${lines.join("\n")}\n`;
}
