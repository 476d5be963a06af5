/** What a reader found wrong, row by row. Bounded: a hostile file of a million bad rows must not make a million findings. */
import { AssayError } from "../domain/outcome.ts";
import type { Defect, Observations } from "../schema/observation.ts";

const MAX_DEFECTS = 1000;

export interface DefectLog {
  readonly found: Defect[];
  add(code: Defect["code"], row: number | null, session: string | null, detail: string): void;
}

export function defectLog(): DefectLog {
  const found: Defect[] = [];
  let beyond = 0;
  return {
    found,
    add(code, row, session, detail) {
      if (found.length < MAX_DEFECTS) {
        found.push({ code, row, session, detail });
        return;
      }
      beyond += 1;
      found[MAX_DEFECTS] = { code, row: null, session: null, detail: `and ${beyond} more rows with defects` };
    },
  };
}

/** Runs a reader; a payload that cannot be read leaves `otherwise` and one defect of the whole file. */
export function readable<T>(defects: DefectLog, otherwise: T, read: () => T): T {
  try {
    return read();
  } catch (fault) {
    if (!(fault instanceof AssayError) || fault.code !== "PAYLOAD_UNREADABLE") throw fault;
    defects.add("PAYLOAD_UNREADABLE", null, null, fault.message);
    return otherwise;
  }
}

/**
 * True when nothing could be read. Such a series has no rows, which says nothing about the product: unreadable
 * distributions are missing distributions, never "none were paid".
 */
export function isUnreadable(observations: Observations): boolean {
  return observations.defects.some((defect) => defect.code === "PAYLOAD_UNREADABLE" && defect.row === null);
}

/** Payload text as it may stand in a finding: short, on one line, with what is invisible in it spelled out. */
export function quoted(text: string | undefined): string {
  if (text === undefined) return "nothing";
  const short = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
  return short.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (hidden) => `\\u{${hidden.codePointAt(0)!.toString(16)}}`);
}
