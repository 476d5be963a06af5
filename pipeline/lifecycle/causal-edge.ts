/**
 * The life of a causal edge, pure: a promotion is decided from the edge's history alone, and a history is sound when each
 * of its entries would have been decided so. One step at a time, dates never going back; withdrawal ends it. Support by
 * data, use in the shadow and approval are for edges that say what is estimated and how it is identified; the rest explain.
 */
import type { DateText } from "../domain/date.ts";
import {
  type CausalEdgeVersion,
  EDGE_STATES,
  type EdgeHistoryEntry,
  type EdgeState,
  isExplanatoryOnly,
} from "../schema/causal-edge.ts";

/** In order of precedence. */
export type PromotionRefusal = "WITHDRAWN" | "OUT_OF_ORDER" | "DATE_GOES_BACK" | "NOT_IDENTIFIED" | "SAME_PERSON";
export type Promotion =
  | { accepted: true; edge: CausalEdgeVersion }
  | { accepted: false; code: PromotionRefusal; detail: string };

const NEEDS_IDENTIFICATION: readonly EdgeState[] = ["EMPIRICAL_SUPPORT", "SHADOW_USE", "APPROVED"];

export function decidePromotion(edge: CausalEdgeVersion, entry: EdgeHistoryEntry): Promotion {
  const refuse = (code: PromotionRefusal, detail: string): Promotion => ({ accepted: false, code, detail });
  const [drafted] = edge.history;
  const last = edge.history.at(-1);
  if (last?.state === "WITHDRAWN") return refuse("WITHDRAWN", `withdrawn on ${last.on}; a new version begins anew`);
  const next = last === undefined ? "DRAFT" : EDGE_STATES[EDGE_STATES.indexOf(last.state) + 1];
  const isWithdrawal = entry.state === "WITHDRAWN" && last !== undefined;
  if (entry.state !== next && !isWithdrawal) {
    return refuse("OUT_OF_ORDER", `${entry.state} follows ${last?.state ?? "nothing"}, where ${next} would`);
  }
  if (last !== undefined && entry.on < last.on) {
    return refuse("DATE_GOES_BACK", `${entry.state} on ${entry.on}, before ${last.state} on ${last.on}`);
  }
  if (NEEDS_IDENTIFICATION.includes(entry.state) && isExplanatoryOnly(edge)) {
    return refuse("NOT_IDENTIFIED", `${entry.state} needs an estimand and an identification; this edge only explains`);
  }
  if (entry.state === "APPROVED" && drafted !== undefined && sameName(drafted.by.name, entry.by.name)) {
    return refuse("SAME_PERSON", `${entry.by.name} drafted it; another person approves`);
  }
  return { accepted: true, edge: { ...edge, history: [...edge.history, entry] } };
}

/** Null when every entry of the history would have been accepted; else the first refusal. */
export function historyRefusal(edge: CausalEdgeVersion): (Promotion & { accepted: false }) | null {
  let before: CausalEdgeVersion = { ...edge, history: [] };
  for (const entry of edge.history) {
    const decided = decidePromotion(before, entry);
    if (!decided.accepted) return decided;
    before = decided.edge;
  }
  return null;
}

/** State by the end of the day; null before the draft. */
export function stateOn({ history }: CausalEdgeVersion, day: DateText): EdgeState | null {
  return history.findLast(({ on }) => on <= day)?.state ?? null;
}

/**
 * The register as it stood: of each id the highest version begun by then, its history cut there, so that the last entry
 * is its state. A newer draft displaces an older approval: whoever reopens a question has reopened it for its uses.
 */
export function registerOn(edges: readonly CausalEdgeVersion[], day: DateText): CausalEdgeVersion[] {
  const standing = new Map<string, CausalEdgeVersion>();
  for (const edge of edges) {
    const history = edge.history.filter(({ on }) => on <= day);
    const other = standing.get(edge.id);
    if (history.length > 0 && (other === undefined || other.version < edge.version)) {
      standing.set(edge.id, { ...edge, history });
    }
  }
  return [...standing.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

function sameName(one: string, other: string): boolean {
  const plain = (name: string) => name.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();
  return plain(one) === plain(other);
}
