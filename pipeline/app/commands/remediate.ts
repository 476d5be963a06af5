/**
 * `assay remediate`: a version in quarantine, or rejected, is made anew from its batch folder as it is now; the new
 * version supersedes it. Equal content changes nothing, names what still holds it back, and exits 1.
 */
import { AssayError } from "../../domain/outcome.ts";
import { receivedBatches } from "../../jobs/record-frozen.ts";
import { type Remediation, remediate as remediateVersion } from "../../jobs/remediate.ts";
import { eventsFor, readVersion } from "../../lifecycle/act.ts";
import type { CardVersion } from "../../lifecycle/card-version.ts";
import { reasonSchema } from "../../schema/card-event.ts";
import type { FrozenBatch } from "../../schema/frozen.ts";
import { type CardVersionRow, getCardVersion } from "../../store/card-versions.ts";
import type { Config } from "../config.ts";
import { interruptible } from "../interrupt.ts";
import { type Services, withServices } from "../wiring.ts";
import { batchFolder, freezeBatch, progressFor } from "./run.ts";

export interface RemediateOptions {
  reason?: string;
  batch?: string;
  concurrency: number;
  allowRoot: string[];
  json?: boolean;
}

const SHOWN_FINDINGS = 20;
/** Stands for the version that is not made yet when it is asked whether the old one may be remedied at all. */
const NOT_YET = "0".repeat(64);

export async function remediate(config: Config, id: string, options: RemediateOptions): Promise<void> {
  const reason = options.reason === undefined ? null : toReason(options.reason);
  const progress = progressFor(config, options.json === true);
  const wiring = { pages: options.concurrency, onFault: (error: Error) => progress.note(`warning: ${error.message}`) };
  const done = await interruptible((interrupt) =>
    withServices(config, wiring, async (services) => {
      const { database, now } = services;
      const { tenant } = config;
      const [old, version, received] = await database.inTenant(tenant, async (tx) => {
        const row = await getCardVersion(tx, tenant, id);
        return [row, await readVersion(tx, tenant, row.version_id), await receivedBatches(tx, tenant)] as const;
      });
      // Asked again after it was done, as after a kill: the answer is the same, and nothing is worked.
      if (version.state === "SUPERSEDED" && version.seal === null)
        return { old, result: await doneBefore(services, version) };
      eventsFor(old.version_id, version, { name: "remediate", by: NOT_YET, reason }, now());
      const last = received.get(old.batch)?.body;
      const folder = batchFolder(config, options.batch ?? last?.folder ?? old.batch);
      const before = last === undefined ? undefined : await readFrozen(services, last.frozen);
      const [only, another] = before?.batch.locales ?? [];
      const terms = {
        allowRoot: options.allowRoot,
        channel: old.channel,
        // A run with --locale had one of several: so has its remediation.
        ...(only !== undefined && another === undefined ? { locale: only } : {}),
      };
      const { digest, frozen } = await interrupt.race(freezeBatch(services, folder, terms, progress));
      return services.alone(`batch/${old.batch}`, async () => {
        const result = await remediateVersion(services, old, {
          frozenDigest: digest,
          frozen,
          folder,
          reason,
          pages: options.concurrency,
          onPlan: (steps) => progress.stage("cards", steps),
          onStep: ({ step, instrument }) => progress.step(`${step} ${instrument}`),
          signal: interrupt.signal,
        });
        return { old, result };
      });
    }),
  );
  progress.stop();
  const { old, result } = done;
  if (!result.changed) process.exitCode = 1;
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ remediated: old.version_id, instrument: old.instrument, locale: old.locale, ...result }, null, 2)}\n`
      : describe(old, result),
  );
}

/** A reason as a person typed it. */
export function toReason(text: string): string {
  const checked = reasonSchema.safeParse(text);
  if (checked.success) return checked.data;
  throw new AssayError("REASON_MALFORMED", `the reason ${checked.error.issues[0]?.message}`, {
    hint: "one line of plain text, at most 2,000 characters",
  });
}

async function doneBefore({ database, config }: Services, { superseded_by }: CardVersion): Promise<Remediation> {
  const version_id = superseded_by as string;
  const { judged } = await database.inTenant(config.tenant, (tx) => readVersion(tx, config.tenant, version_id));
  const verdict = judged?.verdict ?? "BLOCK";
  return { version_id, changed: true, verdict, superseded: [], findings: [], unfinished: 0 };
}

async function readFrozen({ objects }: Services, digest: string): Promise<FrozenBatch> {
  return JSON.parse((await objects.get(digest)).toString("utf8")) as FrozenBatch;
}

function describe(old: CardVersionRow, result: Remediation): string {
  const name = `${old.instrument} ${old.locale} ${old.version_id.slice(0, 12)}`;
  const shown = result.findings.slice(0, SHOWN_FINDINGS);
  const more = result.findings.length - shown.length;
  return [
    result.changed
      ? `${name} is superseded by ${result.version_id.slice(0, 12)}: ${result.verdict}`
      : `${name}: nothing changed, it stays as it is: ${result.verdict}`,
    ...result.superseded
      .filter(({ version_id }) => version_id !== old.version_id)
      .map(({ locale, version_id, by }) => `with it ${locale} ${version_id.slice(0, 12)} by ${by.slice(0, 12)}`),
    ...shown.map(({ code, severity, subject, remedy }) => `  ${severity} ${code} ${subject}: ${remedy}`),
    ...(more > 0 ? [`  and ${more} more: quarantine.csv of a run lists them`] : []),
    ...(result.unfinished > 0 ? [`${result.unfinished} other cards are not of these inputs: run the batch`] : []),
    ...(result.changed ? ["a run of the batch writes the cards"] : []),
    "",
  ].join("\n");
}
