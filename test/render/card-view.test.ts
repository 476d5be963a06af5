/** Laws of the card view: which figures become tiles, how absence is said, what is never shown. */
import { describe, expect, it } from "vitest";
import { disclosureIds } from "../../pipeline/render/card-disclosures.ts";
import { type CardInput, cardTermsOf, toCardView } from "../../pipeline/render/card-view.ts";
import { cardSchema } from "../../pipeline/schema/card.ts";
import { TYPE_CONTRACTS } from "../../templates/product-types/index.ts";
import { cardInput, FULL, factsOf, instrument, policyOf, SAMPLES, THIN } from "./fixtures.ts";

const self = instrument();
const view = (values: Record<string, string>, more = {}) =>
  toCardView(cardInput({ instrument: self, facts: factsOf(self, values), ...more }));

describe("tiles", () => {
  it.each([
    ["all headlines are OK", FULL, ["total_return.1y", "max_drawdown.1y", "total_expense_ratio"], []],
    ["the fee is in conflict", THIN, ["total_return.1y", "max_drawdown.1y", "volatility.1y"], ["total_expense_ratio"]],
    [
      "the product is young",
      Object.fromEntries(Object.entries(FULL).filter(([id]) => !/\.(1y|3y|5y)$/.test(id))),
      ["total_expense_ratio", "total_return.ytd", "total_return.6m"],
      ["total_return.1y", "max_drawdown.1y", "volatility.1y"],
    ],
  ])("are the first three headlines that are OK when %s; those passed over are said", (_, values, tiles, missing) => {
    const card = view(values);
    expect(card.tiles.map((tile) => tile.figure)).toEqual(tiles);
    expect(card.unavailable_headlines.map((shown) => shown.figure)).toEqual(missing);
  });

  it("are fewer than three, never padded, when nothing is OK", () => {
    const card = toCardView(SAMPLES["everything unavailable"]!());
    expect(card.tiles).toEqual([]);
    expect(card.unavailable_headlines.map((shown) => shown.figure)).toEqual([...TYPE_CONTRACTS.EQUITY_INDEX.headlines]);
  });

  it("say their sessions and basis", () => {
    const runs = view(FULL).tiles[0]!.notes.flat();
    expect(runs.flatMap((run) => (run.kind === "figure" ? [[run.figure, run.printed]] : []))).toEqual([
      ["start_session.1y", "2025-08-28"],
      ["end_session", "2026-08-28"],
    ]);
  });

  it("say no session that is not the figure's own", () => {
    const facts = factsOf(self, FULL).map((fact) =>
      fact.fact === "total_return" ? { ...fact, start_session: "2025-08-27" } : fact,
    );
    const runs = toCardView(cardInput({ instrument: self, facts })).tiles[0]!.notes.flat();
    expect(runs.filter((run) => run.kind === "figure")).toEqual([]);
  });
});

describe("absence", () => {
  it.each(Object.keys(SAMPLES))("is words and never a number: %s", (name) => {
    const card = toCardView(SAMPLES[name]!());
    const all = [
      ...card.clocks,
      ...card.tiles,
      ...card.unavailable_headlines,
      ...card.sections.flatMap((section) => section.figures),
      ...card.periods.rows.flatMap((row) => row.cells.flatMap((cell) => (cell === null ? [] : [cell.shown]))),
    ];
    for (const shown of all) {
      expect([shown.figure, shown.printed === null]).toEqual([shown.figure, shown.reason !== null]);
      if (shown.printed === null) expect(shown.words).toMatch(/^\D+$/);
    }
  });

  it("shows what each source states when fees conflict, with its vendor", () => {
    const structure = view(THIN).sections.find((section) => section.id === "structure")!;
    const fee = structure.figures.find((shown) => shown.figure === "total_expense_ratio")!;
    expect(fee.printed).toBeNull();
    expect(fee.notes.map((line) => line.map((run) => ("printed" in run ? run.printed : run.text)).join(""))).toEqual([
      "거래소 0.05%",
      "가온 포털 0.0068%",
    ]);
  });

  it("is a fault when a fact has no row at all", () => {
    const facts = factsOf(self, FULL).filter((fact) => fact.fact !== "volatility");
    expect(() => toCardView(cardInput({ instrument: self, facts }))).toThrow(/volatility/);
  });
});

