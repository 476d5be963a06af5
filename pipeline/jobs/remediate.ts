/**
 * Makes a card of a version in quarantine, or rejected, anew from the batch folder as it is now. New content is a new
 * version that supersedes the old one; equal content changes nothing. Killed anywhere and repeated, it ends the same:
 * what was recorded is found, and the old version moves once.
 */
import type { Services } from "../app/wiring.ts";
import { AssayError } from "../domain/outcome.ts";
import { readVersions } from "../ledger/projections.ts";
import { act } from "../lifecycle/act.ts";
import { nextState, type State } from "../lifecycle/card-state.ts";
import type { FrozenBatch } from "../schema/frozen.ts";
import type { Instrument } from "../schema/instrument.ts";
import type { Verified } from "../schema/step-documents.ts";
import type { Finding } from "../schema/verdict.ts";
import { type CardVersionRow, findCardVersions } from "../store/card-versions.ts";
import { instrumentsWith } from "../store/steps.ts";
import { plan } from "./plan.ts";
import { recordFrozen } from "./record-frozen.ts";
import { type RunOptions, runBatch } from "./run-batch.ts";
import { versionsOf } from "./steps/version.ts";
import { openWorkshop } from "./workshop-for.ts";

export interface Remediation {
  /** The version that stands where the given one stood; the given one itself when content is equal. */
  version_id: string;
  changed: boolean;
  verdict: Verified["verdict"];
  /** Versions that moved: the given one, and what was judged together with it in other locales. */
  superseded: { locale: string; version_id: string; by: string; state: State }[];
  findings: Finding[];
  /** Other cards whose recorded results are no longer of these inputs. */
  unfinished: number;
}

export interface RemediateOptions extends Omit<RunOptions, "scope"> {
  frozenDigest: string;
  frozen: FrozenBatch;
  folder: string;
  reason: string | null;
}

export async function remediate(
  services: Services,
  old: CardVersionRow,
  options: RemediateOptions,
): Promise<Remediation> {
  const { database, config, now } = services;
  const { tenant } = config;
  const { frozen, frozenDigest, reason } = options;
  const instrument = instrumentOf(frozen, old);
  const predecessors = await database.inTenant(tenant, async (tx) => {
    // Locales are judged together, so they are remedied together.
    const all = await findCardVersions(tx, tenant, old.batch, old.instrument);
    const beside = all.filter((row) => row.document_digest === old.document_digest && row.channel === old.channel);
    const states = await readVersions(
      tx,
      tenant,
      beside.map((row) => row.version_id),
    );
    return beside.filter(({ version_id }) => isRemediable(states.get(version_id)?.state));
  });
  const shop = await openWorkshop(services, {
    frozenDigest,
    replay: false,
    onStep: options.onStep,
    supersedes: (made) =>
      made.instrument !== old.instrument || made.channel !== old.channel
        ? null
        : (predecessors.find(({ locale }) => locale === made.locale)?.version_id ?? null),
  });
  await recordFrozen(services, frozenDigest, frozen, options.folder);
  const ran = await database.inTenant(tenant, (tx) => instrumentsWith(tx, tenant, old.batch, "verify"));
  const scope = [instrument, ...dependentsOf(frozen, instrument).filter((one) => ran.has(one.instrument))];
  const [outcome] = await runBatch(services, shop, { ...options, scope, onStep: () => undefined });
  if (outcome?.verified == null) throw notMade(old, outcome?.fault ?? null);

  const verified = await shop.book.read<Verified>(outcome.verified);
  const made = new Map<string, string>(
    versionsOf(shop.context, instrument, verified).map((one) => [one.locale, one.version_id]),
  );
  // All at once: killed between two of them, the repetition would find the first done and stop.
  const superseded = await database.inTenant(tenant, async (tx) => {
    const at = now();
    const moved: Remediation["superseded"] = [];
    for (const { locale, version_id } of predecessors) {
      const by = made.get(locale);
      if (by === undefined || by === version_id) continue;
      const { state } = await act(tx, { tenant, version_id, actor: "assay", at }, { name: "remediate", by, reason });
      moved.push({ locale, version_id, by, state });
    }
    return moved;
  });
  const known = frozen.instruments.filter((one) => ran.has(one.instrument));
  const by = superseded.find(({ version_id }) => version_id === old.version_id)?.by;
  return {
    version_id: by ?? old.version_id,
    changed: by !== undefined,
    verdict: verified.verdict,
    superseded,
    findings: verified.decisions.flatMap((decision) => decision.findings),
    unfinished: (await plan(shop, known)).lines.filter((line) => line.verify === null).length,
  };
}

function isRemediable(state: State | undefined): boolean {
  return state !== undefined && nextState(state, "card_remediated/v1") !== undefined;
}

function instrumentOf(frozen: FrozenBatch, old: CardVersionRow): Instrument {
  if (frozen.batch.id !== old.batch) {
    throw new AssayError("BATCH_DIFFERS", `the folder holds batch ${frozen.batch.id}; the version is of ${old.batch}`, {
      hint: "name the folder of its batch with --batch",
    });
  }
  const found = frozen.instruments.find(({ instrument }) => instrument === old.instrument);
  if (found !== undefined && (frozen.batch.locales as string[]).includes(old.locale)) return found;
  throw new AssayError("CARD_NOT_IN_BATCH", `${old.instrument} in ${old.locale} is not a card of the batch any more`, {
    hint: "put it back into universe.csv and locales, or terminate the version",
  });
}

/** Cards with a figure that rests on this instrument's own: its peers, and products measured against it. */
function dependentsOf(frozen: FrozenBatch, { instrument, peer_group }: Instrument): Instrument[] {
  return frozen.instruments.filter(
    (other) =>
      other.instrument !== instrument &&
      (other.benchmark === instrument || (peer_group !== "" && other.peer_group === peer_group)),
  );
}

function notMade(old: CardVersionRow, fault: Error | null): AssayError {
  const code = fault instanceof AssayError ? fault.code : "NO_VERDICT";
  return new AssayError(code, `${old.instrument} came to no verdict: ${fault?.message ?? "no result"}`, {
    hint: (fault instanceof AssayError ? fault.hint : undefined) ?? "the version stays as it is; remediate it again",
    cause: fault ?? undefined,
  });
}
