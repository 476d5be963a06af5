/**
 * Writes what a batch came to: cards, quarantine, CSV tables, manifest, reports. Everything comes from recorded
 * documents, in universe order, so the same results give the same bytes.
 */
import { GATES } from "../../gates/index.ts";
import { CATALOGUE } from "../../schema/catalogue.ts";
import type { Composed, ComposeRun } from "../../schema/composed.ts";
import type { Fact } from "../../schema/fact.ts";
import { type Instrument, toFolderName } from "../../schema/instrument.ts";
import type { CoverageCounts, RecalculationRow } from "../../schema/recalculated.ts";
import type { CardLine, Report } from "../../schema/report.ts";
import type { Dossier, Verified } from "../../schema/step-documents.ts";
import type { Finding, GateDecision } from "../../schema/verdict.ts";
import type { Outcome } from "../run-batch.ts";
import { peers } from "../steps/peers.ts";
import type { Workshop } from "../steps/workshop.ts";
import { addClaims, addRun, type Composing, emptyComposing } from "./composing.ts";
import { addCoverage, emptyCoverage } from "./coverage.ts";
import type { Manifest, OutputFolder } from "./folder.ts";
import { reportHtml } from "./report-html.tsx";
import { claimsCsv, factsCsv, gatesCsv, quarantineCsv, recalculationCsv } from "./tables.ts";

export interface WriteOptions {
  timings: { collect: number; total: () => number };
  versions: Record<string, string>;
  onCard: () => void;
}

interface Gathered {
  facts: Fact[];
  rows: RecalculationRow[];
  /** Of the default locale. */
  composed: Composed[];
  composing: Composing;
  /** Sentence checks before drawing on claims that were then held back: no page shows them. */
  held: { checked: number; review: number; blocked: number };
  findings: (Finding & { instrument: string })[];
  lines: CardLine[];
  decisions: GateDecision[];
  coverage: CoverageCounts;
  cards: { html: number; png: number };
  verdicts: { pass: number; review: number; block: number };
  quarantined: number;
}

export async function writeOutput(
  shop: Workshop,
  outcomes: readonly Outcome[],
  folder: OutputFolder,
  options: WriteOptions,
): Promise<{ report: Report; manifest: Manifest }> {
  await folder.begin();
  const gathered: Gathered = {
    facts: [],
    rows: [],
    composed: [],
    composing: emptyComposing(shop.composer),
    held: { checked: 0, review: 0, blocked: 0 },
    findings: [],
    lines: [],
    decisions: [],
    coverage: emptyCoverage(),
    cards: { html: 0, png: 0 },
    verdicts: { pass: 0, review: 0, block: 0 },
    quarantined: 0,
  };
  for (const outcome of outcomes) {
    await writeInstrument(shop, outcome, folder, gathered);
    options.onCard();
  }
  // A row of the universe that could not be taken has no card; its reason is in the quarantine list.
  for (const fault of shop.context.frozen.faults) {
    const { instrument, code, detail, hint, source_id } = fault;
    if (source_id !== "universe" || (instrument !== null && shop.context.instruments.has(instrument))) continue;
    const finding = { gate: "universe", code, severity: "BLOCK" as const, subject: source_id, detail, remedy: hint };
    gathered.findings.push({ ...finding, instrument: instrument ?? "" });
    gathered.verdicts.block += 1;
    gathered.quarantined += shop.context.frozen.batch.locales.length;
    gathered.lines.push({
      instrument: instrument ?? "(unnamed row)",
      name: instrument ?? "(unnamed row)",
      product_type: "",
      verdict: "BLOCK",
      cards: [],
      findings: 1,
      disagreements: 0,
    });
  }
  const [defaultLocale] = shop.context.frozen.batch.locales;
  await folder.write("facts.csv", factsCsv(gathered.facts, defaultLocale ?? "ko-KR"));
  await folder.write("recalculation.csv", recalculationCsv(gathered.rows));
  await folder.write("claims.csv", claimsCsv(gathered.composed));
  await folder.write("quarantine.csv", quarantineCsv(gathered.findings));
  await folder.write("gates.csv", gatesCsv(gathered.decisions));
  const report = reportOf(shop, gathered, options);
  await folder.writeReport("report.json", `${JSON.stringify(report, null, 2)}\n`);
  await folder.writeReport("report.html", reportHtml(report));
  return { report, manifest: await folder.finish() };
}

