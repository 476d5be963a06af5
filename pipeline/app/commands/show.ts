/**
 * `assay show`: the lineage of one figure: value, formula, sessions, evidence with its clocks and rights, the payload's
 * rows at both ends of the window, and what the second path found. With --sql, the script to repeat it by hand.
 */
import { join } from "node:path";
import { AssayError } from "../../domain/outcome.ts";
import { print } from "../../domain/print.ts";
import { plan } from "../../jobs/plan.ts";
import { receivedBatches } from "../../jobs/record-frozen.ts";
import { recalculationFor } from "../../jobs/steps/recalculate.ts";
import type { Workshop } from "../../jobs/steps/workshop.ts";
import { openWorkshop } from "../../jobs/workshop-for.ts";
import { psqlScript } from "../../recalculate/show.ts";
import { type Fact, figureId } from "../../schema/fact.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { Recalculated } from "../../schema/recalculated.ts";
import type { Dossier, Verified } from "../../schema/step-documents.ts";
import { isVersionPrefix } from "../../store/card-versions.ts";
import type { Config } from "../config.ts";
import { type Services, withServices } from "../wiring.ts";
import { batchIdOf } from "./run.ts";
import { showComposed } from "./show-composed.ts";
import { showVersions } from "./show-version.ts";

const INSTRUMENT = /^[A-Z]{2}:[^/]+$/;

export interface ShowOptions {
  batch?: string;
  sql?: boolean;
  json?: boolean;
}

export async function show(config: Config, what: string, options: ShowOptions): Promise<void> {
  const [, name, figure] = /^([A-Z]{2}:[^/]+)\/(.+)$/.exec(what) ?? [];
  await withServices(config, {}, async (services) => {
    const id = options.batch === undefined ? undefined : await batchIdOf(config, services, options.batch);
    // An id of a version names its batch itself.
    if (id === undefined && isVersionPrefix(what)) return showVersions(services, what, null, options);
    const batch = await batchOf(services, id);
    if (name === undefined || figure === undefined) {
      await showVersions(services, what, batch.id, options);
      if (INSTRUMENT.test(what) && !options.json) await showComposed(services, batch.frozen, what);
      return;
    }
    const shop = await openWorkshop(services, { frozenDigest: batch.frozen, replay: false, onStep: () => undefined });
    const instrument = shop.context.instruments.get(name);
    if (instrument === undefined) {
      throw new AssayError("INSTRUMENT_UNKNOWN", `${name} is not in ${batch.id}`, {
        hint: `looked in ${batch.id}; name another batch with --batch`,
      });
    }
    if (options.sql) {
      const input = await recalculationFor(shop, [instrument]);
      process.stdout.write(
        await psqlScript({ ...input, figure, instrument: name, pathOf: (sha) => objectPath(config, sha) }),
      );
      return;
    }
    const lineage = await lineageOf(shop, instrument, figure);
    process.stdout.write(options.json ? `${JSON.stringify(lineage, null, 2)}\n` : describe(lineage));
  });
}

interface Lineage {
  figure: string;
  instrument: string;
  fact: Fact;
  printed: string | null;
  recalculated: { value: string | null; printed: string | null; reason: string | null; formula: string } | null;
  evidence: {
    evidence_id: string;
    source_id: string;
    vendor: string;
    locator: string;
    payload_sha256: string;
    retrieved_at: string;
    published_at: string | null;
    first_usable_at: string;
    rights: string;
    rows: { row: number; date: string; values: string }[];
  }[];
  page: { locale: string; where: string; printed: string; match: boolean }[];
}

async function lineageOf(shop: Workshop, instrument: Instrument, figure: string): Promise<Lineage> {
  const [line] = (await plan(shop, [instrument])).lines;
  if (line?.peers == null) {
    throw new AssayError("NOT_RECORDED", `nothing is recorded of ${instrument.instrument} yet`, {
      hint: "run the batch first",
    });
  }
  const dossier = await shop.book.read<Dossier>(line.peers);
  const fact = dossier.facts.find((one) => figureId(one) === figure);
  if (fact === undefined) {
    const near = dossier.facts.map(figureId).filter((id) => id.startsWith(figure.split(".")[0] as string));
    throw new AssayError("FIGURE_UNKNOWN", `${instrument.instrument} has no figure ${figure}`, {
      hint:
        near.length > 0
          ? `such as: ${near.slice(0, 9).join(", ")}`
          : "facts.csv lists all figures: fact and window joined by a dot",
    });
  }
  const [locale = "ko-KR"] = shop.context.frozen.batch.locales;
  const second = line.recalculate === null ? null : await shop.book.read<Recalculated>(line.recalculate);
  const other = second?.figures.find((one) => one.figure === figure);
  const verified = line.verify === null ? null : await shop.book.read<Verified>(line.verify);
  return {
    figure,
    instrument: instrument.instrument,
    fact,
    printed: fact.value === null ? null : print(fact.print_rule, fact.value, locale, fact.currency),
    recalculated:
      other === undefined
        ? null
        : {
            value: other.value,
            printed: other.printed?.[locale] ?? null,
            reason: other.reason,
            formula: other.formula,
          },
    evidence: await evidenceOf(shop, fact),
    page: (verified?.locales ?? []).flatMap(({ locale: on, comparison }) =>
      (comparison?.rows ?? [])
        .filter((row) => row.figure === figure)
        .map(({ where, printed, match }) => ({ locale: on, where, printed, match })),
    ),
  };
}

