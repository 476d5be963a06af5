/**
 * One command on one version, in the caller's transaction: waits for other writers, folds the history, decides, appends.
 * A refusal is thrown with its code; the caller's transaction then leaves nothing.
 */
import { AssayError } from "../domain/outcome.ts";
import { appendEvents, lockLedger } from "../ledger/append.ts";
import { readVersions } from "../ledger/projections.ts";
import type { NewEvent } from "../schema/ledger-event.ts";
import type { Tx } from "../store/database.ts";
import { REFUSALS } from "./card-state.ts";
import { type CardVersion, type Command, decide } from "./card-version.ts";

export interface Acting {
  tenant: string;
  version_id: string;
  actor: string;
  /** Instant in stored form. */
  at: string;
}

/** Returns the version as it is afterwards. */
export async function act(tx: Tx, { tenant, version_id, actor, at }: Acting, command: Command): Promise<CardVersion> {
  await lockLedger(tx, tenant);
  const version = await readVersion(tx, tenant, version_id);
  const events = eventsFor(version_id, version, command, at);
  await appendEvents(tx, { tenant, events, actor, at });
  return readVersion(tx, tenant, version_id);
}

/** What a command would append now; throws its refusal. */
export function eventsFor(version_id: string, version: CardVersion, command: Command, at: string): NewEvent[] {
  const outcome = decide(version, command, at);
  if (outcome.accepted) return outcome.events;
  const { code, detail } = outcome;
  throw new AssayError(code, `${version_id.slice(0, 12)}: ${REFUSALS[code]}${detail === null ? "" : ` (${detail})`}`, {
    hint: `its state is ${version.state}; \`assay show ${version_id.slice(0, 12)}\` shows how it came there`,
  });
}

export async function readVersion(tx: Tx, tenant: string, version_id: string): Promise<CardVersion> {
  const version = (await readVersions(tx, tenant, [version_id])).get(version_id);
  if (version === undefined) {
    throw new AssayError("VERSION_UNKNOWN", `no state is recorded of version ${version_id.slice(0, 12)}`, {
      hint: "it was recorded by an earlier release: run its batch again",
    });
  }
  return version;
}
