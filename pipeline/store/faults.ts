/**
 * What the database throws, as coded faults: its own refusals (SQLSTATE class AS, whose message begins with a
 * permanent code), absence of the server, lack of room. What it does not know passes through unchanged.
 */
import { AssayError } from "../domain/outcome.ts";

const UNREACHABLE = new Set(["P1001", "P1002", "P1017", "ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EPIPE"]);
/** Admin shutdown, crash shutdown, starting up. */
const UNREACHABLE_STATES = new Set(["57P01", "57P02", "57P03", "08000", "08003", "08006"]);

/** What the driver says, without a code, of a connection that broke under it. */
const SEVERED = /Connection terminated|connection error and is not queryable|Connection ended|closed the connection/;

export function toAssayError(error: unknown): unknown {
  if (error instanceof AssayError || !(error instanceof Error)) return error;
  const { code, state, message } = readError(error);
  const refusal = /\b([A-Z]+(?:_[A-Z]+)+): (.*)/.exec(message);
  if (state?.startsWith("AS") && refusal !== null) {
    return new AssayError(refusal[1]!, refusal[2]!, { cause: error });
  }
  if (UNREACHABLE.has(code ?? "") || UNREACHABLE_STATES.has(state ?? "") || SEVERED.test(message)) {
    return new AssayError("DATABASE_UNREACHABLE", "the database does not answer", {
      retry: "later",
      hint: "An embedded server starts again by itself; otherwise check DATABASE_URL.",
      cause: error,
    });
  }
  if (code === "P2028") {
    return new AssayError("DATABASE_BUSY", "a transaction could not start or end in time", {
      retry: "later",
      cause: error,
    });
  }
  if (state === "53100") {
    return new AssayError("DISK_FULL", "the database has no room left", {
      retry: "later",
      hint: "Free some space on the database's disk and run again; nothing was lost.",
      cause: error,
    });
  }
  if (state === "42501") {
    return new AssayError("NOT_PERMITTED", message, { cause: error });
  }
  return error;
}

interface AdapterCause {
  code?: string;
  originalCode?: string;
  message?: string;
  originalMessage?: string;
}

/** Prisma keeps the server's error inside; pg throws it as it is. */
function readError(error: Error): { code: string | undefined; state: string | undefined; message: string } {
  const { code, meta, cause } = error as Error & {
    code?: string;
    meta?: { driverAdapterError?: { cause?: AdapterCause } };
    cause?: AdapterCause;
  };
  const inner = meta?.driverAdapterError?.cause ?? (cause as AdapterCause | undefined);
  const state = inner?.originalCode ?? inner?.code ?? (/^[0-9A-Z]{5}$/.test(code ?? "") ? code : undefined);
  return { code, state, message: inner?.originalMessage ?? inner?.message ?? error.message };
}
