/**
 * Plants the declared defects into a product's rows, so that a demonstration shows quarantine for a true reason.
 * Each kind changes exactly what its name says; a kind that a source cannot carry is refused, never ignored.
 */
import { addDays } from "../../domain/date.ts";
import { AssayError } from "../../domain/outcome.ts";
import type { SyntheticSource } from "../../schema/batch.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { Row } from "./bars.ts";

export type Defect = SyntheticSource["defects"][number];

const IN_ROWS: readonly Defect["kind"][] = [
  "scale_break",
  "unexplained_jump",
  "duplicate_session",
  "half_filled_bar",
  "stale",
  "gap",
  "blank_close",
  "missing_file",
];
/** What each kind of file can carry. */
const CARRIED: Record<SyntheticSource["produces"], readonly Defect["kind"][]> = {
  bars: IN_ROWS,
  nav: IN_ROWS.filter((kind) => kind !== "half_filled_bar"),
  distributions: ["missing_file"],
  metadata: ["fee_conflict", "wrong_isin"],
  fx: [],
};

export function assertPlantable(source: SyntheticSource): void {
  for (const { kind, ticker } of source.defects) {
    if (CARRIED[source.produces].includes(kind)) continue;
    throw new AssayError(
      "SYNTHETIC_DEFECT",
      `source ${source.id} produces ${source.produces}: no ${kind} for ${ticker}`,
      {
        hint: `${source.produces} can carry: ${CARRIED[source.produces].join(", ") || "none"}`,
      },
    );
  }
}

export function defectsOf(source: SyntheticSource, instrument: Instrument): Defect[] {
  return source.defects.filter(({ ticker }) => ticker === instrument.ticker);
}

/** Rows ascending; a planted repeat follows its session. */
export function plant(rows: readonly Row[], defects: readonly Defect[], instrument: Instrument): Row[] {
  return defects.reduce((planted, defect) => plantOne(planted, defect, instrument), [...rows]);
}

function plantOne(rows: Row[], defect: Defect, instrument: Instrument): Row[] {
  const at = positionOf(rows, defect);
  const row = rows[at];
  if (row === undefined) {
    throw new AssayError(
      "SYNTHETIC_DEFECT",
      `no session for ${defect.kind} of ${defect.ticker} on ${defect.on ?? "-"}`,
      {
        hint: "choose a date between the source's from and to, after the product's launch",
      },
    );
  }
  const altered = (change: Row) => [...rows.slice(0, at), change, ...rows.slice(at + 1)];
  switch (defect.kind) {
    case "scale_break":
      return [...rows.slice(0, at), ...rows.slice(at).map((later) => scaled(later, 0.1))];
    case "unexplained_jump":
      return altered(scaled(row, 1 + 0.23 * Math.abs(Number(instrument.exposure_multiple))));
    case "duplicate_session":
      return [...rows.slice(0, at + 1), scaled(row, 1.004), ...rows.slice(at + 1)];
    case "half_filled_bar":
      return altered({ ...row, open: 0, high: row.close, low: row.close, volume: 17 });
    case "stale":
      return rows.slice(0, at + 1);
    case "gap": {
      const until = addDays(row.session, DAYS_OF_GAP);
      return rows.filter(({ session }, index) => index <= at || session > until);
    }
    case "blank_close":
      return altered({ ...row, close: null, adjusted_close: null });
    default:
      return rows;
  }
}

const DAYS_OF_GAP = 16;

/** Where no date is given: the last session for a half-filled bar, else far enough back to be inside every window. */
function positionOf(rows: readonly Row[], { kind, on }: Defect): number {
  if (on !== undefined) return rows.findIndex(({ session }) => session >= on);
  if (kind === "half_filled_bar") return rows.length - 1;
  return Math.max(rows.length - (kind === "stale" ? 16 : 42), 0);
}

/** Each price × factor, kept on two decimals so that the wrong figures look like prices. */
function scaled(row: Row, factor: number): Row {
  const times = (quanta: number | null) =>
    quanta === null ? null : Math.round((quanta * factor) / 1_000_000) * 1_000_000;
  return {
    ...row,
    open: times(row.open),
    high: times(row.high),
    low: times(row.low),
    close: times(row.close),
    adjusted_close: times(row.adjusted_close),
  };
}
