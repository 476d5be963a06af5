/**
 * Ctrl-C (and SIGTERM) as a coded fault: what is under way is raced against it, so that closing begins at once and exits
 * by the ordinary way. A second one ends the process as the system does.
 */
import { AssayError } from "../domain/outcome.ts";

export interface Interrupt {
  /** Its reason is the fault. */
  signal: AbortSignal;
  /** Rejects with the fault when interrupted; the work itself is left to end by what it needs being closed. */
  race<T>(work: Promise<T>): Promise<T>;
}

export async function interruptible<T>(work: (interrupt: Interrupt) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  interrupted.catch(() => undefined);
  const stop = () =>
    controller.abort(
      new AssayError("INTERRUPTED", "stopped before the batch ended", {
        hint: "run the same command again: it goes on from what is recorded",
        retry: "at_once",
      }),
    );
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    return await work({ signal, race: (under) => Promise.race([under, interrupted]) });
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}