async function writeInstrument(
  shop: Workshop,
  { instrument, verified, fault }: Outcome,
  folder: OutputFolder,
  gathered: Gathered,
): Promise<void> {
  const { book, context } = shop;
  const line: CardLine = {
    instrument: instrument.instrument,
    name: instrument.name_ko || instrument.name_en,
    product_type: instrument.product_type,
    verdict: "BLOCK",
    cards: [],
    findings: 0,
    disagreements: 0,
  };
  gathered.lines.push(line);
  if (verified === null) {
    // The instrument's own fault: it is quarantined with its reason and the batch goes on.
    const finding: Finding = {
      gate: "run",
      code: "GATE_FAULT",
      severity: "BLOCK",
      subject: instrument.instrument,
      detail:
        fault === null
          ? "no verdict was reached"
          : `${(fault as { code?: string }).code ?? fault.name}: ${fault.message}`,
      remedy: "run the batch again; if it stays, look at the detail",
    };
    gathered.findings.push({ ...finding, instrument: instrument.instrument });
    gathered.facts.push(...(await factsWithoutVerdict(shop, instrument)));
    gathered.verdicts.block += 1;
    gathered.quarantined += context.frozen.batch.locales.length;
    line.findings = 1;
    return;
  }
  const document = await book.read<Verified>(verified);
  const dossier = await book.read<Dossier>({ key: "", output: document.dossier });
  gathered.facts.push(...dossier.facts);
  const findings = document.decisions.flatMap((decision) => decision.findings);
  for (const finding of findings) gathered.findings.push({ ...finding, instrument: instrument.instrument });
  gathered.decisions.push(...document.decisions);
  gathered.verdicts[document.verdict.toLowerCase() as "pass" | "review" | "block"] += 1;
  line.verdict = document.verdict;
  line.findings = findings.length;

  const isBlocked = document.verdict === "BLOCK";
  const top = isBlocked ? "quarantine" : "cards";
  if (isBlocked) gathered.quarantined += document.locales.length;
  for (const version of document.locales) {
    const composed = await book.open<Composed>(version.composed);
    if (version.locale === context.frozen.batch.locales[0]) {
      gathered.composed.push(composed);
      line.disagreements = composed.disagreements.length;
    }
    addHeld(gathered.held, composed);
    addClaims(gathered.composing, composed, version.comparison?.rows ?? null);
    if (composed.run !== null && composed.provider !== "builtin") {
      addRun(gathered.composing, await book.open<ComposeRun>(composed.run));
    }
    if (version.comparison !== null) {
      const { rows } = version.comparison;
      gathered.rows.push(...rows.map((row) => ({ ...row, where: `${version.locale}/${row.where}` })));
      addCoverage(gathered.coverage, version.comparison.counts);
    }
    if (version.html === null || version.png === null || version.card === null) continue;
    const path = `${top}/${toFolderName(instrument.instrument)}/${version.locale}`;
    const [html, png, card] = await Promise.all(
      [version.html, version.png, version.card].map((digest) => context.objects.get(digest)),
    );
    await folder.write(`${path}/card.html`, html as Buffer);
    await folder.write(`${path}/card.png`, png as Buffer);
    await folder.write(`${path}/card.json`, card as Buffer);
    if (!isBlocked) {
      gathered.cards.html += 1;
      gathered.cards.png += 1;
    }
    line.cards.push({ locale: version.locale, folder: path, content_digest: version.content_digest });
  }
}

/** As far as they were computed; else each row says that there is none, for no row may be left out. */
async function factsWithoutVerdict(shop: Workshop, instrument: Instrument): Promise<Fact[]> {
  const dossier = await peers(shop, instrument).then(
    (recorded) => shop.book.read<Dossier>(recorded),
    () => null,
  );
  if (dossier !== null) return dossier.facts;
  return CATALOGUE.flatMap(({ fact, windows, unit, print_rule, in_currency }) =>
    windows.map(
      (window): Fact => ({
        schema: "fact/v1",
        instrument: instrument.instrument,
        fact,
        window,
        status: "UNAVAILABLE",
        reason: "NO_DATA",
        value: null,
        unit,
        currency: in_currency ? instrument.currency : null,
        print_rule,
        start_session: null,
        end_session: null,
        formula: "",
        epistemic_type: "DERIVED",
        evidence: [],
        source_id: null,
        stated_on: null,
      }),
    ),
  );
}

