/**
 * Who composes the claims of cards: the built-in methods, or a model. A model's runs are kept in the database under a lease, so
 * that one that was killed goes on from its sealed turns; a replay reads them and asks no model.
 */
import type { Services } from "../app/wiring.ts";
import { builtinTerms, type ComposerTerms } from "../compose/run-composer.ts";
import { AssayError } from "../domain/outcome.ts";
import { withLease } from "../store/agents-lease.ts";
import { openRunLog } from "../store/agents-log.ts";
import type { Database } from "../store/database.ts";
import { readStandings } from "../store/run-standing.ts";

type Means = Pick<ComposerTerms, "log" | "modelFor" | "now" | "signal" | "trace">;

export interface Composer {
  provider: string;
  model: string;
  /** Runs `work` with a run's log and models. `name` is of what is composed from what, and begins the run's id. */
  within<T extends { end: string }>(name: string, asOf: string, work: (means: Means) => Promise<T>): Promise<T>;
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

const LEASE_MS = 60_000;
const MINUTE = 60_000;
const ATTEMPTS = 20;

/** Ends of a run that another attempt can better: no answer was to be had. A refusal or a spent budget is an answer. */
const PASSING = new Set([
  "MODEL_UNAVAILABLE",
  "MODEL_RATE_LIMITED",
  "MODEL_TIMEOUT",
  "MODEL_INTERRUPTED",
  "MODEL_FAILED",
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
      const root_id = await attemptOf(database, tenant, name);
      // A replay gives back what was sealed: nobody is asked.
      const { gateway } = isReplay ? NOBODY : await openModel(spec);
      const settings = { max_output_tokens: 16_000, temperature: null };
      const choice = { gateway, model, settings, timeout_ms: 5 * MINUTE, characters_max: 400_000 };
      const trace = isReplay ? undefined : tracer();
      const means = { modelFor: () => choice, now, signal, ...(trace === undefined ? {} : { trace }) };
      const done = isReplay
        ? await work({ ...means, log: readOnlyLog(database, tenant, root_id) })
        : await withLease(database, { tenant, root_id, holder, ttl_ms: LEASE_MS }, (lease) =>
            work({ ...means, log: openRunLog(database, tenant, lease) }),
          );
      if (!PASSING.has(done.end)) return done;
      // Not recorded as a result: the next run of the batch tries again, in a run of its own.
      throw new AssayError(done.end, `${provider}:${model} gave no answer for ${name}`, {
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

/** The run that goes on, or a new one after one that came to nothing. */
async function attemptOf(database: Database, tenant: string, name: string): Promise<string> {
  const roots = Array.from({ length: ATTEMPTS }, (_, index) => `${name}/${index + 1}`);
  const standings = await database.inTenant(tenant, (tx) => readStandings(tx, tenant, roots));
  const open = roots.find((root) => !PASSING.has(standings.get(root)?.end_code ?? ""));
  if (open !== undefined) return open;
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
