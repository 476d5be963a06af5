/**
 * Which claims the built-in composer proposes and how it words them: by the product type's order, by what the figures allow,
 * and where several would do by a stable hash of instrument and rule. The same figures give the same claims.
 */
import { decimal } from "../domain/decimal.ts";
import { sha256 } from "../domain/digest.ts";
import type { Locale } from "../domain/locale.ts";
import { findNumerals } from "../render/numerals.ts";
import type { ClaimRecord, EpistemicType, Support } from "../schema/claim.ts";
import type { ResearchSection } from "../schema/research.ts";
import { CLAIM_ORDERS, CLAIM_RULES } from "./rules/by-type.ts";
import { type ClaimRule, type Product, subjectOf, type ValueOf } from "./rules/rule.ts";

export interface KnownFigure {
  /** Exact; null for what is no number. */
  value: string;
  type: EpistemicType;
  isNumber: boolean;
}

export interface ResearchLine {
  section: ResearchSection;
  id: string;
  type: EpistemicType;
  causal_edge: string | null;
  text: Record<Locale, string>;
}

export interface Material {
  product: Product;
  locale: Locale;
  figures: ReadonlyMap<string, KnownFigure>;
  research: readonly ResearchLine[];
}

export type ClaimProposal = Omit<ClaimRecord, "schema" | "instrument" | "locale" | "turn" | "receipt">;

const LEADING = 2;
const POINTS = 4;
const LEAST = 5;

export function chooseClaims(material: Material): ClaimProposal[] {
  const { product, figures } = material;
  const order = CLAIM_ORDERS[product.product_type];
  const value: ValueOf = (figure) => {
    const known = figures.get(figure);
    return known?.isNumber ? decimal(known.value) : null;
  };
  const open = CLAIM_RULES.filter(
    ({ slots, when }) =>
      Object.values(slots).every((figure) => figures.has(figure.replace("label/", ""))) && when(value, product),
  );
  const byHash = (rules: readonly ClaimRule[]) =>
    rules
      .map((rule) => ({ rule, rank: hash(product.instrument, rule.id) }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ rule }) => rule);
  const named = (role: ClaimRule["role"], starts: readonly string[]) =>
    starts.flatMap((start) => open.filter(({ id, role: own }) => own === role && id.startsWith(start)));

  const chosen: ClaimRule[] = [];
  const isOther = (rule: ClaimRule) =>
    chosen.every((one) => subjectOf(one) !== subjectOf(rule)) &&
    figuresIn(rule).some((figure) => !chosen.some((one) => figuresIn(one).includes(figure)));
  const isOfOtherKind = (rule: ClaimRule) => chosen.every((one) => kindOf(one) !== kindOf(rule));
  const take = (rules: readonly ClaimRule[], most: number, mayRepeatKind = false) => {
    let left = most;
    for (const rule of rules) {
      if (left <= 0 || !isOther(rule) || !(mayRepeatKind || isOfOtherKind(rule))) continue;
      chosen.push(rule);
      left -= 1;
    }
  };
  const count = (role: ClaimRule["role"]) => chosen.filter((rule) => rule.role === role).length;
  const points = byHash(open.filter(({ role }) => role === "point"));
  take(named("point", order.lead), LEADING);
  // A card without its type's own question still begins with what can be said, not with what speaks against it.
  take(points, 1 - count("point"));
  take(named("risk", order.risks), 1);
  // What contradicts most squarely stands first among the rules; the first few are as good as each other.
  take(byHash(open.filter((rule) => rule.role === "counterpoint" && isOther(rule)).slice(0, 2)), 1);
  take(points, POINTS - count("point"));
  // A young or thinly sourced product has few kinds of figure: the same kind over another window is better than nothing.
  take(points, POINTS - count("point"), true);
  take(byHash(open.filter(({ role }) => role === "risk")), LEAST - chosen.length, true);
  // No card without both, even if a figure is then named twice.
  for (const role of ["risk", "counterpoint"] as const) {
    const [any] = count(role) > 0 ? [] : byHash(open.filter((rule) => rule.role === role));
    if (any !== undefined) chosen.push(any);
  }
  const proposed = (role: ClaimRule["role"]) =>
    chosen
      .filter((rule) => rule.role === role)
      .map((rule) => propose(rule, material, chosen.filter((one) => kindOf(one) === kindOf(rule)).indexOf(rule)));
  const research = (section: ResearchSection, role: ClaimRecord["role"]) => fromResearch(material, section, role);
  return [
    ...proposed("point"),
    ...research("thesis", "point"),
    ...proposed("risk"),
    ...research("risks", "risk"),
    ...proposed("counterpoint"),
    ...(research("counter_evidence", "counterpoint").length > 0
      ? research("counter_evidence", "counterpoint")
      : research("competing_hypotheses", "counterpoint")),
  ].filter(({ opposing }) => opposing.kind === "found" && opposing.supports.length > 0);
}

