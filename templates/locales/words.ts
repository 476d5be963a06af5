/**
 * Every fixed word of a card, by key; both locales have all of them. No digits and no number words in these texts:
 * each numeral on a page belongs to a figure or a class. Window labels are the exception and are classed *label*.
 * `{x}` is filled by the card view with words, never with figures.
 */
import type { Reason } from "../../pipeline/domain/outcome.ts";
import type { EpistemicType } from "../../pipeline/schema/claim.ts";
import type { ProductType } from "../../pipeline/schema/instrument.ts";
import type { SectionId } from "../product-types/contract.ts";

export interface CardWords {
  /** Label by fact id. */
  figures: Record<string, string>;
  /** Window label by window. */
  windows: Record<string, string>;
  /** Window label of facts whose id has no window but whose meaning has one. */
  fact_windows: Record<string, string>;
  /** What stands after a bare numeral. */
  unit_words: Record<string, string>;
  reasons: Record<Reason, string>;
  reasons_short: Record<Reason, string>;
  /** Closer wording where a fact's reason has one known cause: `<fact>/<REASON>`. */
  reasons_of: Record<string, string>;
  /** Small type beside a figure, by fact id. */
  bases: Record<string, string>;
  sections: Record<SectionId, { title: string; note: string | null }>;
  markets: Record<"KR" | "US", string>;
  types: Record<ProductType, string>;
  currencies: Record<string, string>;
  pairs: Record<string, string>;
  badges: { hedged: string; unhedged: string; multiple: string };
  /** Around the peer count, the rank and the window: 동종 [4개] 중, [1위], [1년] 총수익률. */
  rank: { among_before: string; among_after: string; rank_before: string; basis: string };
  clocks: { price: string; metadata: string; known: string };
  clock_notes: { price: string; metadata: string; known: string };
  headlines_missing: string;
  chart: {
    title: string;
    /** The window stands before the title (5년 총수익 추이) or after it. */
    window_first: boolean;
    rebased_before: string;
    rebased_after: string;
    absent: string;
    total_return: string;
    total_return_short: string;
    benchmark: string;
    benchmark_short: string;
    peer_median: string;
    peer_median_short: string;
    drawdown: string;
    alternative_alone: string;
    alternative_benchmark: string;
    alternative_peers: string;
    converted: string;
    not_converted: string;
  };
  periods: {
    title: string;
    note: string;
    caption: string;
    own: string;
    own_reporting: string;
    benchmark: string;
    benchmark_in: string;
    fx: string;
    peers: string;
    annualised: string;
    undefined: string;
    note_benchmark: string;
    note_peers: string;
  };
  notes: {
    recovered: string;
    not_recovered: string;
    provisional: string;
    all_share_classes: string;
  };
  claims: {
    title: string;
    counterpoint: string;
    risk: string;
    /** What a sentence rests on, by its type: on figures, or on the author of the research. */
    figures: Record<EpistemicType, string>;
    research: Record<EpistemicType, string>;
  };
  disclosures_title: string;
  vendors: string;
  made_with: string;
  bands: { demonstration: string; demonstration_words: string; blocked: string; blocked_words: string };
  seal: { title: string; draft: string; draft_words: string; code: string; code_empty: string; qr_empty: string };
}
