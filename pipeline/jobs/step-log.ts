/**
 * Records results of steps with their ledger events. Those that end while a transaction is under way go together into
 * the next one: the ledger's lock is taken once for many, and a step still counts as done only when it is committed.
 */
import type { Services } from "../app/wiring.ts";
import { appendEvents } from "../ledger/append.ts";
import type { NewEvent } from "../schema/ledger-event.ts";
import { recordCardVersions } from "../store/card-versions.ts";
import { findSteps, recordSteps } from "../store/steps.ts";
import type { Marks, Recorded, StepId, StepLog, VersionIdentity } from "./steps/step.ts";

/** How long a result waits for company: a transaction costs more than that, and most steps end in bursts. */
const GATHER_MS = 20;

interface Entry {
  id: StepId;
  recorded: Recorded;
  marks: Marks;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

export interface LogTerms {
  batch: string;
  frozen: string;
  /** The version that a new one remedies, where it is made for that. */
  supersedes: (version: VersionIdentity) => string | null;
}

export function openStepLog({ database, config, now }: Services, terms: LogTerms): StepLog {
  const { batch } = terms;
  const { tenant } = config;
  let waiting: Entry[] = [];
  let isWriting = false;

  async function write(entries: readonly Entry[]): Promise<void> {
    await database.inTenant(tenant, async (tx) => {
      const at = now();
      await recordSteps(
        tx,
        tenant,
        at,
        entries.map(({ id, recorded }) => ({
          key: recorded.key,
          step: id.step,
          batch,
          instrument: id.instrument,
          outcome: "COMPLETED",
          output_digest: recorded.output,
        })),
      );
      const added = await recordCardVersions(
        tx,
        tenant,
        at,
        entries.flatMap(({ marks, recorded }) =>
          (marks.versions ?? []).map((version) => ({ ...version, batch, document_digest: recorded.output })),
        ),
      );
      await appendEvents(tx, {
        tenant,
        // Once a version: equal content made again is the version that exists, in its state.
        events: entries.flatMap((entry) => eventsOf(terms, entry, (version) => added.delete(version.version_id))),
        actor: "assay",
        at,
      });
    });
  }

  async function drain(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      const entries = waiting;
      waiting = [];
      try {
        await write(entries);
        for (const { resolve } of entries) resolve();
      } catch (error) {
        for (const { reject } of entries) reject(error);
      }
    }
    isWriting = false;
  }

  return {
    find: async (keys) => {
      const found = await database.inTenant(tenant, (tx) => findSteps(tx, tenant, [...keys]));
      return new Map([...found].map(([key, { output_digest }]) => [key, output_digest]));
    },
    record: (id, recorded, marks) =>
      new Promise((resolve, reject) => {
        waiting.push({ id, recorded, marks, resolve, reject });
        if (!isWriting) void drain();
      }),
  };
}

function eventsOf(
  { batch, frozen, supersedes }: LogTerms,
  { id, recorded, marks }: Entry,
  isNew: (version: VersionIdentity) => boolean,
): NewEvent[] {
  const origin = { batch, frozen };
  return [
    { type: "step_recorded/v1", body: { ...origin, ...id, key: recorded.key, output: recorded.output } },
    ...(marks.events ?? []).map(({ type, body }) => ({ type, body: { ...origin, ...body } })),
    ...(marks.versions ?? []).filter(isNew).map(({ judgement, ...identity }) => ({
      type: "card_verified/v1",
      body: { ...origin, ...identity, ...judgement, supersedes: supersedes(identity) },
    })),
  ];
}
