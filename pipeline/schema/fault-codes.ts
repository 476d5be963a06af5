/**
 * What the codes mean that are no gate's own: faults of collection and readers' findings, which gates report with their
 * detail, and the reasons of figures that are withheld. The reference prints them; a test holds the table to the code.
 */
import type { Reason } from "../domain/outcome.ts";

interface FaultTerms {
  /** What of a batch it stops: the request, or only the products that the file or row belongs to. */
  stops: "request" | "product";
  meaning: string;
  remedy: string;
}

export const FAULTS: Record<string, FaultTerms> = {
  BATCH_NOT_FOUND: fault("request", "the folder has no batch.yaml", "name the folder that holds it"),
  BATCH_INVALID: fault("request", "batch.yaml is not the request that it should be", "correct the lines named"),
  BATCH_FROM_FUTURE: fault("request", "as_of lies ahead of now", "set as_of to when the inputs were known"),
  YAML_ALIAS: fault("request", "the YAML uses anchors or aliases", "write the value out"),
  YAML_TOO_DEEP: fault("request", "the YAML is nested deeper than a request is", "flatten it"),
  YAML_TOO_LARGE: fault(
    "request",
    "the YAML has more keys and items than a request has",
    "put products in universe.csv",
  ),
  UNIVERSE_INVALID: fault("request", "universe.csv is not text, or has other columns, or no rows", "correct the file"),
  UNIVERSE_ROW_INVALID: fault("product", "a row of the universe is malformed", "correct the row named"),
  UNIVERSE_DUPLICATE: fault("product", "the universe has a product twice", "leave one of the rows"),
  BENCHMARK_UNKNOWN: fault("product", "the benchmark is not in the universe", "name one that is, or leave it empty"),
  BENCHMARK_CYCLE: fault("product", "the product is compared with itself in the end", "name another benchmark"),
  INSTRUMENT_UNKNOWN: fault("product", "what is asked for is not in the universe", "name a product of the universe"),
  FILE_MISSING: fault("request", "a file that the request names is not there", "supply it, or correct its path"),
  EVIDENCE_MISSING: fault("product", "a declared file is not there", "supply it, or declare missing_file: skip"),
  SOURCE_MISSING: fault(
    "product",
    "a file of payouts is not there",
    "supply it, or list the product under pays_nothing",
  ),
  FILE_UNREADABLE: fault("product", "a file is there and cannot be read", "check its permissions"),
  FOLDER_UNREADABLE: fault(
    "request",
    "a folder that the request names cannot be read",
    "check its path and permissions",
  ),
  FILE_NAME: fault("product", "a file of a folder has a name that is not read", "rename it"),
  NOT_A_FILE: fault("product", "a folder or device stands where a file should", "name a file"),
  PATH_OUTSIDE_ROOT: fault("product", "a path leads out of the allowed folders", "move the file, or use --allow-root"),
  PAYLOAD_TOO_LARGE: fault("product", "a file is larger than any of its kind", "split it"),
  LINE_TOO_LONG: fault("product", "a line is longer than any of its kind", "check that it is CSV with line breaks"),
  ROWS_TOO_MANY: fault("product", "a file has more rows than any of its kind", "split it"),
  PAYLOAD_UNREADABLE: fault(
    "product",
    "a file, or one product's part of it, cannot be read: another encoding, a torn quote, a missing or repeated column or key",
    "have the source repaired; the detail says where it breaks",
  ),
  BAR_INVALID: fault("product", "a row is half-filled, not a number, or contradicts itself", "collect the row again"),
  DUPLICATE_SESSION: fault("product", "a date has rows that differ", "have the wrong one removed"),
  IDENTITY_MISMATCH: fault("product", "two differing rows stand under one key", "have the wrong one removed"),
  UNIT_CONFLICT: fault("product", "a stated amount does not fit its declared unit", "correct the unit in batch.yaml"),
  RESEARCH_INVALID: fault("product", "a definition of research is not what it should be", "correct the lines named"),
  RESEARCH_DUPLICATE: fault("product", "two definitions are of one product", "leave one of them"),
  RESEARCH_UNKNOWN_INSTRUMENT: fault(
    "product",
    "a definition is of no product of the universe",
    "correct its instrument",
  ),
  RESEARCH_NAMES_NOBODY: fault("product", "a definition names no product, and is nobody's", "give it an instrument"),
  RESEARCH_AFTER_AS_OF: fault("product", "a definition was written after as_of", "supply what was written by then"),
  CAUSAL_INVALID: fault(
    "product",
    "an edge of the causal register is not what it should be",
    "correct the lines named",
  ),
  CAUSAL_DUPLICATE: fault("product", "the causal register has one version of an edge twice", "leave one of them"),
  SYNTHETIC_DEFECT: fault("request", "a planted defect does not fit what the source produces", "plant another"),
  SYNTHETIC_MARKET_MISSING: fault("request", "an invented source needs a market", "name one"),
  SYNTHETIC_PAIR: fault("request", "invented rates of a currency in itself", "name two currencies under pair"),
  SYNTHETIC_WINDOW: fault(
    "request",
    "an invented source ends before it begins, or begins too early",
    "correct from and to",
  ),
};

export const REASON_MEANINGS: Record<Reason, string> = {
  NOT_APPLICABLE: "the figure has no meaning for this product",
  SOURCE_MISSING: "no source that may be used has it",
  BASIS_NOT_AVAILABLE: "no series has a price basis that the definition accepts",
  NO_BENCHMARK: "the universe names no benchmark, or one that does not exist",
  NO_DATA: "the file has no usable row up to the cutoff",
  STALE: "the series ends too long before the cutoff",
  INSUFFICIENT_HISTORY: "the series begins after the window does, or has too few sessions",
  GAP_AT_START: "the window begins in a hole of the series",
  FX_GAP: "no exchange rate is near enough to the session",
  BENCHMARK_STALE: "no benchmark level is near enough to the session",
  PEER_GROUP_TOO_SMALL: "fewer than three of the group have a value",
  FLAT_RANGE: "high and low are equal, so that there is no place between them",
  NOT_RECOVERED: "the level of the peak has not been seen again",
  CONFLICT: "sources state different values",
};

function fault(stops: FaultTerms["stops"], meaning: string, remedy: string): FaultTerms {
  return { stops, meaning, remedy };
}