function figuresIn({ slots }: ClaimRule): string[] {
  return Object.values(slots).filter((figure) => !figure.startsWith("label/"));
}

/** Rules that differ only in window and direction say the same kind of thing. */
function kindOf({ id }: ClaimRule): string {
  return id.replaceAll(/-(?:up|down|large|small|converted|\d[my])(?=-|$)/g, "");
}

/** `before`: how many of its kind stand before it on the card, so that no wording comes twice. */
function propose(rule: ClaimRule, { product, locale, figures }: Material, before: number): ClaimProposal {
  const subject = subjectOf(rule);
  const words = rule.words[locale];
  return {
    id: rule.id,
    role: rule.role,
    type: figures.get(subject)!.type,
    text: words[(hash(product.instrument, kindOf(rule)) + before) % words.length]!,
    slots: Object.entries(rule.slots).map(([name, figure]) => ({ name, figure })),
    supports: figuresIn(rule).map((figure) => ({ kind: "fact", figure })),
    opposing: { kind: "found", supports: opposingTo(rule, figures) },
    confidence: "high",
    causal_edge: null,
    absence_receipt: null,
  };
}

/** Figures in which the other side of a sentence would show: of a gain the falls and the cost, of a risk the return. */
const AGAINST: Record<ClaimRule["role"], readonly string[]> = {
  point: [
    "max_drawdown.1y",
    "volatility.1y",
    "max_drawdown.3y",
    "total_return.3m",
    "total_return.1m",
    "total_return.1w",
    "total_expense_ratio",
  ],
  risk: ["total_return.1y", "total_return.3y", "total_return.6m", "total_return.3m", "total_return.1m", "last_close"],
  counterpoint: ["total_return.1y", "total_return.6m", "total_return.3m", "total_return.1m", "last_close"],
};
const NAMED_AGAINST = 2;

export const OPPOSING_FIGURES: readonly string[] = [...new Set(Object.values(AGAINST).flat())];

function opposingTo({ role, slots }: ClaimRule, figures: Material["figures"]): Support[] {
  const own = new Set(Object.values(slots));
  return AGAINST[role]
    .filter((figure) => figures.has(figure) && !own.has(figure))
    .slice(0, NAMED_AGAINST)
    .map((figure) => ({ kind: "fact", figure }));
}

/** Kinds of sentence that say whose view they are; what is reported or observed needs its figure, which research has not. */
const VIEWS: readonly EpistemicType[] = ["INFERRED", "OPINION"];
const OTHER_SIDE: Partial<Record<ResearchSection, ResearchSection>> = {
  thesis: "counter_evidence",
  risks: "thesis",
  counter_evidence: "thesis",
  competing_hypotheses: "thesis",
};

/** At most one sentence of a section, as it stands. A text with digits is left out: they would be bound to nothing. */
function fromResearch(
  { product, locale, research }: Material,
  section: ResearchSection,
  role: ClaimRecord["role"],
): ClaimProposal[] {
  const against = research.find((line) => line.section === OTHER_SIDE[section]);
  const fit = research
    .filter((line) => line.section === section && VIEWS.includes(line.type) && line.causal_edge === null)
    .filter(({ text }) => Object.values(text).every((one) => findNumerals(one).length === 0));
  const chosen = fit[hash(product.instrument, section) % Math.max(fit.length, 1)];
  if (chosen === undefined || against === undefined) return [];
  return [
    {
      id: `research-${chosen.id}`.slice(0, 60),
      role,
      type: chosen.type,
      text: chosen.text[locale],
      slots: [],
      supports: [{ kind: "research", sentence: `research/${chosen.id}` }],
      opposing: { kind: "found", supports: [{ kind: "research", sentence: `research/${against.id}` }] },
      confidence: "medium",
      causal_edge: null,
      absence_receipt: null,
    },
  ];
}

/** Between runs, machines and languages the same. */
function hash(...parts: readonly string[]): number {
  return Number.parseInt(sha256(parts.join("\n")).slice(0, 12), 16);
}
