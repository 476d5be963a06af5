/**
 * Both paths over one batch with the steps of a run, without a browser: views and pages of the first, figures of the
 * second, and the verdict of the page gates over the two. Either can be made to work with a fault.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PoolClient } from "pg";
import { openAnalysers } from "../../pipeline/compose/language/open.ts";
import type { Locale } from "../../pipeline/domain/locale.ts";
import type { AssayError } from "../../pipeline/domain/outcome.ts";
import { GATES } from "../../pipeline/gates/index.ts";
import { loadPolicy } from "../../pipeline/gates/policy/load.ts";
import { foldVerdict, runGates } from "../../pipeline/gates/run.ts";
import { openContext, type RunContext } from "../../pipeline/jobs/context.ts";
import { freeze } from "../../pipeline/jobs/freeze.ts";
import { ObservationCache } from "../../pipeline/jobs/observations.ts";
import { nothingComposed } from "../../pipeline/jobs/steps/compose.ts";
import { pageEvidence, readBackPage } from "../../pipeline/jobs/steps/judge-page.ts";
import { peers } from "../../pipeline/jobs/steps/peers.ts";
import { recalculationFor } from "../../pipeline/jobs/steps/recalculate.ts";
import { viewOf } from "../../pipeline/jobs/steps/render.ts";
import { StepBook } from "../../pipeline/jobs/steps/step.ts";
import type { Workshop } from "../../pipeline/jobs/steps/workshop.ts";
import { recalculate } from "../../pipeline/recalculate/recalculate.ts";
import { readSql, type SqlReader } from "../../pipeline/recalculate/sql.ts";
import { cardHtml, cardMarkup } from "../../pipeline/render/html.ts";
import type { Card } from "../../pipeline/schema/card.ts";
import type { Chart, Fact } from "../../pipeline/schema/fact.ts";
import type { Instrument } from "../../pipeline/schema/instrument.ts";
import type { CardComparison, Recalculated, RecalculationRow } from "../../pipeline/schema/recalculated.ts";
import type { Dossier } from "../../pipeline/schema/step-documents.ts";
import type { Finding, Verdict } from "../../pipeline/schema/verdict.ts";
import { openObjects } from "../../pipeline/store/objects.ts";
import { cardCss } from "../../templates/card/v1/css.ts";

export interface FirstPath {
  dossier: Dossier;
  chart: Chart | null;
  card: Card;
}

export interface Judged {
  comparison: CardComparison;
  /** Rows of recalculation.csv that do not match. */
  wrong: RecalculationRow[];
  verdict: Verdict;
  findings: Finding[];
}

export interface TwoPaths {
  context: RunContext;
  instrument(id: string): Instrument;
  /** What the gates say of a product before anything is drawn. */
  dossier(id: string): Promise<Dossier>;
  /** The first path up to the card view; `cutoff` works it with other market dates. */
  first(id: string, locale: Locale, cutoff?: RunContext["terms"]["cutoff"]): Promise<FirstPath>;
  /** The view that altered facts give. */
  viewWith(id: string, locale: Locale, path: FirstPath, alter: (fact: Fact) => Fact): Promise<Card>;
  second(scope: string[], read?: SqlReader): Promise<Map<string, Recalculated>>;
  judge(id: string, locale: Locale, path: FirstPath, html: string, second: Recalculated): Judged;
  close(): void;
}

/** The gates that look at numbers on the page: no page is drawn here, so nothing is measured. */
const NUMBERS = GATES.filter(({ stage, family }) => stage === "page" && family === "numbers");
const analysers = await openAnalysers();

const CODE = { facts: "", peers: "", compose: "", render: "", recalculate: "", verify: "" };