describe("comparison", () => {
  const kr = instrument({ instrument: "KR:900001", ticker: "900001" });
  const us = instrument({ instrument: "US:ZZQQ", market: "US", ticker: "ZZQQ", isin: "", currency: "USD" });
  const figures = (benchmark: typeof kr) =>
    toCardView(cardInput({ instrument: self, benchmark })).sections.flatMap((section) =>
      section.figures.map((shown) => shown.figure),
    );

  it.each(["beta.1y", "correlation.1y", "tracking_error.1y"])("%s is shown within a market and never across", (id) => {
    expect(figures(kr)).toContain(id);
    expect(figures(us)).not.toContain(id);
  });

  it("has no row, no disclosure and no difference without a comparison ETF", () => {
    const card = view(FULL);
    expect(card.periods.rows.map((row) => row.id)).toEqual(["total_return", "peer_median.total_return"]);
    expect(card.disclosures.map((one) => one.id)).not.toContain("comparison_etf");
  });

  it("puts the exchange rate and the reader's currency beside a foreign product only", () => {
    const card = toCardView(SAMPLES["widest figures"]!());
    expect(card.periods.rows.map((row) => row.id)).toEqual([
      "total_return",
      "benchmark_return",
      "fx_change",
      "total_return_reporting",
      "peer_median.total_return",
    ]);
  });

  it("annualises nothing shorter than three years", () => {
    const [own] = view(FULL).periods.rows;
    expect(own!.cells.map((cell) => cell?.annualised?.figure ?? null)).toEqual([
      null,
      null,
      null,
      null,
      null,
      "total_return_annualised.3y",
      "total_return_annualised.5y",
    ]);
  });
});

describe("disclosures", () => {
  const idsOf = (
    row: Parameters<typeof instrument>[0],
    terms: Partial<CardInput>,
    channel?: "kr-retail" | "us-retail",
  ) => {
    const input = cardInput({ instrument: instrument({ product_type: "BOND", ...row }), ...terms });
    return disclosureIds({
      contract: input.contract,
      policy: policyOf(channel ?? "internal-review").disclosures,
      instrument: input.instrument,
      terms: cardTermsOf(input),
      is_client_delivery_allowed: input.isClientDeliveryAllowed,
    });
  };
  it.each([
    ["a hedged fund", { fx_hedged: "true" }, {}, "currency_hedged", "currency_unhedged"],
    [
      "a dollar fund",
      { instrument: "US:ZZQQ", market: "US", currency: "USD" },
      {},
      "currency_unhedged",
      "currency_hedged",
    ],
    ["a domestic fund", {}, {}, "bond_rate", "currency_unhedged"],
    ["a synthetic fund", { name_ko: "가온 국고채(합성)" }, {}, "synthetic_replication", "inverse"],
    ["invented data", {}, { isDemonstration: true }, "demonstration_data", "source_rights"],
    ["sources without rights", {}, { isClientDeliveryAllowed: false }, "source_rights", "demonstration_data"],
    ["a multiple", { exposure_multiple: "2" }, {}, "leverage_daily_reset", "inverse"],
    ["an inverse", { exposure_multiple: "-1" }, {}, "inverse", "comparison_etf"],
  ])("%s: the one that applies, not its opposite", (_, row, terms, present, absent) => {
    const ids = idsOf(row, terms);
    expect(ids).toContain(present);
    expect(ids).not.toContain(absent);
  });

  it("of the channel's policy are added to those of the type's contract", () => {
    expect(idsOf({}, {})).not.toContain("net_of_fees");
    for (const id of ["bond_rate", "net_of_fees", "duty_to_explain"]) expect(idsOf({}, {}, "kr-retail")).toContain(id);
    for (const id of ["performance_quoted", "prospectus_offer"]) expect(idsOf({}, {}, "us-retail")).toContain(id);
  });

  it("is a fault when the policy has no such text", () => {
    expect(() => toCardView(cardInput({ instrument: self, disclosures: {} }))).toThrow(/disclosure/);
  });
});

describe("the document", () => {
  it.each(Object.keys(SAMPLES))("is a strict card/v1: %s", (name) => {
    expect(() => cardSchema.parse(toCardView(SAMPLES[name]!()))).not.toThrow();
  });

  it("changes its contract digest when a policy text changes", () => {
    const input = cardInput({ instrument: self });
    const changed = { ...input.disclosures, fees: { "ko-KR": "다른 문구", "en-US": "other" } };
    expect(toCardView({ ...input, disclosures: changed }).contract_digest).not.toBe(toCardView(input).contract_digest);
  });

  it("names three clocks, each another date", () => {
    const clocks = view(FULL).clocks;
    expect(clocks.map((clock) => [clock.figure, clock.printed])).toEqual([
      ["cutoff_on", "2026-08-28"],
      ["metadata_retrieved_on", "2026-08-30"],
      ["known_at", "2026-08-31 09:00 KST"],
    ]);
    expect(new Set(clocks.map((clock) => clock.label)).size).toBe(3);
  });
});
