/**
 * How often and how long one answer is tried: attempts with back-off and jitter under one deadline, each with its own
 * time-out, and so many at once for a provider. It knows nothing of models.
 */
import type { AttemptFault } from "./faults.ts";
import type { Ambient } from "./settings.ts";

export type Attempt<T> = { answer: T } | { fault: AttemptFault };

export interface Persistence {
  maxAttempts: number;
  backoffMs: number;
  /** For all attempts and the waits between them. */
  deadlineMs: number;
}

const MAX_BACKOFF_MS = 30_000;

/** Answers with the first success; throws the last fault when there is no further attempt, or no time for its wait. */
export async function persist<T>(
  { maxAttempts, backoffMs, deadlineMs }: Persistence,
  { now, random, sleep }: Ambient,
  signal: AbortSignal,
  attempt: (number: number, remainingMs: number) => Promise<Attempt<T>>,
): Promise<T> {
  const until = now() + deadlineMs;
  for (let number = 1; ; number++) {
    signal.throwIfAborted();
    const outcome = await attempt(number, until - now());
    if ("answer" in outcome) return outcome.answer;
    const { error, again, retryAfterMs } = outcome.fault;
    // Full jitter spreads workers that were refused together; what the provider asked for is the least we wait.
    const backoff = Math.min(MAX_BACKOFF_MS, backoffMs * 2 ** (number - 1)) * random();
    const wait = Math.ceil((retryAfterMs ?? 0) + backoff);
    if (!again || number >= maxAttempts || now() + wait >= until) throw error;
    await sleep(wait, signal).catch((fault: unknown) => {
      signal.throwIfAborted();
      throw fault;
    });
  }
}

/** Runs at most `limit` at a time, first come first served. Waiting ends when the caller's signal aborts. */
export function limited(limit: number): <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (signal, work) => {
    signal.throwIfAborted();
    if (running < limit) running++;
    else await turn(signal, waiting);
    try {
      return await work();
    } finally {
      // A slot is handed on, not freed, so that nobody slips in between.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

function turn(signal: AbortSignal, waiting: (() => void)[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = () => {
      signal.removeEventListener("abort", leave);
      resolve();
    };
    const leave = () => {
      waiting.splice(waiting.indexOf(go), 1);
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    waiting.push(go);
  });
}
