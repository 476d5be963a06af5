/**
 * One run of the composer over one product in one language: the planner and its children in the agents' own loop. Gives the
 * claims that were assembled, and everything that was refused, objected to and not found on the way, whoever left it out.
 */
import { refuseRepeats } from "../agents/admission.ts";
import type { ModelChoice } from "../agents/host.ts";
import { Journal } from "../agents/journal.ts";
import { runTask } from "../agents/loop.ts";
import { outputsOf, receiptsOf, type TaskState } from "../agents/run-state.ts";
import type { Toolbox } from "../agents/tool.ts";
import type { Tracer } from "../agents/trace.ts";
import type { TurnLog } from "../agents/turn-log.ts";
import type { ClaimRecord } from "../schema/claim.ts";
import type {
  AssembledClaims,
  ClaimReviews,
  Composed,
  ComposeRun,
  HandedIn,
  RefusedClaim,
  ReviewVerdict,
} from "../schema/composed.ts";
import { type QueryReceipt, SEARCH, toSearchRecord } from "../schema/query-receipt.ts";
import type { Budget } from "../schema/task.ts";
import { builtinComposer, builtinModel } from "./builtin.ts";
import { planContract } from "./contracts.ts";
import { draftsAmong, referenceTo } from "./drafts.ts";
import { findRole } from "./roles/index.ts";
import { toRunDocument } from "./run-document.ts";
import { composerToolbox } from "./toolbox.ts";
import { ASSEMBLED, assemblyFaults } from "./tools/assemble.ts";
import type { Desk } from "./tools/desk.ts";

export interface ComposerRun extends Pick<Composed, "refused" | "disagreements" | "gaps" | "reviews" | "searches"> {
  claims: ClaimRecord[];
  end: string;
  /** Of every task, the root's first. */
  ends: string[];
  run: ComposeRun;
}

export interface ComposerTerms {
  tenant: string;
  /** Where the run is kept; its root id is the run's. A run that is there already goes on. */
  log: TurnLog;
  modelFor(role: string): ModelChoice;
  now: () => string;
  signal: AbortSignal;
  budget?: Budget;
  trace?: Tracer;
  /** For tests that put another tool in the place of one. */
  toolbox?: Toolbox;
}

const REPEATS_MAX = 3;

/** `instrument` is one of the desk's. Throws only what stops a run as a whole (schema/run-entry tells the rest as `end`). */
export async function runComposer(desk: Desk, instrument: string, terms: ComposerTerms): Promise<ComposerRun> {
  const { tenant, log, now, signal, trace } = terms;
  const journal = await Journal.open(log, now);
  // A run that goes on keeps to the budget that it began with.
  const budget = journal.run.tasks.get("main")?.contract.budget ?? terms.budget;
  const { contract, request } = planContract(desk, instrument, {
    tenant,
    root_id: log.root_id,
    ...(budget === undefined ? {} : { budget }),
  });
  const task = await runTask(
    {
      modelFor: ({ role }) => terms.modelFor(role),
      roleText: ({ role }) => findRole(role)?.words ?? "",
      toolbox: terms.toolbox ?? composerToolbox(desk),
      rules: [refuseRepeats(REPEATS_MAX)],
      now,
      signal,
      ...(trace === undefined ? {} : { trace }),
    },
    journal,
    contract,
    request,
  );
  const end = task.end?.code ?? "";
  const ends = [...journal.run.tasks.values()].map((one) => one.end?.code ?? "");
  const result = outputsOf(task).find(({ name }) => name === ASSEMBLED);
  const isWhole = end === "FINISHED" && result !== undefined;
  const assembled = isWhole ? journal.document<AssembledClaims>(result.digest) : NOTHING;
  return { claims: assembled.claims, ...toldBy(journal, assembled), end, ends, run: await toRunDocument(journal) };
}

const NOTHING: AssembledClaims = { schema: "assembled_claims/v1", claims: [], refused: [] };

/** From the journal, not from who assembled: nobody can leave out an objection or a refusal. */
function toldBy(
  journal: Journal,
  { claims, refused }: AssembledClaims,
): Omit<ComposerRun, "claims" | "end" | "ends" | "run"> {
  const tasks = [...journal.run.tasks.values()];
  const documents = tasks.flatMap((task) =>
    outputsOf(task).map(({ name, digest }) => ({
      reference: referenceTo(task.contract.task_id, name),
      document: journal.document<HandedIn>(digest),
    })),
  );
  const drafts = draftsAmong(documents);
  const isOnCard = new Set(claims.map(({ id }) => id));
  const leftOut = [...drafts.claims.keys()].flatMap((id): RefusedClaim[] => {
    if (isOnCard.has(id)) return [];
    const faults = refused.find((one) => one.id === id)?.faults ?? assemblyFaults(drafts, id);
    return [{ id, faults: faults.length > 0 ? faults : [{ code: "NOT_ASSEMBLED", detail: id }] }];
  });
  const count = ({ by, reviews }: ClaimReviews) => {
    const of = (verdict: ReviewVerdict) => reviews.filter((review) => review.verdict === verdict).length;
    return { role: by, supported: of("supported"), unsupported: of("unsupported"), unclear: of("unclear") };
  };
  return {
    refused: [...[...drafts.refused].map(([id, faults]) => ({ id, faults })), ...leftOut],
    disagreements: drafts.objections,
    gaps: gapsOf(tasks, (digest) => journal.document<HandedIn>(digest)),
    reviews: drafts.reviews.map(count),
    searches: searchesIn(tasks, (digest) => journal.document<QueryReceipt>(digest)),
  };
}

/** Every search of the run, in its order: a later one of a task does not take the place of an earlier one. */
function searchesIn(tasks: readonly TaskState[], documentOf: (digest: string) => QueryReceipt): Composed["searches"] {
  return tasks
    .flatMap((task) => receiptsOf(task))
    .flatMap(({ outputs }) => outputs.filter(({ name }) => name === SEARCH))
    .map(({ digest }) => toSearchRecord(documentOf(digest)));
}

/** Calls that brought no data, gaps that a role handed in, tasks that did not come to their end. */
function gapsOf(tasks: readonly TaskState[], documentOf: (digest: string) => HandedIn): Composed["gaps"] {
  const gaps = new Map<string, Composed["gaps"][number]>();
  for (const task of tasks) {
    const { role } = task.contract;
    const receipts = receiptsOf(task);
    const handedIn = outputsOf(task).map(({ digest }) => documentOf(digest));
    const codes = [
      ...receipts.flatMap(({ code }) => code ?? []),
      ...handedIn
        .flatMap((document) => (document.schema === "objections/v1" ? document.gaps : []))
        .map(({ code }) => code),
      ...(task.end === null || task.end.code === "FINISHED" ? [] : [task.end.code]),
    ];
    for (const code of codes) gaps.set(`${role} ${code}`, { role, code });
  }
  return [...gaps.values()];
}

/** What needs no key: every role by its own method, and a journal that is gone with the process. */
export function builtinTerms(rootId: string): Pick<ComposerTerms, "log" | "modelFor"> {
  return {
    log: {
      root_id: rootId,
      fence: 1,
      read: async () => [],
      documents: async () => new Map(),
      append: async () => undefined,
    },
    modelFor: (role) => ({
      gateway: builtinComposer,
      model: builtinModel(role),
      settings: { max_output_tokens: 16_000, temperature: null },
      timeout_ms: 120_000,
      characters_max: 400_000,
    }),
  };
}
