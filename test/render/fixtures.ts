/**
 * Card inputs made by hand, for tests of how a card looks: every fact of the catalogue from a short table of values.
 * Products are invented; the longest names and the widest figures are those that the design asks to be tried.
 */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { addDays, daysBetween } from "../../pipeline/domain/date.ts";
import type { Locale } from "../../pipeline/domain/locale.ts";
import type { Reason } from "../../pipeline/domain/outcome.ts";
import type { DisclosureTexts } from "../../pipeline/render/card-disclosures.ts";
import type { CardInput } from "../../pipeline/render/card-view.ts";
import { CATALOGUE, STATED_EXPENSE_RATIO, THINNING } from "../../pipeline/schema/catalogue.ts";
import type { Chart, ChartLine, Fact } from "../../pipeline/schema/fact.ts";
import { figureId } from "../../pipeline/schema/fact.ts";
import { type Instrument, instrumentSchema } from "../../pipeline/schema/instrument.ts";
import { type Policy, policySchema } from "../../pipeline/schema/policy.ts";
import { TYPE_CONTRACTS } from "../../templates/product-types/index.ts";

export function disclosureTextsOfPolicy(): DisclosureTexts {
  const file = new URL("../../pipeline/gates/policy/disclosures.v1.yaml", import.meta.url);
  const { texts } = parse(readFileSync(file, "utf8")) as { texts: Record<string, { text: Record<Locale, string> }> };
  return Object.fromEntries(Object.entries(texts).map(([id, entry]) => [id, entry.text]));
}

/** A manifest by itself, without its lexicons: what a card must carry and how its figures stand. */
export function policyOf(channel: "internal-review" | "kr-retail" | "us-retail"): Policy {
  const file = new URL(`../../pipeline/gates/policy/${channel}.v1.yaml`, import.meta.url);
  return policySchema.parse(parse(readFileSync(file, "utf8")));
}

export function instrument(overrides: Partial<Record<keyof Instrument, string>> = {}): Instrument {
  return instrumentSchema.parse({
    instrument: "KR:900010",
    market: "KR",
    ticker: "900010",
    isin: "KR7900010000",
    name_ko: "가온 대표200",
    name_en: "GAON REPRESENTATIVE 200 ETF",
    issuer: "가온자산운용",
    currency: "KRW",
    product_type: "EQUITY_INDEX",
    peer_group: "LARGE",
    benchmark: "",
    exposure_multiple: "1",
    fx_hedged: "false",
    ...overrides,
  });
}

/** A catalogue of facts: values by figure id; `!REASON` is unavailable; what is not named has the default reason. */
export function factsOf(
  self: Instrument,
  values: Record<string, string>,
  defaultReason: Reason = "SOURCE_MISSING",
): Fact[] {
  const stated = Object.keys(values)
    .filter((id) => id.startsWith("total_expense_ratio_stated."))
    .map((id) => ({ ...STATED_EXPENSE_RATIO, windows: [id.slice(id.indexOf(".") + 1)] }));
  return [...CATALOGUE, ...stated].flatMap((entry) =>
    entry.windows.map((window): Fact => {
      const given = values[figureId({ fact: entry.fact, window })];
      const isOk = given !== undefined && !given.startsWith("!");
      const isStated = ["total_expense_ratio", "net_assets", "fund_net_assets"].includes(entry.fact);
      return {
        schema: "fact/v1",
        instrument: self.instrument,
        fact: entry.fact,
        window,
        status: isOk ? "OK" : "UNAVAILABLE",
        reason: isOk ? null : given === undefined ? defaultReason : (given.slice(1) as Reason),
        value: isOk ? given : null,
        unit: entry.unit,
        currency: entry.in_currency ? self.currency : null,
        print_rule: entry.print_rule,
        start_session: values[`start_session.${window}`] ?? null,
        end_session: values.end_session ?? null,
        formula: `${entry.fact}/1`,
        epistemic_type: isStated ? "REPORTED" : "DERIVED",
        evidence: [],
        source_id: isStated ? "profile" : null,
        stated_on: isStated ? "2026-08-29" : null,
      };
    }),
  );
}