function reportOf(shop: Workshop, gathered: Gathered, options: WriteOptions): Report {
  const { book, context } = shop;
  const { batch } = context.frozen;
  const ms = book.timings;
  return {
    schema: "report/v1",
    batch: batch.id,
    title: batch.title,
    as_of: batch.as_of,
    cutoff: batch.cutoff,
    channel: batch.channel,
    locales: batch.locales,
    instruments: gathered.lines.length,
    cards: gathered.cards,
    facts: {
      ok: gathered.facts.filter((fact) => fact.status === "OK").length,
      unavailable: gathered.facts.filter((fact) => fact.status !== "OK").length,
    },
    ...gathered.coverage,
    sentences: sentenceCounts(gathered.decisions, gathered.held),
    composing: gathered.composing,
    verdicts: gathered.verdicts,
    quarantined: gathered.quarantined,
    gates: gateCounts(gathered.decisions),
    quarantine: gathered.findings,
    unavailable: reasonCounts(gathered.facts),
    faults: context.frozen.faults,
    lines: gathered.lines,
    timings_ms: {
      collect: Math.round(options.timings.collect),
      facts: Math.round(ms.facts ?? 0),
      compose: Math.round(ms.compose ?? 0),
      gates: Math.round(ms.gates ?? 0),
      render: Math.round(ms.render ?? 0),
      recalculate: Math.round(ms.recalculate ?? 0),
      total: Math.round(options.timings.total()),
    },
    cache: book.counts,
    versions: options.versions,
  };
}

/** A sentence under a gate is one check; it passed when the gate found nothing in it. */
function sentenceCounts(decisions: readonly GateDecision[], held: Gathered["held"]): Report["sentences"] {
  const isOfSentences = new Set(GATES.filter(({ stage }) => stage === "sentences").map(({ id }) => id));
  const counts = { checked: 0, passed: 0, review: 0, blocked: 0 };
  for (const { gate, subjects_examined, findings } of decisions) {
    if (!isOfSentences.has(gate)) continue;
    const found = new Map(findings.map(({ subject }) => [subject, "REVIEW"]));
    for (const { subject, severity } of findings) if (severity === "BLOCK") found.set(subject, severity);
    const blocked = [...found.values()].filter((severity) => severity === "BLOCK").length;
    counts.checked += subjects_examined;
    counts.blocked += blocked;
    counts.review += found.size - blocked;
    counts.passed += subjects_examined - found.size;
  }
  // Claims on the page were checked there; those held back were checked before, once under each gate.
  counts.checked += held.checked;
  counts.review += held.review;
  counts.blocked += held.blocked;
  counts.passed += held.checked - held.review - held.blocked;
  return counts;
}

function addHeld(total: Gathered["held"], { claims, held, checks }: Composed): void {
  if (held.length === 0) return;
  total.checked += (checks / (claims.length + held.length)) * held.length;
  for (const { findings } of held) {
    const gates = new Map(findings.map(({ gate }) => [gate, "REVIEW"]));
    for (const { gate, severity } of findings) if (severity === "BLOCK") gates.set(gate, severity);
    for (const severity of gates.values()) total[severity === "BLOCK" ? "blocked" : "review"] += 1;
  }
}

function gateCounts(decisions: readonly GateDecision[]): Report["gates"] {
  const counts = new Map<string, Report["gates"][number]>();
  for (const { gate, verdict, subjects_examined } of decisions) {
    const count = counts.get(gate) ?? { gate, examined: 0, pass: 0, review: 0, block: 0 };
    count.examined += subjects_examined;
    count[verdict.toLowerCase() as "pass" | "review" | "block"] += 1;
    counts.set(gate, count);
  }
  return [...counts.values()];
}

function reasonCounts(facts: readonly Fact[]): Report["unavailable"] {
  const counts = new Map<string, number>();
  for (const { reason } of facts) if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
}