export async function openTwoPaths(client: PoolClient, folder: string, allowRoots: string[] = []): Promise<TwoPaths> {
  const dir = mkdtempSync(join(tmpdir(), "assay-paths-"));
  const objects = openObjects(dir);
  const { digest } = await freeze({
    tenant: "main",
    folder,
    allowRoots,
    locale: null,
    channel: null,
    now: new Date().toISOString(),
    objects,
    onProgress: () => undefined,
  });
  const context = await openContext({ tenant: "main", frozenDigest: digest, objects, code: CODE, loadPolicy });
  const shop = workshop(context);
  const policy = {
    ...context.policy.policy,
    gates: context.policy.policy.gates.filter(({ gate }) => NUMBERS.some(({ id }) => id === gate)),
  };
  const instrument = (id: string): Instrument => {
    const found = context.instruments.get(id);
    if (found === undefined) throw new Error(`no instrument ${id}`);
    return found;
  };
  // No sentences are composed here: the laws of this file are of figures.
  const viewOfDossier = (on: Workshop, id: string, locale: Locale, dossier: Dossier) =>
    viewOf(on, instrument(id), locale, dossier, nothingComposed(id, locale));
  return {
    context,
    instrument,
    dossier: async (id) => shop.book.read<Dossier>(await peers(shop, instrument(id))),
    async first(id, locale, cutoff) {
      const on =
        cutoff === undefined
          ? shop
          : workshop({ ...context, terms: { ...context.terms, cutoff }, inputDigests: new Map() });
      const dossier = await on.book.read<Dossier>(await peers(on, instrument(id)));
      const chart = dossier.chart === null ? null : await on.book.open<Chart>(dossier.chart);
      return { dossier, chart, card: await viewOfDossier(on, id, locale, dossier) };
    },
    viewWith: (id, locale, { dossier }, alter) =>
      viewOfDossier(shop, id, locale, { ...dossier, facts: dossier.facts.map(alter) }),
    async second(scope, read) {
      const input = await recalculationFor(shop, scope.map(instrument));
      const faults: AssayError[] = [];
      const found = await recalculate(client, { ...input, read, onFault: (_id, fault) => faults.push(fault) });
      // SQL that fails is no finding of the comparison.
      if (faults[0] !== undefined) throw faults[0];
      return found;
    },
    judge(id, locale, { dossier, chart, card }, html, second) {
      const on = instrument(id);
      const read = {
        ...readBackPage(context, on, card, html, second),
        layout: null,
        composed: nothingComposed(id, locale),
      };
      const { comparison } = read;
      if (comparison === null) throw new Error("the second path has a result here");
      const evidence = pageEvidence(context, analysers, on, { facts: dossier.facts, chart }, read);
      const run = { ...context.policy, policy, evidence, instrument: id };
      const decisions = runGates({ ...run, stage: "page", gates: NUMBERS });
      return {
        comparison,
        wrong: comparison.rows.filter(({ match }) => !match),
        ...foldVerdict({ ...context.policy, policy }, ["page"], decisions, NUMBERS),
      };
    },
    close: () => rmSync(dir, { recursive: true, force: true }),
  };
}

export function pageOf(card: Card): string {
  return cardHtml(cardMarkup(card, { band: null }), cardCss(), []);
}

/** Steps recorded in memory only; what needs a browser or a session of its own is not asked for. */
function workshop(context: RunContext): Workshop {
  const absent = async () => {
    throw new Error("not in this test");
  };
  const log = { find: async () => new Map(), record: async () => undefined };
  const book = new StepBook({ log, objects: context.objects, replay: false, onStep: () => undefined });
  const composer = { provider: "nobody", model: "nothing", within: absent };
  return {
    context,
    book,
    composer,
    observations: new ObservationCache(),
    browser: absent,
    fonts: absent,
    withSession: absent,
  };
}

export type SqlFault = [file: string, from: string, to: string];

/** The .sql files with these replacements; each must be there exactly once. */
export function faultySql(faults: readonly SqlFault[]): SqlReader {
  return (file) => {
    let text = readSql(file);
    for (const [name, from, to] of faults) if (name === file) text = replaceOnce(text, from, to);
    return text;
  };
}

export function replaceOnce(text: string, from: string, to: string): string {
  const count = text.split(from).length - 1;
  if (count !== 1) throw new Error(`${JSON.stringify(from)} is there ${count} times, not once`);
  return text.replace(from, () => to);
}
