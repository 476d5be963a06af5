/**
 * A card that ended in a fault instead of a verdict is a version in BLOCK: of its frozen inputs and the fault's code, so
 * that the same fault again is the same version. Nothing is recorded under a step's key: the next run tries again.
 */
import type { Services } from "../app/wiring.ts";
import { canonicalJson, digestOf } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import { appendEvents } from "../ledger/append.ts";
import { REASON_MAX } from "../schema/card-event.ts";
import { recordCardVersions } from "../store/card-versions.ts";
import type { RunContext } from "./context.ts";
import type { Outcome } from "./run-batch.ts";
import { versionOf } from "./steps/version.ts";

/** Faults that are no product's: quarantining a hundred cards for a full disk would call the batch ended. */
const FAULTS_OF_MACHINE = new Set([
  "DISK_FULL",
  "DATABASE_UNREACHABLE",
  "OBJECT_STORE_CLOSED",
  "BROWSER_MISSING",
  "BROWSER_LAUNCH",
  // A key that is refused is refused for every card.
  "MODEL_REJECTED",
]);

export function throwFaultOfMachine(outcomes: readonly Outcome[]): void {
  for (const { fault } of outcomes) {
    if (fault instanceof AssayError && FAULTS_OF_MACHINE.has(fault.code)) throw fault;
  }
}

export async function recordFaults(
  { database, objects, now }: Services,
  context: RunContext,
  outcomes: readonly Outcome[],
): Promise<void> {
  const { tenant, frozen, frozenDigest, policy } = context;
  const faulted = outcomes.filter(({ verified }) => verified === null);
  for (const { instrument, fault } of faulted) {
    const code = fault instanceof AssayError ? fault.code : (fault?.name ?? "NO_VERDICT");
    const document = { schema: "card_fault/v1", frozen: frozenDigest, instrument: instrument.instrument, code };
    const document_digest = await objects.put(Buffer.from(canonicalJson(document)));
    const versions = frozen.batch.locales.map((locale) =>
      versionOf(context, instrument, locale, digestOf("card_fault", document)),
    );
    const batch = frozen.batch.id;
    const detail = toLine(fault?.message ?? "no verdict was reached");
    await database.inTenant(tenant, async (tx) => {
      const at = now();
      const rows = versions.map((version) => ({ ...version, batch, document_digest }));
      const added = await recordCardVersions(tx, tenant, at, rows);
      const events = versions
        .filter(({ version_id }) => added.has(version_id))
        .map((version) => ({
          type: "card_faulted/v1",
          body: {
            batch,
            frozen: frozenDigest,
            ...version,
            policy_digest: policy.digest,
            supersedes: null,
            code,
            detail,
          },
        }));
      await appendEvents(tx, { tenant, events, actor: "assay", at });
    });
  }
}

/** Messages of faults quote hostile input. */
function toLine(message: string): string {
  const line = message.replace(/[\p{Cc}\p{Surrogate}\u2028\u2029]+/gu, " ").trim();
  return line.slice(0, REASON_MAX - 1).replace(/[\ud800-\udbff]$/, "") || "a fault without a message";
}
