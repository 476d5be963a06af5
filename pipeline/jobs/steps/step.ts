/**
 * One step of one instrument: found under the digest of its inputs, or worked and recorded. Steps pull what they need,
 * so a lost or repeated job changes nothing; the queue only decides who works when. A fault is not recorded under the
 * key: the next run tries again.
 */
import { canonicalJson, digestOf, type Sha256 } from "../../domain/digest.ts";
import { AssayError } from "../../domain/outcome.ts";
import type { ShortDecision } from "../../schema/card-event.ts";
import type { NewEvent } from "../../schema/ledger-event.ts";
import type { Verdict } from "../../schema/verdict.ts";
import type { ObjectStore } from "../../store/objects.ts";

export type StepName = "facts" | "calendar" | "peers" | "compose" | "render" | "recalculate" | "verify";

export interface StepId {
  step: StepName;
  instrument: string;
  locale: string | null;
}

export interface Recorded {
  key: Sha256;
  output: Sha256;
}

/** A card version that a step brought about: its identity, without state. */
export interface VersionIdentity {
  version_id: Sha256;
  instrument: string;
  channel: string;
  locale: string;
  content_digest: Sha256;
}

/** A version with what the gates decided of it: the body of its first event. */
export interface JudgedVersion extends VersionIdentity {
  judgement: { policy_digest: string; verdict: Verdict; decisions: ShortDecision[] };
}

/** What a step leaves beside its document. */
export interface Marks {
  events?: NewEvent[];
  versions?: JudgedVersion[];
}

/** Where results are recorded: the database, with one ledger event a step, in one transaction. */
export interface StepLog {
  find(keys: readonly Sha256[]): Promise<Map<Sha256, Sha256>>;
  record(id: StepId, recorded: Recorded, marks: Marks): Promise<void>;
}

type Work = () => Promise<{ document: unknown } & Marks>;

export interface StepCounts {
  hits: number;
  misses: number;
}

export interface Difference {
  id: StepId;
  recorded: Sha256;
  replayed: Sha256;
}

/** Parsed documents at hand: those of the instruments at work. */
const KEPT_DOCUMENTS = 48;

export class StepBook {
  readonly counts: StepCounts = { hits: 0, misses: 0 };
  readonly differences: Difference[] = [];
  readonly timings: Partial<Record<StepName | "gates", number>> = {};
  readonly #known = new Map<Sha256, Sha256>();
  readonly #documents = new Map<Sha256, unknown>();
  readonly #open = new Map<string, { count: number; since: number }>();
  readonly #working = new Map<string, Promise<Recorded>>();
  readonly #log: StepLog;
  readonly #objects: ObjectStore;
  /** Replay: works everything again and compares with what is recorded; records nothing. */
  readonly isReplay: boolean;
  readonly #onStep: (id: StepId, wasFound: boolean) => void;

  constructor(options: {
    log: StepLog;
    objects: ObjectStore;
    replay: boolean;
    onStep: (id: StepId, wasFound: boolean) => void;
  }) {
    this.#log = options.log;
    this.#objects = options.objects;
    this.isReplay = options.replay;
    this.#onStep = options.onStep;
  }

  /** Looks many keys up at once, so that a warm run costs one query a stage. */
  async prefetch(keys: readonly Sha256[]): Promise<void> {
    const unknown = keys.filter((key) => !this.#known.has(key));
    if (unknown.length === 0) return;
    for (const [key, output] of await this.#log.find(unknown)) this.#known.set(key, output);
  }

  found(key: Sha256): Sha256 | undefined {
    return this.#known.get(key);
  }

  /** The recorded result, or the one that `work` makes. Asked twice at once, it works once. */
  do(id: StepId, key: Sha256, work: Work): Promise<Recorded> {
    const name = `${id.step}/${id.instrument}/${id.locale ?? ""}/${key}`;
    const running = this.#working.get(name);
    if (running !== undefined) return running;
    const promise = this.#once(id, key, work);
    this.#working.set(name, promise);
    promise.catch(() => undefined);
    return promise;
  }

  read<T>(recorded: Recorded): Promise<T> {
    return this.open<T>(recorded.output);
  }

  /** A stored document. Those just made or read are at hand; nobody may change one. */
  async open<T>(digest: Sha256): Promise<T> {
    const known = this.#documents.get(digest);
    if (known !== undefined) {
      this.#remember(digest, known);
      return known as T;
    }
    const document = JSON.parse((await this.#objects.get(digest)).toString("utf8")) as T;
    this.#remember(digest, document);
    return document;
  }

  /** Stores a document beside a step's result. */
  async keep(document: unknown): Promise<Sha256> {
    const digest = await this.#objects.put(Buffer.from(canonicalJson(document)));
    this.#remember(digest, document);
    return digest;
  }

  #remember(digest: Sha256, document: unknown): void {
    this.#documents.delete(digest);
    this.#documents.set(digest, document);
    if (this.#documents.size > KEPT_DOCUMENTS) this.#documents.delete(this.#documents.keys().next().value as Sha256);
  }

  /** Counts the wall time during which work of a name is under way, however much of it at once. */
  async timed<T>(name: StepName | "gates", work: () => Promise<T> | T): Promise<T> {
    const now = performance.now();
    const open = this.#open.get(name) ?? { count: 0, since: now };
    if (open.count === 0) open.since = now;
    open.count += 1;
    this.#open.set(name, open);
    try {
      return await work();
    } finally {
      open.count -= 1;
      if (open.count === 0) this.timings[name] = (this.timings[name] ?? 0) + performance.now() - open.since;
    }
  }

  async #once(id: StepId, key: Sha256, work: Work): Promise<Recorded> {
    await this.prefetch([key]);
    const before = this.#known.get(key);
    if (before !== undefined && !this.isReplay) {
      this.counts.hits += 1;
      this.#onStep(id, true);
      return { key, output: before };
    }
    if (before === undefined && this.isReplay) {
      throw new AssayError("REPLAY_UNRECORDED", `${id.step} of ${id.instrument} was never recorded with these inputs`, {
        hint: "run the batch with this version of the program first",
      });
    }
    const { document, ...marks } = await work();
    const output = await this.keep(document);
    if (this.isReplay) {
      if (before !== output) this.differences.push({ id, recorded: before as Sha256, replayed: output });
    } else {
      await this.#log.record(id, { key, output }, marks);
      this.#known.set(key, output);
    }
    this.counts.misses += 1;
    this.#onStep(id, false);
    return { key, output };
  }
}

export function stepKey(step: StepName, inputs: Record<string, unknown>): Sha256 {
  return digestOf("step_key", { step, ...inputs });
}
