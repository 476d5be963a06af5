/**
 * A rule by which the built-in composer proposes one sentence: the figures that it binds, when it may be said, and several
 * wordings in each language. Words never hold a numeral; what a direction word says, `when` has made sure of.
 */
import { type Decimal, decimal } from "../../domain/decimal.ts";
import type { Locale } from "../../domain/locale.ts";
import type { ClaimRecord } from "../../schema/claim.ts";
import type { Instrument } from "../../schema/instrument.ts";

export interface ClaimRule {
  id: string;
  role: ClaimRecord["role"];
  /** Figure by slot; the first that is no label is what the sentence is about. */
  slots: Readonly<Record<string, string>>;
  /** Beyond that every figure is OK. */
  when: (value: ValueOf, product: Product) => boolean;
  words: Readonly<Record<Locale, readonly string[]>>;
}

/** Exact value of a figure that is OK; null where it is not, or is no number. */
export type ValueOf = (figure: string) => Decimal | null;

/** What the universe says of the product, as far as a rule or a causal edge asks. */
export interface Product
  extends Pick<Instrument, "instrument" | "product_type" | "market" | "peer_group" | "fx_hedged"> {
  is_in_reporting_currency: boolean;
  /** Its comparison ETF trades in the same market; false where it has none. */
  is_compared_at_home: boolean;
}

export const always = () => true;

/** What prints without a sign is neither up nor down. */
const PRINTS_A_SIGN = decimal("0.00005");

export const isUp = (figure: string) => (value: ValueOf) => value(figure)?.gte(PRINTS_A_SIGN) === true;
export const isDown = (figure: string) => (value: ValueOf) => value(figure)?.lte(PRINTS_A_SIGN.neg()) === true;
export const isAtLeast = (figure: string, least: string) => (value: ValueOf) =>
  value(figure)?.gte(decimal(least)) === true;
export const isUnder = (figure: string, limit: string) => (value: ValueOf) =>
  value(figure)?.lt(decimal(limit)) === true;
export const both =
  (...conditions: ClaimRule["when"][]): ClaimRule["when"] =>
  (value, product) =>
    conditions.every((condition) => condition(value, product));

/** The figure that a rule is about. */
export function subjectOf({ slots }: Pick<ClaimRule, "slots">): string {
  return Object.values(slots).find((figure) => !figure.startsWith("label/")) ?? "";
}