const CLOCKS = {
  cutoff_on: "2026-08-28",
  known_at: "2026-08-31T00:00:00.000Z",
  metadata_retrieved_on: "2026-08-30",
  end_session: "2026-08-28",
};
const STARTS = {
  "start_session.1m": "2026-07-28",
  "start_session.3m": "2026-05-28",
  "start_session.6m": "2026-02-27",
  "start_session.ytd": "2025-12-30",
  "start_session.1y": "2025-08-28",
  "start_session.3y": "2023-08-28",
  "start_session.5y": "2021-08-27",
};
export const FULL: Record<string, string> = {
  ...CLOCKS,
  ...STARTS,
  "price_return.1y": "0.4102",
  "price_return.3y": "0.9951",
  "total_return.1m": "0.0984",
  "total_return.3m": "0.0412",
  "total_return.6m": "-0.0601",
  "total_return.ytd": "0.1877",
  "total_return.1y": "0.45557",
  "total_return.3y": "1.19774",
  "total_return.5y": "1.6312",
  "total_return_annualised.3y": "0.30018",
  "total_return_annualised.5y": "0.21352",
  last_close: "84515",
  high_52w: "88240",
  high_52w_on: "2026-08-11",
  low_52w: "55105",
  low_52w_on: "2025-09-02",
  position_52w: "0.88759",
  "volatility.1y": "0.15481",
  "volatility.3y": "0.17022",
  "max_drawdown.1y": "-0.07373",
  "max_drawdown_peak_on.1y": "2026-02-19",
  "max_drawdown_trough_on.1y": "2026-04-08",
  "max_drawdown_recovery_on.1y": "2026-05-29",
  "max_drawdown.5y": "-0.31027",
  "max_drawdown_peak_on.5y": "2021-11-22",
  "max_drawdown_trough_on.5y": "2022-12-29",
  "max_drawdown_recovery_on.5y": "!NOT_RECOVERED",
  "benchmark_return.1y": "0.44731",
  "benchmark_return.3y": "1.2081",
  "benchmark_difference.1y": "0.00826",
  "beta.1y": "1.0123",
  "correlation.1y": "0.9912",
  "tracking_error.1y": "0.0121",
  "distribution_yield.ttm": "0.0184",
  "distribution_count.ttm": "4",
  "average_daily_value.20d": "412345678901",
  "premium.last": "-0.0007",
  premium_on: "2026-08-28",
  premium_state: "PROVISIONAL",
  "premium_average.20d": "0.0002",
  "peer_rank.total_return.1y": "1",
  "peer_count.total_return.1y": "4",
  "peer_median.total_return.1m": "0.0912",
  "peer_median.total_return.3m": "0.0391",
  "peer_median.total_return.6m": "-0.0633",
  "peer_median.total_return.ytd": "0.1802",
  "peer_median.total_return.1y": "0.45213",
  "peer_median.total_return.3y": "!PEER_GROUP_TOO_SMALL",
  "peer_median.total_return.5y": "!PEER_GROUP_TOO_SMALL",
  total_expense_ratio: "0.000068",
  total_expense_ratio_on: "2026-08-29",
  net_assets: "7421033442211",
  net_assets_on: "2026-08-29",
  listed_on: "2010-10-18",
  tax_type: "배당소득세(보유기간과세)",
  underlying_index: "가온 대표 200 총수익지수",
  "fx_change.1y": "!NOT_APPLICABLE",
};

