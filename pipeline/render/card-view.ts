/**
 * Facts to card view: chooses tiles, sections and rows by the type's contract and prints every figure once. Pure; the
 * page adds nothing to it but fixed words.
 */

import { multipleBadge, WORDS, windowLabel } from "../../templates/locales/index.ts";
import type { CardWords } from "../../templates/locales/words.ts";
import type { SectionFigure, SectionId, TypeContract } from "../../templates/product-types/contract.ts";
import { digestOf } from "../domain/digest.ts";
import type { Locale } from "../domain/locale.ts";
import type { Batch } from "../schema/batch.ts";
import type { Card, CardSection, ChartView, ShownFigure } from "../schema/card.ts";
import { type CardTerms, figuresTogether } from "../schema/card-terms.ts";
import type { DrawnClaim } from "../schema/composed.ts";
import type { Chart, Fact } from "../schema/fact.ts";
import type { Instrument } from "../schema/instrument.ts";
import type { Policy } from "../schema/policy.ts";
import { type DisclosureTexts, disclosureIds, disclosureTexts, isForeign } from "./card-disclosures.ts";
import { benchmarkEntity, createDesk, type FigureDesk, showFigure } from "./card-figure.ts";
import { periodTable } from "./card-periods.ts";

export const TEMPLATE = "card/v1";
const TILES = 3;
/** Comparison across markets mixes closing hours; these stay in facts.csv (design: facts). */
const SAME_MARKET_ONLY = new Set(["beta.1y", "correlation.1y", "tracking_error.1y"]);

export interface CardInput {
  batch: Pick<Batch, "id" | "channel" | "reporting_currency">;
  instrument: Instrument;
  facts: readonly Fact[];
  chart: Chart | null;
  /** Sentences that the gates let pass, in order; absent: none were composed. */
  claims?: readonly DrawnClaim[];
  locale: Locale;
  contract: TypeContract;
  /** Texts by id; which of them the card must carry, and what must stand together, is the policy's say. */
  disclosures: DisclosureTexts;
  policy: Pick<Policy, "disclosures" | "performance" | "beside">;
  /** Sources that the card's evidence comes from, in batch order. */
  sources: readonly { id: string; vendor: string }[];
  benchmark: Instrument | null;
  isDemonstration: boolean;
  /** Whether every source used may be delivered to clients. */
  isClientDeliveryAllowed: boolean;
}

export function toCardView(input: CardInput): Card {
  const { batch, instrument, locale, contract, benchmark } = input;
  const words = WORDS[locale];
  const desk = createDesk({ facts: input.facts, locale, sources: input.sources, fills: fillsOf(input) });
  const { tiles, missing } = chooseTiles(desk, contract.headlines);
  const ids = disclosureIds({
    contract,
    policy: input.policy.disclosures,
    instrument,
    terms: cardTermsOf(input),
    is_client_delivery_allowed: input.isClientDeliveryAllowed,
  });
  return {
    schema: "card/v1",
    batch: batch.id,
    instrument: instrument.instrument,
    locale,
    channel: batch.channel,
    template: TEMPLATE,
    product_type: instrument.product_type,
    contract_digest: contractDigest(contract, locale, input.disclosures),
    is_demonstration: input.isDemonstration,
    header: headerOf(input, desk),
    clocks: [
      clock(desk, "cutoff_on", words.clocks.price, words.clock_notes.price),
      clock(desk, "metadata_retrieved_on", words.clocks.metadata, words.clock_notes.metadata),
      clock(desk, "known_at", words.clocks.known, words.clock_notes.known),
    ],
    tiles,
    companions: companionsOf(desk, input.policy, [...tiles, ...missing]),
    prominence: input.policy.performance.together.length === 0 ? "dominant" : "equal",
    unavailable_headlines: missing,
    chart: input.chart === null ? null : chartView(input, input.chart, desk),
    chart_words: input.chart === null ? words.chart.absent : null,
    periods: periodTable(desk, instrument, benchmark, batch.reporting_currency),
    sections: sectionsOf(desk, contract, instrument, benchmark),
    claims: claimsOf(input.claims ?? [], desk),
    vendors: distinctVendors(input.sources),
    disclosures: disclosureTexts(ids, input.disclosures, locale),
  };
}

