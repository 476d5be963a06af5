/**
 * Works at a run with the host's loop: takes the lease, opens the journal, runs the root task, lets in what people say at safe
 * points. What a run is made of (models, tools, contract) is handed in and must follow from the message that began it.
 */
import { AssayError } from "../../domain/outcome.ts";
import type { Catalogue } from "../../schema/expert.ts";
import type { RunTerms } from "../../schema/message.ts";
import type { TaskContract, TaskRequest } from "../../schema/task.ts";
import { withLease } from "../../store/agents-lease.ts";
import { openRunLog } from "../../store/agents-log.ts";
import type { Database } from "../../store/database.ts";
import { readCatalogue } from "../../store/experts.ts";
import type { StoredMessage } from "../../store/messages.ts";
import type { Host } from "../host.ts";
import { inputsFor, recordAdoptions } from "../interactions/inputs.ts";
import { Journal } from "../journal.ts";
import { runTask } from "../loop.ts";
import type { RunOutcome, RunStarter } from "./run-starter.ts";

export interface RunPlan {
  host: Omit<Host, "takeInputs" | "now" | "signal">;
  contract: TaskContract;
  request: TaskRequest;
}

export interface StarterTerms {
  database: Database;
  tenant: string;
  /** Names this worker; unique. */
  holder: string;
  lease_ms: number;
  now(): string;
  /** The same for the same beginning, whenever and by whomever it is asked: a run that goes on must be the run it was. */
  planRun(begun: StoredMessage & { terms: RunTerms }, catalogue: Catalogue): Promise<RunPlan>;
}

export function makeRunStarter({ database, tenant, holder, lease_ms, now, planRun }: StarterTerms): RunStarter {
  return {
    async start(begun, signal): Promise<RunOutcome> {
      const { root_id, terms } = begun;
      if (terms === null) throw new AssayError("RUN_UNKNOWN", `message ${begun.seq} begins no run`);
      const catalogue = await database.inTenant(tenant, (tx) => readCatalogue(tx, tenant, terms.catalogue));
      const { host, contract, request } = await planRun({ ...begun, terms }, catalogue);
      const of = { tenant, root_id, root_task: contract.task_id, linked_to: terms.linked_to, now };
      return withLease(database, { tenant, root_id, holder, ttl_ms: lease_ms }, async (lease) => {
        const journal = await Journal.open(openRunLog(database, tenant, lease), now);
        const takeInputs = (taskId: string) => inputsFor(database, of, taskId);
        const { end } = await runTask({ ...host, now, signal, takeInputs }, journal, contract, request);
        await database.inTenant(tenant, (tx) => recordAdoptions(tx, of));
        return end === null ? { state: "WAITING" } : { state: "ENDED", end };
      });
    },
  };
}