async function evidenceOf(shop: Workshop, fact: Fact): Promise<Lineage["evidence"]> {
  const { context, observations } = shop;
  const wanted = new Set([fact.start_session, fact.end_session, fact.value].filter((date) => date !== null));
  return Promise.all(
    fact.evidence.map(async (evidence_id) => {
      const item = context.eligible.find((one) => one.evidence_id === evidence_id);
      if (item === undefined)
        throw new AssayError("EVIDENCE_MISSING", `no evidence ${evidence_id} in the frozen batch`);
      const { version } = item;
      const series = await observations.observe(context, item);
      const rows = series.flatMap((one) => {
        if ("instrument" in one && version.instrument === null && one.instrument !== fact.instrument) return [];
        if (one.kind === "metadata") {
          return one.fields
            .filter(({ field }) => fact.fact.startsWith(field))
            .map(({ row, stated, field }) => ({
              row,
              date: one.retrieved_at.slice(0, 10),
              values: `${field}: ${stated}`,
            }));
        }
        return one.rows
          .map((row) => ({ row, date: "session" in row ? row.session : "ex_date" in row ? row.ex_date : row.date }))
          .filter(({ date }) => wanted.has(date))
          .map(({ row, date }) => ({ row: row.row, date, values: JSON.stringify(row) }));
      });
      return {
        evidence_id,
        source_id: version.source_id,
        vendor: version.vendor,
        locator: version.source_locator,
        payload_sha256: version.payload_sha256,
        retrieved_at: version.retrieved_at,
        published_at: version.published_at,
        first_usable_at: version.first_usable_at,
        rights: `internal ${version.rights_state.internal}, client delivery ${version.rights_state.client_delivery}`,
        rows,
      };
    }),
  );
}

function describe(lineage: Lineage): string {
  const { fact, recalculated } = lineage;
  const lines = [
    `${lineage.instrument} ${lineage.figure}: ${lineage.printed ?? `unavailable (${fact.reason})`}`,
    `  value        ${fact.value ?? "-"}`,
    `  formula      ${fact.formula} (${fact.epistemic_type}), printed by rule ${fact.print_rule}`,
    `  sessions     ${fact.start_session ?? "-"} to ${fact.end_session ?? "-"}`,
    recalculated === null
      ? "  second path  not recorded"
      : `  second path  ${recalculated.printed ?? recalculated.reason}   ${recalculated.value ?? ""} (recalculate/formulas/${recalculated.formula}.sql)`,
    ...lineage.page.map(
      ({ locale, where, printed, match }) =>
        `  on the card  ${locale} ${where}: ${printed} ${match ? "matches" : "DOES NOT MATCH"}`,
    ),
    "  evidence",
    ...lineage.evidence.flatMap((item) => [
      `    ${item.source_id} (${item.vendor}) ${item.locator}`,
      `      sha256 ${item.payload_sha256}; retrieved ${item.retrieved_at}; first usable ${item.first_usable_at}; ${item.rights}`,
      ...item.rows.map(({ row, date, values }) => `      row ${row}, ${date}: ${values}`),
    ]),
    "  repeat it by hand: the same command with --sql prints a psql script",
    "",
  ];
  return lines.join("\n");
}

export async function batchOf(services: Services, id: string | undefined): Promise<{ id: string; frozen: string }> {
  const { database, config } = services;
  const received = await database.inTenant(config.tenant, (tx) => receivedBatches(tx, config.tenant));
  const chosen = id ?? [...received.keys()].at(-1);
  const found = chosen === undefined ? undefined : received.get(chosen);
  if (chosen === undefined || found === undefined) {
    throw new AssayError(
      "BATCH_UNKNOWN",
      id === undefined ? "no batch was received yet" : `no batch ${id} was received`,
      {
        hint: "`assay run <batch>` first; `assay status` lists the batches",
      },
    );
  }
  return { id: chosen, frozen: found.body.frozen };
}

function objectPath(config: Config, sha: string): string {
  return join(config.dataDir, "objects", sha.slice(0, 2), sha.slice(2));
}
