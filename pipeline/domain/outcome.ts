/**
 * The three ways not to succeed. Absent is a coded value (`Unavailable`), a refusal is a value (`Refusal`), and a
 * fault is thrown (`AssayError`) with a permanent code, whether trying again may help, and what a person should do.
 */

/** Reason codes of an UNAVAILABLE fact, in order of precedence (design: facts). */
export const REASONS = [
  "NOT_APPLICABLE",
  "SOURCE_MISSING",
  "BASIS_NOT_AVAILABLE",
  "NO_BENCHMARK",
  "NO_DATA",
  "STALE",
  "INSUFFICIENT_HISTORY",
  "GAP_AT_START",
  "FX_GAP",
  "BENCHMARK_STALE",
  "PEER_GROUP_TOO_SMALL",
  "FLAT_RANGE",
  "NOT_RECOVERED",
  "CONFLICT",
] as const;
export type Reason = (typeof REASONS)[number];

export interface Unavailable {
  status: "UNAVAILABLE";
  reason: Reason;
}

export function unavailable(reason: Reason): Unavailable {
  return { status: "UNAVAILABLE", reason };
}

export function isUnavailable(value: unknown): value is Unavailable {
  return typeof value === "object" && value !== null && (value as { status?: unknown }).status === "UNAVAILABLE";
}

/** Of several reasons the one that comes first in `REASONS`. */
export function firstReason(reasons: readonly Reason[]): Reason {
  const found = REASONS.find((reason) => reasons.includes(reason));
  if (found === undefined) throw new AssayError("NO_REASON", "firstReason needs at least one reason");
  return found;
}

export type RetryClass = "never" | "later" | "at_once";

/** A fault. `code` is permanent, `hint` says what to do, `at` names file and line where there is one. */
export class AssayError extends Error {
  readonly code: string;
  readonly retry: RetryClass;
  readonly hint: string | undefined;
  readonly at: string | undefined;

  constructor(
    code: string,
    message: string,
    options: { retry?: RetryClass; hint?: string | undefined; at?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AssayError";
    this.code = code;
    this.retry = options.retry ?? "never";
    this.hint = options.hint;
    this.at = options.at;
  }
}
