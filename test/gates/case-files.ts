/** Reads `test/gates/cases/<CODE>/<name>.yaml`: one changed evidence each, with the findings that must come out. */
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Severity } from "../../pipeline/schema/verdict.ts";

export interface ExpectedFinding {
  code: string;
  severity: Severity;
  subject?: string;
  /** Text that the detail must contain. */
  says?: string;
}
export interface GateCase {
  code: string;
  name: string;
  gate: string;
  /** Whose policy judges; internal-review unless told. */
  channel?: string;
  /** What the case shows, in a few words. */
  law: string;
  evidence: Record<string, unknown>;
  /** All findings of the gate; empty for an innocent neighbour. */
  expected: ExpectedFinding[];
}

const FOLDER = new URL("./cases/", import.meta.url);

export function readCases(): GateCase[] {
  return readdirSync(FOLDER).flatMap((code) =>
    readdirSync(new URL(`${code}/`, FOLDER)).map((file) => {
      const document = parse(readFileSync(new URL(`${code}/${file}`, FOLDER), "utf8"));
      return { ...document, code, name: file.replace(/\.yaml$/, "") } as GateCase;
    }),
  );
}
