/**
 * A policy manifest: for one channel the closed set of gates, thresholds, disclosures and rules of approval. Each rule
 * says where it comes from and when that was checked, or that legal must confirm it.
 */
import { z } from "zod";
import { isDate } from "../domain/date.ts";
import { MARKETS } from "../domain/instant.ts";
import { LOCALES } from "../domain/locale.ts";
import { CLAIM_ROLES } from "./claim.ts";
import { PRODUCT_TYPES } from "./instrument.ts";
import { SEVERITIES } from "./verdict.ts";

const date = z.string().refine(isDate, "must be a calendar date YYYY-MM-DD");
const numeral = z.string().regex(/^\d{1,6}(\.\d{1,10})?$/, "a plain decimal in quotes");
const code = z.string().regex(/^[A-Z][A-Z0-9_]*$/);

/** Where a rule comes from. Exactly one of `checked_on` (someone read the source that day) and `confirm: legal`. */
const origin = { source: z.string().min(1), checked_on: date.optional(), confirm: z.literal("legal").optional() };
function rule<T extends z.ZodRawShape>(shape: T) {
  return z
    .strictObject({ ...shape, ...origin })
    .refine((found: { checked_on?: unknown; confirm?: unknown }) => !!found.checked_on !== !!found.confirm, {
      message: "needs either checked_on or confirm: legal",
    });
}
const amount = rule({ value: numeral });
const days = rule({ value: z.number().int().min(0).max(3650) });
const wholeAmount = z.string().regex(/^\d{1,15}$/, "a whole amount of money in quotes");
const pixels = z.number().int().min(1).max(16_000);

export const APPROVER_ROLES = ["REVIEWER", "COMPLIANCE"] as const;

export const policySchema = z.strictObject({
  schema: z.literal("gate_policy/v1"),
  channel: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/),
  version: z.number().int().positive(),
  title: z.string().min(1),
  /** Which right of a source the channel needs. */
  use: z.enum(["internal", "client_delivery"]),
  gates: z.array(z.strictObject({ gate: z.string(), version: z.number().int().positive() })).min(1),
  /** Severities above a code's own; one below it is refused at load. */
  severities: z.record(code, z.enum(SEVERITIES)),
  thresholds: z.strictObject({
    /** A day's move per unit of exposure that asks for an explanation. */
    jump: amount,
    /** How near a whole multiple a day's price ratio must be to look like a unit or split error. */
    scale_tolerance: amount,
    /** Calendar days between sessions above which a series has a hole. */
    gap_days: days,
    /** Calendar days from the end session to the cutoff above which a series is stale. */
    stale_days: days,
    /** Calendar days from a window's start session to its anchor above which the window is not what it says. */
    start_gap_days: days,
    /** Difference of two 1-year total returns that asks for a look. */
    cross_check: amount,
    /** Total expense ratio above which a unit mistake is likelier than a fee. */
    expense_ratio_ceiling: amount,
    /** A day's move of an exchange rate that asks for an explanation. */
    rate_jump: amount,
    /** Distance of a close from its net asset value, in parts of the value, at which one unit for both is in doubt. */
    premium: amount,
    /** One payout in parts of the price before it, above which it asks for an explanation. */
    payout_share: amount,
    /** Average day's traded value in parts of the net assets, above which a unit mistake is likelier than trade. */
    turnover: amount,
    /** Tiles a card needs. */
    tiles: days,
  }),
  /** The words and phrases of the sentence rules: one file beside the manifest for each language. */
  lexicons: z.record(z.enum(LOCALES), z.string().regex(/^[a-zA-Z0-9.-]+\.yaml$/)),
  disclosures: z.strictObject({
    /** File beside the manifest. */
    file: z.string().regex(/^[a-z0-9.-]+\.yaml$/),
    all: rule({ ids: z.array(z.string()) }),
    by_product_type: z.record(z.enum(PRODUCT_TYPES), rule({ ids: z.array(z.string()) })),
    /** Added by what the card is of (schema/card-terms): see `requiredDisclosures` for when each applies. */
    when: z.strictObject({
      currency_unhedged: z.string(),
      currency_hedged: z.string(),
      currency_unknown: z.string(),
      multiple: z.string(),
      inverse: z.string(),
      synthetic: z.string(),
      compared: z.string(),
      demonstration: z.string(),
      composed: z.string(),
    }),
  }),
  /** What the channel may carry. */
  allows: rule({
    markets: z.array(z.enum(MARKETS)).min(1),
    product_types: z.array(z.enum(PRODUCT_TYPES)).min(1),
    locales: z.array(z.enum(LOCALES)).min(1),
  }),
  /** Least sizes, in CSS pixels of a picture 1080 wide, of disclosures and of any text; least contrast of any text. */
  legibility: rule({ text_px: pixels, disclosure_px: pixels, contrast: numeral }),
  performance: rule({
    /** Facts of which any figure on the page, or a chart, is a showing of performance. */
    facts: z.array(z.string()),
    /** A product younger or smaller shows none; an amount for each currency. Null: no such rule. */
    minimum: z
      .strictObject({ age_months: z.number().int().min(0), net_assets: z.record(z.enum(["KRW", "USD"]), wholeAmount) })
      .nullable(),
    /** Figures that must stand together once any performance is shown: the set of the greatest age that is reached. */
    together: z.array(
      z.strictObject({ from_age_months: z.number().int().min(0), figures: z.array(z.string()).min(1) }),
    ),
    /** What the rule demands and the catalogue has no figure for: a person supplies it. */
    by_a_person: z.array(z.strictObject({ from_age_months: z.number().int().min(0), what: z.string().min(1) })),
    /** Whether the figures must be as of the end of a calendar quarter. */
    at_quarter_end: z.boolean(),
    /** Equal prominence: how much larger the largest of them may be, and how far apart any two may stand. */
    max_font_ratio: numeral,
    max_distance_px: pixels,
  }),
  /** Where `figure` stands largest, each of `with` stands (or says why it cannot) so near and so large. */
  beside: z.array(
    rule({ figure: z.string(), with: z.array(z.string()).min(1), max_font_ratio: numeral, max_distance_px: pixels }),
  ),
  /** The label of sentences that a machine composed: its text, its least size, how near to them it stands. */
  ai_label: rule({ id: z.string(), min_px: pixels, max_distance_px: pixels }),
  /** Roles of which a card that bears sentences must have at least one each. */
  sentences: rule({ required_roles: z.array(z.enum(CLAIM_ROLES)) }),
  validity: rule({ months: z.number().int().positive().max(60) }),
  approval: rule({
    roles: z.array(z.enum(APPROVER_ROLES)).min(1),
    second_person: z.boolean(),
    expires_hours: z.number().int().positive(),
  }),
  delivery: rule({ recipients: z.array(z.enum(["internal", "client"])).min(1) }),
  /** A correction that moves a printed ratio by at least this revokes; less supersedes. */
  materiality: rule({ ratio: numeral }),
});
export type Policy = z.infer<typeof policySchema>;

export const disclosuresSchema = z.strictObject({
  schema: z.literal("disclosures/v1"),
  texts: z.record(z.string(), rule({ text: z.record(z.enum(LOCALES), z.string().min(1)) })),
});
