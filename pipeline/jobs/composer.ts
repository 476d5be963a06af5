/**
 * Who composes the claims of cards: the built-in methods, or a model. A model's runs are kept in the database under a lease, so
 * that one that was killed goes on from its sealed turns; a replay reads them and asks no model.
 */
import { setTimeout } from "node:timers/promises";
import type { Services } from "../app/wiring.ts";
import { builtinTerms, type ComposerTerms } from "../compose/run-composer.ts";
import type { Sha256 } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import { appendEvents } from "../ledger/append.ts";
import { type Lease, type LeaseTerms, withLease } from "../store/agents-lease.ts";
import { openRunLog } from "../store/agents-log.ts";
import type { Database, Tx } from "../store/database.ts";
import { readStandings, readTaskEnds } from "../store/run-standing.ts";

type Means = Pick<ComposerTerms, "log" | "modelFor" | "now" | "signal" | "trace" | "budget">;

export interface Composer {
  provider: string;
  model: string;
  /** Runs `work` with a run's log and models. `name` is of what is composed from what, and begins the run's id. */
  within<T extends { ends: readonly string[] }>(
    name: string,
    asOf: string,
    work: (means: Means) => Promise<T>,
  ): Promise<T>;
}

export interface ComposerOptions {
  /** `provider:model`; every `builtin:` is the built-in methods. */
  spec: string;
  signal: AbortSignal;
  /** Reads what was recorded and asks nobody. */
  isReplay: boolean;
}

/** Opens nothing yet: whoever only looks at what is recorded needs no key. Throws MODEL_SPEC_INVALID. */
export function composerOf(services: Services, options: ComposerOptions): Composer {
  const [, provider = "", model = ""] = /^([^:]+):(.+)$/.exec(options.spec) ?? [];
  if (model === "") {
    throw new AssayError("MODEL_SPEC_INVALID", `${JSON.stringify(options.spec.slice(0, 100))} names no model`, {
      hint: "write <provider>:<model>, or builtin:composer",
    });
  }
  return provider === "builtin"
    ? builtinComposer(options.signal)
    : modelComposer(services, options, { provider, model });
}

/** Nothing that is kept holds a time, and the built-in methods take none. */
function builtinComposer(signal: AbortSignal): Composer {
  return {
    provider: "builtin",
    model: "composer",
    within: (name, asOf, work) => work({ ...builtinTerms(name), now: () => asOf, signal }),
  };
}

/** A run of a batch is alone with it: a lease that is held is that of a killed worker, and ends by itself. */
const LEASE_MS = 15_000;
const MINUTE = 60_000;
const ATTEMPTS = 20;

/**
 * Ends of a task that another attempt can better: no answer was to be had, or a person may allow more money. A refusal or any other
 * spent budget is an answer.
 */
const PASSING = new Set([
  "MODEL_UNAVAILABLE",
  "MODEL_RATE_LIMITED",
  "MODEL_TIMEOUT",
  "MODEL_INTERRUPTED",
  "MODEL_FAILED",
  "MODEL_REJECTED",
  "MODEL_ANSWER_MALFORMED",
  "BUDGET_MONEY",
  "BUDGET_UNPRICED",
]);

function modelComposer(
  { database, config, now, newId, openModel, tracer }: Services,
  { spec, signal, isReplay }: ComposerOptions,
  { provider, model }: { provider: string; model: string },
): Composer {
  const { tenant } = config;
  const holder = newId();
  return {
    provider,
    model,
    async within(name, _asOf, work) {
      const root_id = await attemptOf(database, tenant, name, isReplay);
      // A replay gives back what was sealed: nobody is asked.
      const { gateway } = isReplay ? NOBODY : await openModel(spec);
      const settings = { max_output_tokens: 16_000, temperature: null };
      const choice = { gateway, model, settings, timeout_ms: 5 * MINUTE, characters_max: 400_000 };
      const trace = isReplay ? undefined : tracer();
      const means = { modelFor: () => choice, now, signal, ...(trace === undefined ? {} : { trace }) };
      const done = isReplay
        ? await work({ ...means, log: readOnlyLog(database, tenant, root_id) })
        : await withFreedLease(database, { tenant, root_id, holder, ttl_ms: LEASE_MS }, signal, (lease) =>
            work({ ...means, log: openRunLog(database, tenant, lease) }),
          );
      const failed = done.ends.find((end) => PASSING.has(end));
      if (failed === undefined) return done;
      // Not recorded as a result: the next run of the batch tries again, in a run of its own.
      throw new AssayError(failed, `${provider}:${model} gave no answer for ${name}`, {
        hint: "run the batch again: what other cards' models answered is recorded and not asked again",
        retry: "later",
      });
    },
  };
}