/** What a Korean fund of the real kind has: adjusted closes only, a fee conflict, no distributions, no NAV. */
export const THIN: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(FULL).filter(([id]) => !/^(price_|distribution_|premium|average_|net_|tax_)/.test(id)),
  ),
  "price_return.1y": "!BASIS_NOT_AVAILABLE",
  "price_return.3y": "!BASIS_NOT_AVAILABLE",
  last_close: "!BASIS_NOT_AVAILABLE",
  high_52w: "!BASIS_NOT_AVAILABLE",
  high_52w_on: "!BASIS_NOT_AVAILABLE",
  low_52w: "!BASIS_NOT_AVAILABLE",
  low_52w_on: "!BASIS_NOT_AVAILABLE",
  position_52w: "!BASIS_NOT_AVAILABLE",
  "average_daily_value.20d": "!BASIS_NOT_AVAILABLE",
  "distribution_yield.ttm": "!BASIS_NOT_AVAILABLE",
  total_expense_ratio: "!CONFLICT",
  total_expense_ratio_on: "!CONFLICT",
  "total_expense_ratio_stated.registry": "0.0005",
  "total_expense_ratio_stated.profile": "0.000068",
};

/** Widest figures of the design page. */
export const EXTREME: Record<string, string> = {
  ...FULL,
  "total_return.1m": "12.3456",
  "total_return.3m": "12.3456",
  "total_return.6m": "12.3456",
  "total_return.ytd": "12.3456",
  "total_return.1y": "12.3456",
  "total_return.3y": "12.3456",
  "total_return.5y": "12.3456",
  "max_drawdown.1y": "-0.9987",
  "fx_change.1m": "-0.0123",
  "fx_change.3m": "0.0223",
  "fx_change.6m": "0.0123",
  "fx_change.ytd": "0.0123",
  "fx_change.1y": "0.0353",
  "fx_change.3y": "0.0723",
  "fx_change.5y": "0.2123",
  ...Object.fromEntries(
    ["1m", "3m", "6m", "ytd", "1y", "3y", "5y"].map((window) => [`total_return_reporting.${window}`, "-0.9987"]),
  ),
  net_assets: "!SOURCE_MISSING",
  fund_net_assets: "1420000000000",
  fund_net_assets_on: "2026-08-29",
  average_daily_value: "1420000000000",
};

/** A walk without randomness: two sines over a trend, in sessions of every weekday. */
export function chartOf(kinds: ChartLine["kind"][], from = "2021-08-27", to = "2026-08-28", growth = 0.97): Chart {
  const sessions: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 5)) sessions.push(day);
  if (sessions.at(-1) !== to) sessions.push(to);
  const span = daysBetween(from, to);
  const level = (session: string, phase: number, slope: number) => {
    const t = daysBetween(from, session) / span;
    const wave = (at: number) =>
      0.16 * Math.sin(9 * at + phase) + 0.05 * Math.sin(47 * at + phase) + 0.03 * Math.sin(211 * at);
    return 100 * Math.exp(slope * t + wave(t) - wave(0));
  };
  const lines = kinds.map((kind, index): ChartLine => {
    let peak = 0;
    return {
      kind,
      points: sessions.map((session) => {
        const at = level(session, kind === "drawdown" ? 0 : index, kind === "benchmark" ? growth * 0.7 : growth);
        peak = Math.max(peak, at);
        return { session, level: (kind === "drawdown" ? at / peak - 1 : at).toFixed(6) };
      }),
    };
  });
  return { window: "5y", start_session: from, end_session: to, thinning: THINNING, lines };
}

export function cardInput(overrides: Partial<CardInput> & { instrument: Instrument }): CardInput {
  return {
    batch: { id: "fixture-2026-08-28", channel: "internal-review", reporting_currency: "KRW" },
    facts: factsOf(overrides.instrument, FULL),
    chart: chartOf(["total_return", "peer_median", "drawdown"]),
    locale: "ko-KR",
    contract: TYPE_CONTRACTS[overrides.instrument.product_type],
    disclosures: disclosureTextsOfPolicy(),
    policy: policyOf("internal-review"),
    sources: [
      { id: "bars", vendor: "가온 데이터" },
      { id: "registry", vendor: "거래소" },
      { id: "profile", vendor: "가온 포털" },
    ],
    benchmark: null,
    isDemonstration: false,
    isClientDeliveryAllowed: true,
    ...overrides,
  };
}

