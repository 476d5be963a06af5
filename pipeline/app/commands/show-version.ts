/** `assay show <version>`: its state with the history that it is folded from, its verdict and policy, and its lineage. */
import { AssayError } from "../../domain/outcome.ts";
import { type History, readHistories } from "../../ledger/projections.ts";
import { type CardVersion, findingNames, foldVersion, stateAt } from "../../lifecycle/card-version.ts";
import { type CardVersionRow, findCardVersions, getCardVersion } from "../../store/card-versions.ts";
import type { Services } from "../wiring.ts";

/** Versions of a batch by instrument or by the beginning of an id; without a batch, one version of the tenant by id. */
export async function showVersions(
  { database, config, now }: Services,
  what: string,
  batch: string | null,
  options: { json?: boolean },
): Promise<void> {
  const { tenant } = config;
  const shown = await database.inTenant(tenant, async (tx) => {
    const rows = batch === null ? [await getCardVersion(tx, tenant, what)] : await inBatch(batch);
    const [first] = rows;
    if (first === undefined) return [];
    // What stands in whose place is said by either of the two: both are of one card.
    const cards = [...new Set(rows.map((row) => row.instrument))];
    const related = await Promise.all(cards.map((card) => findCardVersions(tx, tenant, first.batch, card)));
    const histories = await readHistories(
      tx,
      tenant,
      related.flat().map(({ version_id }) => version_id),
    );
    const versions = new Map([...histories].map(([id, history]) => [id, foldVersion(history)]));
    return rows.map((row) => shownOf(row, histories.get(row.version_id) ?? [], versions, now()));

    async function inBatch(id: string): Promise<CardVersionRow[]> {
      const all = await findCardVersions(tx, tenant, id);
      return all.filter((version) => version.version_id.startsWith(what) || version.instrument === what);
    }
  });
  if (shown.length === 0) {
    throw new AssayError("VERSION_UNKNOWN", `no version ${what} in ${batch}`, {
      hint: "give an instrument (it lists its versions), a version id, or instrument/figure such as KR:069500/total_return.1y",
    });
  }
  process.stdout.write(options.json ? `${JSON.stringify(shown, null, 2)}\n` : shown.map(describe).join(""));
}

type Shown = ReturnType<typeof shownOf>;

function shownOf(row: CardVersionRow, history: History, versions: Map<string, CardVersion>, now: string) {
  const version = versions.get(row.version_id);
  const judged = version?.judged ?? null;
  const decisions = judged?.decisions ?? [];
  return {
    ...row,
    /** Null where no event tells: recorded by an earlier release. */
    state: version === undefined ? null : stateAt(version, now),
    verdict: judged?.verdict ?? null,
    policy_digest: judged?.policy_digest ?? null,
    fault: judged?.fault ?? null,
    decisions: {
      gates: decisions.length,
      subjects_examined: decisions.reduce((total, one) => total + one.subjects_examined, 0),
      pass: decisions.filter(({ verdict }) => verdict === "PASS").length,
      review: decisions.filter(({ verdict }) => verdict === "REVIEW").length,
      block: decisions.filter(({ verdict }) => verdict === "BLOCK").length,
    },
    findings: version === undefined ? [] : findingNames(version),
    supersedes:
      judged?.supersedes ?? [...versions].find(([, other]) => other.superseded_by === row.version_id)?.[0] ?? null,
    superseded_by: version?.superseded_by ?? null,
    reason: version?.reason ?? null,
    events: history.map(({ seq, type, at, actor }) => ({ seq, type, at, actor })),
  };
}

function describe(shown: Shown): string {
  const { pass, review, block, gates, subjects_examined } = shown.decisions;
  return [
    `${shown.instrument} ${shown.locale} ${shown.version_id}: ${shown.state ?? "no state recorded"}`,
    `  batch ${shown.batch}, channel ${shown.channel}, content ${shown.content_digest}`,
    `  verdict ${shown.verdict ?? "-"} under policy ${shown.policy_digest ?? "-"}`,
    `  ${gates} decisions on ${subjects_examined} subjects: ${pass} pass, ${review} review, ${block} block`,
    ...(shown.fault === null ? [] : [`  fault ${shown.fault.code}: ${shown.fault.detail}`]),
    ...shown.findings.map((finding) => `  finding ${finding}`),
    ...(shown.supersedes === null ? [] : [`  supersedes ${shown.supersedes}`]),
    ...(shown.superseded_by === null ? [] : [`  superseded by ${shown.superseded_by}`]),
    ...(shown.reason === null ? [] : [`  reason: ${shown.reason}`]),
    ...shown.events.map(({ seq, type, at, actor }) => `  ${at} ${type} by ${actor}, event ${seq}`),
    "",
  ].join("\n");
}
