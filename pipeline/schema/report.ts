/**
 * report.json: what a batch came to, as counted. Times are wall milliseconds during which such work was under way; they
 * overlap, and differ from run to run.
 */
import type { Batch } from "./batch.ts";
import type { CoverageCounts } from "./recalculated.ts";
import type { Finding, Verdict } from "./verdict.ts";

export interface CardLine {
  instrument: string;
  name: string;
  product_type: string;
  verdict: Verdict;
  /** One for each locale, its folder relative to the report; empty where nothing was rendered. */
  cards: { locale: string; folder: string; content_digest: string | null }[];
  findings: number;
  /** Objections of roles to what is said of the product, in the default locale. */
  disagreements: number;
}

export interface Report extends CoverageCounts {
  schema: "report/v1";
  batch: string;
  title: string;
  as_of: string;
  cutoff: Batch["cutoff"];
  channel: string;
  locales: string[];
  instruments: number;
  /** Files under cards/. */
  cards: { html: number; png: number };
  facts: { ok: number; unavailable: number };
  /** Sentence checks: one sentence under one gate counts once. */
  sentences: { checked: number; passed: number; review: number; blocked: number };
  /**
   * Of the runs that composed these cards, in all locales, whenever that was; attempts that came to no answer are not among
   * them. Null: some answer was not counted or has no price. Built-in methods ask no model and use nothing.
   */
  composing: {
    provider: string;
    model: string;
    turns: number;
    tokens_in: number | null;
    tokens_out: number | null;
    money_microusd: number | null;
    claims: {
      proposed: number;
      /** On a page. */
      drawn: number;
      held: number;
      refused: number;
      /** Drawn, each of their places printed as the figure that it names. */
      bound: number;
      /** Drawn, and binding a figure; `recalculated`: each of those figures matched on the page by the second engine. */
      with_figures: number;
      recalculated: number;
    };
  };
  verdicts: { pass: number; review: number; block: number };
  /** Blocked cards, one for each locale: with `cards` they make all that the batch was asked for. */
  quarantined: number;
  /** Decisions of each gate, and how many subjects it looked at in all. */
  gates: { gate: string; examined: number; pass: number; review: number; block: number }[];
  quarantine: (Finding & { instrument: string })[];
  unavailable: { reason: string; count: number }[];
  faults: { source_id: string; instrument: string | null; code: string; detail: string; hint: string }[];
  lines: CardLine[];
  timings_ms: {
    collect: number;
    facts: number;
    compose: number;
    gates: number;
    render: number;
    recalculate: number;
    total: number;
  };
  cache: { hits: number; misses: number };
  versions: Record<string, string>;
}
