/**
 * A person says what became of an effect whose outcome nobody knew: an entry of the run's journal, and the end of the proposal that
 * it was approved by. Nothing is done again by it; that it is their word stands with it.
 */
import { AssayError } from "../../domain/outcome.ts";
import type { Respondent } from "../../schema/interaction.ts";
import { type LeaseTerms, withLease } from "../../store/agents-lease.ts";
import { openRunLog } from "../../store/agents-log.ts";
import type { Database } from "../../store/database.ts";
import { readInteractionsOf } from "../../store/interactions.ts";
import { foldInteraction } from "../interactions/interaction.ts";
import { openRequests } from "../interactions/requests.ts";
import { Journal } from "../journal.ts";
import type { RunState } from "../run-state.ts";

export interface Finding {
  call: string;
  happened: boolean;
  note: string;
}

/** Throws RUN_LEASE_HELD while somebody is at work at the run, and CALL_NOT_UNKNOWN where there is nothing to find out. */
export async function reconcileCall(
  database: Database,
  lease: LeaseTerms,
  now: () => string,
  by: Respondent,
  { call, happened, note }: Finding,
): Promise<void> {
  const { tenant, root_id } = lease;
  await withLease(database, lease, async (held) => {
    const journal = await Journal.open(openRunLog(database, tenant, held), now);
    const task_id = taskOfUnknown(journal.run, call);
    const { account, is_authenticated } = by;
    journal.note(task_id, { type: "call_reconciled", call, happened, by: account, is_authenticated, note });
    await journal.commit();
    await settleProposal(database, tenant, root_id, now, { call, happened });
  });
}

function taskOfUnknown(run: RunState, key: string): string {
  for (const [taskId, { turns }] of run.tasks) {
    const call = turns.flatMap(({ calls }) => calls).find((one) => one.key === key);
    const last = call?.receipts.at(-1);
    if (last?.outcome === "UNKNOWN" && last.effect === "write") return taskId;
  }
  throw new AssayError("CALL_NOT_UNKNOWN", `the run has no effect ${key.slice(0, 200)} of unknown outcome`, {
    hint: "`assay runs show` lists those that it has; a call that was cut short is one once the run was resumed",
  });
}

async function settleProposal(
  database: Database,
  tenant: string,
  rootId: string,
  now: () => string,
  { call, happened }: Omit<Finding, "note">,
): Promise<void> {
  const events = await database.inTenant(tenant, (tx) => readInteractionsOf(tx, tenant, [rootId]));
  const requests = openRequests(database, tenant, now);
  for (const each of events.values()) {
    const { request, adoption, effects } = foldInteraction(each)!;
    const { asked, interaction_id } = request;
    if (asked.kind !== "approval" || adoption?.consumer !== call) continue;
    const { arguments_digest, preview_digest } = asked;
    const done = { arguments_digest, preview_digest, reference: call };
    if (effects.length === 0) await requests.commit(interaction_id, { outcome: "UNKNOWN", ...done });
    if (effects.length > 0 && effects.at(-1)!.outcome !== "UNKNOWN") continue;
    await requests.commit(interaction_id, { outcome: happened ? "COMMITTED" : "FAILED", ...done });
  }
}
