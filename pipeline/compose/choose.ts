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
/** Points and risks together; the challenger adds to them. */
const LEAST = 4;

/** What a domain analyst proposes: points and risks, from figures first and then from research. */
export function chooseClaims(material: Material): ClaimProposal[] {
  const order = CLAIM_ORDERS[material.product.product_type];
  const { open, chosen, take, byHash, any } = choice(material, []);
  const named = (role: ClaimRule["role"], starts: readonly string[]) =>
    starts.flatMap((start) => open.filter(({ id, role: own }) => own === role && id.startsWith(start)));
  const missing = (most: number) => most - chosen.filter(({ role }) => role === "point").length;
  const points = byHash(open.filter(({ role }) => role === "point"));
  take(named("point", order.lead), LEADING);
  // A card without its type's own question still begins with what can be said, not with what speaks against it.
  take(points, missing(1));
  take(named("risk", order.risks), 1);
  take(points, missing(POINTS));
  // A young or thinly sourced product has few kinds of figure: the same kind over another window is better than nothing.
  take(points, missing(POINTS), true);
  take(byHash(open.filter(({ role }) => role === "risk")), LEAST - chosen.length, true);
  any("risk");
  return [
    ...proposals(material, chosen, "point"),
    ...fromResearch(material, "thesis", "point"),
    ...proposals(material, chosen, "risk"),
    ...fromResearch(material, "risks", "risk"),
  ].filter(hasOtherSide);
}

/** What a challenger proposes beside claims that stand already: the other side, in other figures where there are any. */
export function chooseCounterpoints(material: Material, standing: readonly { id: string }[]): ClaimProposal[] {
  const said = standing.flatMap(({ id }) => CLAIM_RULES.find((rule) => id === `claims/${rule.id}`) ?? []);
  const { open, chosen, take, byHash, any } = choice(material, said);
  const points = open.filter(({ role }) => role === "counterpoint");
  const isOther = (rule: ClaimRule) => said.every((one) => subjectOf(one) !== subjectOf(rule));
  // What contradicts most squarely stands first among the rules; the first few are as good as each other.
  take(byHash(points.filter(isOther).slice(0, 2)), 1);
  any("counterpoint");
  const counter = fromResearch(material, "counter_evidence", "counterpoint");
  return [
    ...proposals(material, chosen, "counterpoint"),
    ...(counter.length > 0 ? counter : fromResearch(material, "competing_hypotheses", "counterpoint")),
  ].filter(hasOtherSide);
}

/** Rules that may be said, and a choice among them beside those that were said. */
function choice({ product, figures }: Material, said: readonly ClaimRule[]) {
  const values = new Map([...figures].map(([id, { value, isNumber }]) => [id, isNumber ? decimal(value) : null]));
  const value: ValueOf = (figure) => values.get(figure) ?? null;
  const open = CLAIM_RULES.filter(
    ({ slots, when }) =>
      Object.values(slots).every((figure) => figures.has(figure.replace("label/", ""))) && when(value, product),
  );
  const byHash = (rules: readonly ClaimRule[]) =>
    rules
      .map((rule) => ({ rule, rank: hash(product.instrument, rule.id) }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ rule }) => rule);
  const chosen: ClaimRule[] = [];
  const all = () => [...said, ...chosen];
  const isOther = (rule: ClaimRule) =>
    all().every((one) => subjectOf(one) !== subjectOf(rule)) &&
    figuresIn(rule).some((figure) => !all().some((one) => figuresIn(one).includes(figure)));
  const isOfOtherKind = (rule: ClaimRule) => all().every((one) => kindOf(one) !== kindOf(rule));
  const take = (rules: readonly ClaimRule[], most: number, mayRepeatKind = false) => {
    let left = most;
    for (const rule of rules) {
      if (left <= 0 || !isOther(rule) || !(mayRepeatKind || isOfOtherKind(rule))) continue;
      chosen.push(rule);
      left -= 1;
    }
  };
  /** No card without one of this role, even if a figure is then named twice. */
  const any = (role: ClaimRule["role"]) => {
    if (chosen.some((rule) => rule.role === role)) return;
    chosen.push(...byHash(open.filter((rule) => rule.role === role)).slice(0, 1));
  };
  return { open, chosen, take, byHash, any };
}

function proposals(material: Material, chosen: readonly ClaimRule[], role: ClaimRule["role"]): ClaimProposal[] {
  return chosen
    .filter((rule) => rule.role === role)
    .map((rule) => propose(rule, material, chosen.filter((one) => kindOf(one) === kindOf(rule)).indexOf(rule)));
}

const hasOtherSide = ({ opposing }: ClaimProposal) => opposing.kind === "found" && opposing.supports.length > 0;

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

/** Every figure that some rule of these roles binds or names as the other side. */
export function askedFigures(roles: readonly ClaimRule["role"][]): ReadonlySet<string> {
  const rules = CLAIM_RULES.filter(({ role }) => roles.includes(role));
  return new Set([
    ...rules.flatMap(({ slots }) => Object.values(slots).map((figure) => figure.replace("label/", ""))),
    ...roles.flatMap((role) => AGAINST[role]),
  ]);
}

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

/** At most one sentence of a section, as it stands. */
function fromResearch(material: Material, section: ResearchSection, role: ClaimRecord["role"]): ClaimProposal[] {
  const fit = material.research.filter((line) => line.section === section && line.causal_edge === null);
  const sayable = fit.filter(isSayable);
  const chosen = sayable[hash(material.product.instrument, section) % Math.max(sayable.length, 1)];
  return chosen === undefined ? [] : fromSentence(material, chosen, role);
}

/** A text with digits is left out: they would be bound to nothing. */
function isSayable({ type, text }: ResearchLine): boolean {
  return VIEWS.includes(type) && Object.values(text).every((one) => findNumerals(one).length === 0);
}

/** A sentence of the research that says why, where its edge may carry that. */
export function chooseCause(material: Pick<Material, "locale" | "research">, line: ResearchLine): ClaimProposal[] {
  return isSayable(line) ? fromSentence(material, line, line.section === "risks" ? "risk" : "point") : [];
}

/** Nothing without a sentence of the other side. */
function fromSentence(
  { locale, research }: Pick<Material, "locale" | "research">,
  { section, id, type, text, causal_edge }: ResearchLine,
  role: ClaimRecord["role"],
): ClaimProposal[] {
  const against = research.find((line) => line.section === OTHER_SIDE[section]);
  if (against === undefined) return [];
  return [
    {
      id: `research-${id}`.slice(0, 60),
      role,
      type,
      text: text[locale],
      slots: [],
      supports: [{ kind: "research", sentence: `research/${id}` }],
      opposing: { kind: "found", supports: [{ kind: "research", sentence: `research/${against.id}` }] },
      confidence: "medium",
      causal_edge,
      absence_receipt: null,
    },
  ];
}

/** Between runs, machines and languages the same. */
function hash(...parts: readonly string[]): number {
  return Number.parseInt(sha256(parts.join("\n")).slice(0, 12), 16);
}