/** What the card is of: the view is made by it, and the gates judge by it. */
export function cardTermsOf(
  input: Pick<CardInput, "batch" | "instrument" | "benchmark" | "locale" | "isDemonstration" | "claims">,
): CardTerms {
  const { batch, instrument, benchmark, locale, isDemonstration } = input;
  return {
    channel: batch.channel,
    locale,
    is_foreign_currency: isForeign(instrument, benchmark, batch.reporting_currency),
    is_compared: benchmark !== null,
    is_demonstration: isDemonstration,
    composed: { count: input.claims?.length ?? 0, model: null, end: null },
  };
}

/** Numbered through, the counter-points last in a place of their own. */
function claimsOf(claims: readonly DrawnClaim[], { words }: FigureDesk): Card["claims"] {
  const other = (one: DrawnClaim) => one.record.role === "counterpoint";
  return [...claims.filter((one) => !other(one)), ...claims.filter(other)].map(({ record, runs }, index) => ({
    id: record.id,
    number: index + 1,
    role: record.role,
    type: record.type,
    runs,
    evidence: [{ kind: "words", text: evidenceWords(record, words) }],
  }));
}

/** Whose statement it is: research says so, and figures say whether they were observed, reported or calculated. */
function evidenceWords({ type, supports }: DrawnClaim["record"], { claims }: CardWords): string {
  return supports.some(({ kind }) => kind === "research") ? claims.research[type] : claims.figures[type];
}

/** What the policy wants together with any performance, and beside the figures that are shown; each once. */
function companionsOf(desk: FigureDesk, policy: CardInput["policy"], shown: readonly ShownFigure[]): ShownFigure[] {
  const since = [desk.fact("listed_on"), desk.fact("inception_on")].find((fact) => fact.status === "OK");
  const cutoff = desk.fact("cutoff_on").value;
  const together = cutoff === null ? [] : figuresTogether(policy.performance, since?.value ?? null, cutoff);
  const wanted = new Set([...shown.map(({ figure }) => figure), ...together]);
  for (const pair of policy.beside) if (wanted.has(pair.figure)) for (const figure of pair.with) wanted.add(figure);
  return [...wanted].slice(shown.length).map((figure) => showFigure(desk, figure));
}

/** The first three headlines that are OK; those passed over on the way are said in words. */
function chooseTiles(desk: FigureDesk, headlines: readonly string[]): { tiles: ShownFigure[]; missing: ShownFigure[] } {
  const tiles: ShownFigure[] = [];
  const missing: ShownFigure[] = [];
  for (const figure of headlines) {
    if (tiles.length === TILES) break;
    const shown = showFigure(desk, figure);
    (shown.printed === null ? missing : tiles).push(shown);
  }
  return { tiles, missing };
}

function headerOf(input: CardInput, desk: FigureDesk): Card["header"] {
  const { instrument, locale } = input;
  const { words } = desk;
  const [first, second] = locale === "ko-KR" ? (["name_ko", "name_en"] as const) : (["name_en", "name_ko"] as const);
  const nameOf = instrument[first] === "" ? second : first;
  const otherOf = nameOf === first ? second : first;
  const badges: Card["header"]["badges"] = [{ text: words.types[instrument.product_type], of: null }];
  if (instrument.exposure_multiple !== "1") {
    badges.push({ text: multipleBadge(instrument.exposure_multiple, locale), of: "exposure_multiple" });
  }
  if (instrument.fx_hedged) badges.push({ text: words.badges.hedged, of: null });
  else if (isForeign(instrument, input.benchmark, input.batch.reporting_currency)) {
    badges.push({ text: words.badges.unhedged, of: null });
  }
  const rank = ["peer_count.total_return.1y", "peer_rank.total_return.1y"].map((figure) => showFigure(desk, figure));
  return {
    ticker: instrument.ticker,
    isin: instrument.isin,
    market: instrument.market,
    market_label: words.markets[instrument.market],
    issuer: instrument.issuer,
    name: instrument[nameOf],
    name_of: nameOf,
    name_other: instrument[otherOf],
    name_other_of: otherOf,
    type_label: words.types[instrument.product_type],
    badges,
    rank: rank.every((shown) => shown.printed !== null) ? rank : [],
  };
}

