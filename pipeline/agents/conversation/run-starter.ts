/**
 * The port behind which runs are worked at. Starting is by the message that began the run: the same message starts the same
 * run or goes on with it, never a second one.
 */
import type { TaskEnd } from "../../schema/run-entry.ts";
import type { StoredMessage } from "../../store/messages.ts";

export type RunOutcome =
  | { state: "ENDED"; end: TaskEnd }
  /** Nobody is at work; it goes on, when it is resumed, once its question is answered or has expired. */
  | { state: "WAITING" };

export interface RunStarter {
  /** Works at the run until it ends or waits. Throws RUN_LEASE_HELD (later) while somebody else is at work at it. */
  start(begun: StoredMessage, signal: AbortSignal): Promise<RunOutcome>;
}
