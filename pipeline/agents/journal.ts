/**
 * A run's journal at hand: entries noted here fold into the state at once and become durable together at `commit`. The host
 * commits before anything outside happens: before a model is asked, before a tool runs, after an effect.
 */
import { digestOf, type Sha256 } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import {
  RUN_GENESIS,
  type RunDocument,
  type RunEntry,
  type RunEntryBody,
  runEntryDigest,
  runEntrySchema,
} from "../schema/run-entry.ts";
import { entryFault } from "./checked.ts";
import { applyEntry, type RunState } from "./run-state.ts";
import { SETTLED } from "./settled-texts.ts";
import type { TurnLog } from "./turn-log.ts";

export class Journal {
  readonly run: RunState;
  readonly #log: TurnLog;
  readonly #now: () => string;
  readonly #documents = new Map<Sha256, unknown>();
  #entries: RunEntry[] = [];
  #unstored: RunDocument[] = [];
  #written: Promise<void> = Promise.resolve();

  private constructor(log: TurnLog, now: () => string) {
    this.#log = log;
    this.#now = now;
    this.run = { root_id: log.root_id, seq: 0, digest: RUN_GENESIS, tasks: new Map() };
  }

  /** Of the worker that holds it. */
  get fence(): number {
    return this.#log.fence;
  }

  /** Reads what happened so far and checks that it is whole: sequence, chain, digests. */
  static async open(log: TurnLog, now: () => string): Promise<Journal> {
    const journal = new Journal(log, now);
    const views = new Set<Sha256>();
    for (const entry of await log.read()) {
      assertContinues(journal.run, entry);
      applyEntry(journal.run, entry);
      if (entry.body.type !== "call_settled") continue;
      const { view_digest, outputs } = entry.body.receipt;
      for (const digest of [view_digest, ...outputs.map((output) => output.digest)]) {
        if (digest !== null) views.add(digest);
      }
    }
    const documents = views.size === 0 ? [] : await log.documents([...views]);
    for (const [digest, document] of documents) journal.#documents.set(digest, document);
    return journal;
  }

  note(taskId: string, body: RunEntryBody): void {
    const unsigned: RunEntry = {
      schema: "run_entry/v1",
      root_id: this.run.root_id,
      seq: this.run.seq + 1,
      prev_digest: this.run.digest,
      task_id: taskId,
      fence: this.#log.fence,
      at: this.#now(),
      body,
      digest: "",
    };
    const entry = { ...unsigned, digest: runEntryDigest(unsigned) };
    // What could not be read again must not be written.
    const fault = entryFault(entry);
    if (fault !== null) {
      throw new AssayError("RUN_ENTRY_MALFORMED", `not an entry of a run: ${body.type}`, { cause: fault });
    }
    applyEntry(this.run, entry);
    this.#entries.push(entry);
  }

  /** Stored with the next commit. */
  keep(kind: RunDocument["kind"], document: unknown): Sha256 {
    const digest = digestOf(kind, document, SETTLED);
    if (!this.#documents.has(digest)) {
      this.#documents.set(digest, document);
      this.#unstored.push({ digest, kind, document });
    }
    return digest;
  }

  /** Brings documents of the run to hand that opening it leaves where they are: what models were sent. */
  async load(digests: readonly Sha256[]): Promise<void> {
    const unknown = [...new Set(digests)].filter((digest) => !this.#documents.has(digest));
    if (unknown.length === 0) return;
    for (const [digest, document] of await this.#log.documents(unknown)) this.#documents.set(digest, document);
  }

  /** A document of this run that is at hand: a tool's result or an output. */
  document<T>(digest: Sha256): T {
    const document = this.#documents.get(digest);
    if (document === undefined) throw new AssayError("RUN_DOCUMENT_MISSING", `the run has no document ${digest}`);
    return document as T;
  }

  /**
   * Commits of children that run beside each other are written one after the other. After a failure nothing is written any
   * more: memory is ahead of the log, and whoever sees it gives the run up and opens it anew.
   */
  commit(): Promise<void> {
    this.#written = this.#written.then(async () => {
      if (this.#entries.length === 0) return;
      const [entries, documents] = [this.#entries, this.#unstored];
      [this.#entries, this.#unstored] = [[], []];
      await this.#log.append(entries, documents);
    });
    // Awaited by whoever commits next too; nobody else need look.
    this.#written.catch(() => undefined);
    return this.#written;
  }
}

function assertContinues(run: RunState, entry: RunEntry): void {
  const isWhole =
    runEntrySchema.safeParse(entry).success &&
    entry.root_id === run.root_id &&
    entry.seq === run.seq + 1 &&
    entry.prev_digest === run.digest &&
    runEntryDigest(entry) === entry.digest;
  if (isWhole) return;
  throw new AssayError("RUN_JOURNAL_BROKEN", `entry ${run.seq + 1} of run ${run.root_id} is not what was written`, {
    hint: "Nothing goes on from a journal that was altered; keep it for whoever looks into it, and start a new run.",
  });
}