function clock(desk: FigureDesk, figure: string, label: string, note: string): ShownFigure {
  return { ...showFigure(desk, figure), label, window_label: null, notes: [[{ kind: "words", text: note }]] };
}

function sectionsOf(
  desk: FigureDesk,
  contract: TypeContract,
  instrument: Instrument,
  benchmark: Instrument | null,
): CardSection[] {
  const isSameMarket = benchmark !== null && benchmark.market === instrument.market;
  return contract.sections
    .map((section) => ({
      id: section.id,
      title: desk.words.sections[section.id].title,
      note: sectionNote(desk, section.id),
      figures: section.figures
        .map((figure) => chooseFigure(desk, figure))
        .filter((figure) => isSameMarket || !SAME_MARKET_ONLY.has(figure))
        .map((figure) => showFigure(desk, figure, "section"))
        .filter((shown) => shown.reason !== "NOT_APPLICABLE"),
    }))
    .filter((section) => section.figures.length > 0 && (section.id !== "fx" || hasFx(desk)));
}

function sectionNote(desk: FigureDesk, id: SectionId): string | null {
  const { note } = desk.words.sections[id];
  return note === null ? null : desk.fill(note);
}

function hasFx(desk: FigureDesk): boolean {
  return desk.fact("fx_change.1y").reason !== "NOT_APPLICABLE";
}

function chooseFigure(desk: FigureDesk, figure: SectionFigure): string {
  if (typeof figure === "string") return figure;
  return figure.find((id) => desk.fact(id).status === "OK") ?? figure[0];
}

function chartView(input: CardInput, chart: Chart, desk: FigureDesk): ChartView {
  const { words } = desk;
  const nameOf = input.locale === "ko-KR" && input.instrument.name_ko !== "" ? "name_ko" : "name_en";
  const isCompared = chart.lines.some((line) => line.kind === "benchmark");
  const isConverted = isCompared && input.benchmark !== null && input.benchmark.currency !== input.instrument.currency;
  return {
    window: chart.window,
    window_label: windowLabel(`total_return.${chart.window}`, input.locale) ?? "",
    start_session: chart.start_session,
    end_session: chart.end_session,
    thinning: chart.thinning,
    lines: chart.lines.map((line) => ({
      kind: line.kind,
      label: words.chart[line.kind],
      label_short: line.kind === "drawdown" ? words.chart.drawdown : words.chart[`${line.kind}_short`],
      entity:
        line.kind === "benchmark" && input.benchmark !== null
          ? benchmarkEntity(input.benchmark, input.locale)
          : line.kind === "total_return"
            ? { of: nameOf, text: input.instrument[nameOf] }
            : null,
      points: line.points,
    })),
    comparison_words: isConverted
      ? desk.fill(input.instrument.fx_hedged ? words.chart.not_converted : words.chart.converted)
      : null,
  };
}

function fillsOf({ batch, instrument, locale }: CardInput): Record<string, string> {
  const { currencies, pairs } = WORDS[locale];
  return {
    reporting: currencies[batch.reporting_currency] ?? batch.reporting_currency,
    currency: currencies[instrument.currency] ?? instrument.currency,
    pair: pairs[`${instrument.currency}/${batch.reporting_currency}`] ?? "",
  };
}

function distinctVendors(sources: CardInput["sources"]): Card["vendors"] {
  const seen = new Map<string, string>();
  for (const { id, vendor } of sources) if (!seen.has(vendor)) seen.set(vendor, `vendor.${id}`);
  return [...seen].map(([text, of]) => ({ of, text }));
}

const digests = new WeakMap<DisclosureTexts, Map<string, string>>();

/** The same for every card of a type and locale in a run: remembered per policy text. */
function contractDigest(contract: TypeContract, locale: Locale, disclosures: DisclosureTexts): string {
  const known = digests.get(disclosures) ?? new Map<string, string>();
  digests.set(disclosures, known);
  const key = `${contract.product_type}/${locale}`;
  const found = known.get(key) ?? digestOf("card_contract", { contract, locale, words: WORDS[locale], disclosures });
  known.set(key, found);
  return found;
}
