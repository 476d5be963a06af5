/**
 * The period table: the product in its own currency, then in the reader's with the exchange rate apart, the comparison
 * ETF and the peers. Long windows are cumulative with the annualised figure beneath; nothing short is annualised.
 */

import { windowLabel } from "../../templates/locales/index.ts";
import type { Card, PeriodCell } from "../schema/card.ts";
import { CATALOGUE } from "../schema/catalogue.ts";
import type { Instrument } from "../schema/instrument.ts";
import { benchmarkEntity, type FigureDesk, showFigure } from "./card-figure.ts";

const COLUMNS = ["1m", "3m", "6m", "ytd", "1y", "3y", "5y"] as const;
const DEFINED = new Map(CATALOGUE.map((entry) => [entry.fact, entry.windows]));

type Periods = Card["periods"];

export function periodTable(
  desk: FigureDesk,
  instrument: Instrument,
  benchmark: Instrument | null,
  reportingCurrency: string,
): Periods {
  const { periods } = desk.words;
  const isForeign = instrument.currency !== reportingCurrency;
  const rows: Periods["rows"] = [row(desk, "total_return", periods.own)];
  if (benchmark !== null) {
    const entity = benchmarkEntity(benchmark, desk.locale);
    rows.push({ ...row(desk, "benchmark_return", isForeign ? periods.benchmark_in : periods.benchmark), entity });
  }
  if (isForeign) {
    rows.push(row(desk, "fx_change", desk.fill("{pair}") || periods.fx));
    rows.push(row(desk, "total_return_reporting", periods.own_reporting));
  }
  rows.push(row(desk, "peer_median.total_return", periods.peers));
  return {
    windows: COLUMNS.map((window) => {
      const of = `total_return.${window}`;
      return { window, label: windowLabel(of, desk.locale) ?? window, of };
    }),
    rows,
    notes: benchmark === null ? [periods.note_peers] : [periods.note_benchmark, periods.note_peers],
  };
}

function row(desk: FigureDesk, fact: string, label: string): Periods["rows"][number] {
  return { id: fact, label: desk.fill(label), entity: null, cells: COLUMNS.map((window) => cell(desk, fact, window)) };
}

function cell(desk: FigureDesk, fact: string, window: string): PeriodCell | null {
  if (!DEFINED.get(fact)?.includes(window)) return null;
  const shown = { ...showFigure(desk, `${fact}.${window}`), notes: [] };
  const hasAnnualised = fact === "total_return" && DEFINED.get("total_return_annualised")?.includes(window);
  const annualised = hasAnnualised ? showFigure(desk, `total_return_annualised.${window}`) : null;
  return {
    shown,
    annualised: annualised === null || annualised.printed === null ? null : { ...annualised, notes: [] },
  };
}
