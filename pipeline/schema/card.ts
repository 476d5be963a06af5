/**
 * The card view: everything a card shows in one locale, as printed strings bound to figures. The template draws it and
 * adds nothing but fixed words without numerals; card.json is this document.
 */
import { z } from "zod";
import { LOCALES } from "../domain/locale.ts";
import { REASONS } from "../domain/outcome.ts";
import { CLAIM_ROLES, EPISTEMIC_TYPES } from "./claim.ts";
import type { Fact } from "./fact.ts";
import { PRODUCT_TYPES } from "./instrument.ts";

/** How a figure stands in the page: a date as `<time>`, a number or a stated text as `<data>`. */
export const FIGURE_KINDS = ["number", "date", "text"] as const;

export function figureKind(unit: Fact["unit"]): (typeof FIGURE_KINDS)[number] {
  if (unit === "date" || unit === "instant") return "date";
  return unit === "text" ? "text" : "number";
}

/** A run of small type. A figure is bound; `classed` equals a window label, a registered name or a document field. */
export const inlineSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("words"), text: z.string() }),
  z.strictObject({
    kind: z.literal("figure"),
    figure: z.string(),
    value: z.string(),
    printed: z.string(),
    figure_kind: z.enum(FIGURE_KINDS),
  }),
  z.strictObject({
    kind: z.literal("classed"),
    numeral: z.enum(["label", "entity", "identifier"]),
    of: z.string(),
    text: z.string(),
  }),
]);
export type Inline = z.infer<typeof inlineSchema>;

/** A figure as shown. `tone` is the sign where it means gain or loss. Unavailable: `printed` null, `words` say why. */
export const shownFigureSchema = z.strictObject({
  figure: z.string(),
  label: z.string(),
  /** Window label next to the figure (3개월), or null. */
  window_label: z.string().nullable(),
  value: z.string().nullable(),
  printed: z.string().nullable(),
  kind: z.enum(FIGURE_KINDS),
  tone: z.enum(["up", "down", "flat"]).nullable(),
  /** Unit word that follows a bare numeral, outside the bound element (위, 개). */
  unit_word: z.string().nullable(),
  reason: z.enum(REASONS).nullable(),
  /** Why it is unavailable: in full, and short enough for a table cell. */
  words: z.string().nullable(),
  words_short: z.string().nullable(),
  /** Small type beside it, one line each: basis, sessions, source. Figures inside are bound too. */
  notes: z.array(z.array(inlineSchema)),
});
export type ShownFigure = z.infer<typeof shownFigureSchema>;

const lineSchema = z.strictObject({
  kind: z.enum(["total_return", "benchmark", "peer_median", "drawdown"]),
  /** Name in the legend, and the short name at the line's end. */
  label: z.string(),
  label_short: z.string(),
  /** Registered name after the label, where the line is a product's. */
  entity: z.strictObject({ of: z.string(), text: z.string() }).nullable(),
  points: z.array(z.strictObject({ session: z.string(), level: z.string() })),
});
export const chartViewSchema = z.strictObject({
  window: z.string(),
  window_label: z.string(),
  start_session: z.string(),
  end_session: z.string(),
  thinning: z.string(),
  lines: z.array(lineSchema),
  comparison_words: z.string().nullable(),
});
export type ChartView = z.infer<typeof chartViewSchema>;

/** A cell of the period table; null where the catalogue defines no such figure. */
export const periodCellSchema = z.strictObject({
  shown: shownFigureSchema,
  annualised: shownFigureSchema.nullable(),
});
export type PeriodCell = z.infer<typeof periodCellSchema>;

export const periodRowSchema = z.strictObject({
  id: z.string(),
  label: z.string(),
  /** Registered name under the label (the comparison ETF), or null. */
  entity: z.strictObject({ of: z.string(), text: z.string() }).nullable(),
  cells: z.array(periodCellSchema.nullable()),
});

export const sectionSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  note: z.string().nullable(),
  figures: z.array(shownFigureSchema),
});
export type CardSection = z.infer<typeof sectionSchema>;

/** A sentence as drawn: words, bound figures, and the labels of their windows. */
export const cardClaimSchema = z.strictObject({
  /** Of its record (schema/claim). */
  id: z.string(),
  number: z.number().int().positive(),
  role: z.enum(CLAIM_ROLES),
  type: z.enum(EPISTEMIC_TYPES),
  runs: z.array(inlineSchema).min(1),
  /** What it rests on, in words. */
  evidence: z.array(inlineSchema),
});
export type CardClaim = z.infer<typeof cardClaimSchema>;

export const cardSchema = z.strictObject({
  schema: z.literal("card/v1"),
  batch: z.string(),
  instrument: z.string(),
  locale: z.enum(LOCALES),
  channel: z.string(),
  template: z.string(),
  product_type: z.enum(PRODUCT_TYPES),
  /** Digest over type contract, locale texts and policy text that the card was made with. */
  contract_digest: z.string(),
  is_demonstration: z.boolean(),
  header: z.strictObject({
    ticker: z.string(),
    isin: z.string(),
    market: z.string(),
    market_label: z.string(),
    issuer: z.string(),
    /** Registered name in the card's language, and the field it equals (name_ko, name_en). */
    name: z.string(),
    name_of: z.string(),
    name_other: z.string(),
    name_other_of: z.string(),
    type_label: z.string(),
    /** `of` null: plain words. Otherwise an identifier equal to that document field. */
    badges: z.array(z.strictObject({ text: z.string(), of: z.string().nullable() })),
    /** Peer count then peer rank, or empty when there is no rank. */
    rank: z.array(shownFigureSchema),
  }),
  clocks: z.array(shownFigureSchema),
  /** The first is dominant. Fewer than three is quarantine (NEEDS_DATA). */
  tiles: z.array(shownFigureSchema),
  /** Figures that the channel's policy wants beside the tiles; what is unavailable says so in its place. */
  companions: z.array(shownFigureSchema),
  /** Whether one tile leads, or the policy wants all figures of the headline at one size. */
  prominence: z.enum(["dominant", "equal"]),
  unavailable_headlines: z.array(shownFigureSchema),
  chart: chartViewSchema.nullable(),
  chart_words: z.string().nullable(),
  periods: z.strictObject({
    windows: z.array(z.strictObject({ window: z.string(), label: z.string(), of: z.string() })),
    rows: z.array(periodRowSchema),
    notes: z.array(z.string()),
  }),
  sections: z.array(sectionSchema),
  /** In reading order. Those of `counterpoint` stand in a place of their own. */
  claims: z.array(cardClaimSchema),
  vendors: z.array(z.strictObject({ of: z.string(), text: z.string() })),
  disclosures: z.array(z.strictObject({ id: z.string(), text: z.string() })),
});
export type Card = z.infer<typeof cardSchema>;