const comparison = instrument({
  instrument: "KR:900001",
  ticker: "900001",
  name_ko: "가온 시장200",
  name_en: "GAON MARKET 200",
});
const foreign = instrument({
  instrument: "US:ZZQQ",
  market: "US",
  ticker: "ZZQQ",
  isin: "",
  name_ko: "",
  name_en: "Gaon Large Growth 100 ETF",
  issuer: "Gaon Advisors",
  currency: "USD",
});

const LONG_KO = "TIGER 미국30년국채스트립액티브(합성 H)";
const LONG_EN = "State Street SPDR Bloomberg 1-3 Month T-Bill ETF";
const LONGEST_EN = "Invesco Optimum Yield Diversified Commodity Strategy No K-1 ETF";

/** The cards that a person looks at, and that every layout test measures. */
export const SAMPLES: Record<string, () => CardInput> = {
  "index fund": () =>
    cardInput({
      instrument: instrument({ benchmark: "KR:900001" }),
      benchmark: comparison,
      chart: chartOf(["total_return", "benchmark", "drawdown"]),
    }),
  "thin Korean covered call": () => {
    const self = instrument({
      name_ko: LONG_KO,
      name_en: LONGEST_EN,
      product_type: "COVERED_CALL",
      fx_hedged: "true",
      benchmark: "US:ZZQQ",
    });
    return cardInput({
      instrument: self,
      facts: factsOf(self, THIN),
      benchmark: foreign,
      chart: chartOf(["total_return", "benchmark", "drawdown"]),
      isClientDeliveryAllowed: false,
    });
  },
  "leveraged, demonstration": () => {
    const self = instrument({ name_ko: "가온 레버리지2X", product_type: "LEVERAGED", exposure_multiple: "2" });
    return cardInput({
      instrument: self,
      facts: factsOf(self, {
        ...FULL,
        "total_return.1y": "-0.9987",
        "multiple_gap.1y": "-0.1123",
        "multiple_compounded.1y": "-0.9912",
        "multiple_residual.1y": "-0.0075",
      }),
      benchmark: comparison,
      chart: chartOf(["total_return", "benchmark", "drawdown"], "2021-08-27", "2026-08-28", -5),
      isDemonstration: true,
    });
  },
  "US bond in English": () => {
    const self = { ...foreign, name_en: LONG_EN, product_type: "BOND" as const };
    return cardInput({
      instrument: self,
      facts: factsOf(self, {
        ...EXTREME,
        ...Object.fromEntries(
          ["1m", "3m", "6m", "ytd", "1y", "3y", "5y"].map((window) => [`total_return.${window}`, "0.04217"]),
        ),
        "max_drawdown.1y": "-0.0312",
      }),
      locale: "en-US",
      benchmark: foreign,
      chart: chartOf(["total_return", "benchmark", "drawdown"], "2021-08-27", "2026-08-28", 0.2),
    });
  },
  "widest figures": () => {
    const self = { ...foreign, name_en: LONGEST_EN, product_type: "COMMODITY" as const };
    return cardInput({
      instrument: self,
      facts: factsOf(self, EXTREME),
      chart: chartOf(["total_return", "peer_median", "drawdown"], "2021-08-27", "2026-08-28", 2.5),
      benchmark: foreign,
    });
  },
  "widest figures in English": () => ({ ...SAMPLES["widest figures"]!(), locale: "en-US" }),
  "everything unavailable": () => {
    const self = instrument();
    return cardInput({
      instrument: self,
      facts: factsOf(self, { cutoff_on: CLOCKS.cutoff_on, known_at: CLOCKS.known_at }, "STALE"),
      chart: null,
    });
  },
};
