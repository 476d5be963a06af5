/**
 * A policy manifest: for one channel the closed set of gates, thresholds, disclosures and rules of approval. Each rule
 * says where it comes from and when that was checked, or that legal must confirm it.
 */
import { z } from "zod";
import { isDate } from "../domain/date.ts";
import { LOCALES } from "../domain/locale.ts";
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
    /** Tiles a card needs. */
    tiles: days,
  }),
  disclosures: z.strictObject({
    /** File beside the manifest. */
    file: z.string().regex(/^[a-z0-9.-]+\.yaml$/),
    all: rule({ ids: z.array(z.string()) }),
    by_product_type: z.record(z.enum(PRODUCT_TYPES), rule({ ids: z.array(z.string()) })),
    /** Added when the product is not in the reporting currency, hedged, or shown beside another ETF. */
    when: z.strictObject({
      currency_unhedged: z.string(),
      currency_hedged: z.string(),
      compared: z.string(),
      demonstration: z.string(),
    }),
  }),
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
