/**
 * Records results of steps with their ledger events. Those that end while a transaction is under way go together into
 * the next one: the ledger's lock is taken once for many, and a step still counts as done only when it is committed.
 */
import type { Services } from "../app/wiring.ts";
import { appendEvents } from "../ledger/append.ts";
import type { NewEvent } from "../schema/ledger-event.ts";
import { recordCardVersions } from "../store/card-versions.ts";
import { findSteps, recordSteps } from "../store/steps.ts";
import type { Marks, Recorded, StepId, StepLog } from "./steps/step.ts";

/** How long a result waits for company: a transaction costs more than that, and most steps end in bursts. */
const GATHER_MS = 20;

interface Entry {
  id: StepId;
  recorded: Recorded;
  marks: Marks;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

export function openStepLog({ database, config, now }: Services, batch: string): StepLog {
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
      await recordCardVersions(
        tx,
        tenant,
        at,
        entries.flatMap(({ marks, recorded }) =>
          (marks.versions ?? []).map((version) => ({ ...version, batch, document_digest: recorded.output })),
        ),
      );
      await appendEvents(tx, {
        tenant,
        events: entries.flatMap((entry) => eventsOf(batch, entry)),
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

function eventsOf(batch: string, { id, recorded, marks }: Entry): NewEvent[] {
  const body = { batch, ...id, key: recorded.key, output: recorded.output };
  return [{ type: "step_recorded/v1", body }, ...(marks.events ?? [])];
}