const NOBODY = {
  gateway: {
    provider: "nobody",
    answer: async () => {
      throw new AssayError("REPLAY_UNRECORDED", "a turn of this run was never sealed", {
        hint: "run the batch with this model first",
      });
    },
  },
};

async function withFreedLease<T>(
  database: Database,
  terms: LeaseTerms,
  signal: AbortSignal,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      return await withLease(database, terms, work);
    } catch (fault) {
      const isHeld = fault instanceof AssayError && fault.code === "RUN_LEASE_HELD";
      if (!isHeld || waited > 2 * LEASE_MS) throw fault;
      await setTimeout(RETRY_MS, undefined, { signal });
    }
  }
}
const RETRY_MS = 500;

/** The run that goes on, or that came to an end; a new one after one that came to nothing. */
async function attemptOf(database: Database, tenant: string, name: string, isReplay: boolean): Promise<string> {
  const roots = Array.from({ length: ATTEMPTS }, (_, index) => `${name}/${index + 1}`);
  const [standings, ends] = await database.inTenant(tenant, async (tx) => [
    await readStandings(tx, tenant, roots),
    await readTaskEnds(tx, tenant, roots),
  ]);
  const hasEnded = (root: string) => standings.get(root)?.end_code != null;
  const cameToNothing = (root: string) => hasEnded(root) && (ends.get(root) ?? []).some((end) => PASSING.has(end));
  const found = roots.find((root) => !cameToNothing(root));
  if (found !== undefined && (hasEnded(found) || !isReplay)) return found;
  if (isReplay) {
    throw new AssayError("REPLAY_UNRECORDED", `no run of ${name} was recorded to its end`, {
      hint: "run the batch with this model first",
    });
  }
  throw new AssayError("MODEL_UNAVAILABLE", `${ATTEMPTS} runs of ${name} came to no answer`, {
    hint: "choose another model with --model, or builtin:composer",
    retry: "later",
  });
}

function readOnlyLog(database: Database, tenant: string, root_id: string): Means["log"] {
  const log = openRunLog(database, tenant, { root_id, fence: 1, release: async () => undefined });
  return {
    ...log,
    append: async () => {
      throw new AssayError("REPLAY_UNRECORDED", `run ${root_id} was not recorded to its end`, {
        hint: "run the batch with this model first",
      });
    },
  };
}

export const BUILTIN = "builtin:composer";

/** What was chosen for a frozen batch, so that whoever looks at its cards looks at those of the right composer. */
export async function recordComposer({ database, config, now }: Services, frozen: Sha256, spec: string): Promise<void> {
  const { tenant } = config;
  await database.inTenant(tenant, async (tx) => {
    if (((await lastComposer(tx, tenant, frozen)) ?? BUILTIN) === spec) return;
    const events = [{ type: "composer_chosen/v1", body: { inputs: frozen, spec } }];
    await appendEvents(tx, { tenant, events, actor: "assay", at: now() });
  });
}

/** Null where nothing but the built-in methods was ever chosen. */
export async function lastComposer(tx: Tx, tenant: string, frozen: Sha256): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ spec: string }[]>`
    SELECT body ->> 'spec' AS spec FROM ledger_event
    WHERE tenant = ${tenant} AND type = 'composer_chosen/v1' AND body ->> 'inputs' = ${frozen}
    ORDER BY seq DESC LIMIT 1`;
  return row?.spec ?? null;
}
