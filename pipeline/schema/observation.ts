/**
 * What a payload says, row by row, before any judgement: values stay the payload's own numerals (separators removed),
 * each with its row locator. A row that cannot be used stays, with a defect that says why.
 */
import type { MetadataField, PriceBasis } from "./batch.ts";

/** A finding of a reader about one row. `row` counts data rows from 1; null is the whole file. */
export interface Defect {
  code:
    | "DUPLICATE_SESSION"
    | "BAR_INVALID"
    | "GAP"
    | "EVIDENCE_MISSING"
    | "PAYLOAD_UNREADABLE"
    | "IDENTITY_MISMATCH"
    | "UNIT_CONFLICT";
  row: number | null;
  session: string | null;
  detail: string;
}

interface Observed {
  source_id: string;
  /** Digest of the SOURCE_VERSION that the rows come from. */
  evidence_id: string;
  payload_sha256: string;
  defects: Defect[];
}

/** Plain decimal numeral, or null where the payload has none (blank, NaN, null, unreadable). */
export type Numeral = string | null;

export interface BarRow {
  row: number;
  session: string;
  open: Numeral;
  high: Numeral;
  low: Numeral;
  close: Numeral;
  adjusted_close: Numeral;
  volume: Numeral;
}
/** Rows ascending by session; identical repeats merged; sessions with differing repeats left out (DUPLICATE_SESSION). */
export interface BarSeries extends Observed {
  kind: "bars";
  instrument: string;
  currency: string;
  basis: { close: PriceBasis | null; adjusted_close: "distribution_adjusted" | null };
  adjusted_through: string | null;
  rows: BarRow[];
}

export interface DistributionRow {
  row: number;
  ex_date: string;
  amount: string;
}
export interface DistributionSeries extends Observed {
  kind: "distributions";
  instrument: string;
  currency: string;
  /** True: the source lists the instrument under `pays_nothing`; then rows are empty and no file was read. */
  pays_nothing: boolean;
  basis: "split_adjusted" | "as_traded";
  rows: DistributionRow[];
}

export interface FxRow {
  row: number;
  /** The day the rate belongs to, after `label_shift`. */
  date: string;
  rate: string;
}
export interface FxSeries extends Observed {
  kind: "fx";
  base: string;
  quote: string;
  rows: FxRow[];
}

export interface NavRow {
  row: number;
  session: string;
  nav: Numeral;
  close: Numeral;
  volume: Numeral;
}
export interface NavSeries extends Observed {
  kind: "nav";
  instrument: string;
  currency: string;
  basis: { close: PriceBasis };
  retrieved_at: string;
  rows: NavRow[];
}

/** One stated field of one instrument. `value` is normalised: ratio, whole currency units, date or text. */
export interface StatedField {
  field: MetadataField;
  value: string;
  /** The payload's own text, for people. */
  stated: string;
  currency: string | null;
  row: number;
}
export interface MetadataRecord extends Observed {
  kind: "metadata";
  instrument: string;
  vendor: string;
  retrieved_at: string;
  fields: StatedField[];
}

export type Observations = BarSeries | DistributionSeries | FxSeries | NavSeries | MetadataRecord;

/** A declared file that could not be had or read: the fault is that instrument's (or, with null, the source's). */
export interface SourceFault {
  source_id: string;
  instrument: string | null;
  code: string;
  detail: string;
  hint: string;
}
