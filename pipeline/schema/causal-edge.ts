/**
 * CausalEdgeVersion: the hypothesis that a cause moves an effect, one version of it, with what it rests on, where it holds
 * and what has been decided about it. Whether the history keeps the order of states is for lifecycle/causal-edge.ts.
 */
import { z } from "zod";
import { MARKETS } from "../domain/instant.ts";
import { PRODUCT_TYPES } from "./instrument.ts";
import { date, line, person, prose, slug } from "./prose.ts";

/** Each is reached from the one before it. WITHDRAWN is reached from any and left for none. */
export const EDGE_STATES = [
  "DRAFT",
  "PREREGISTERED",
  "DATA_ELIGIBLE",
  "MECHANISM_REVIEW",
  "EMPIRICAL_SUPPORT",
  "SHADOW_USE",
  "APPROVED",
  "WITHDRAWN",
] as const;
export type EdgeState = (typeof EDGE_STATES)[number];

const historyEntry = z.strictObject({
  state: z.enum(EDGE_STATES),
  on: date,
  by: person,
  /** What the decision rests on. */
  basis: line(600),
});
export type EdgeHistoryEntry = z.infer<typeof historyEntry>;

const proseList = z.array(prose).max(12);
const days = z.number().int().min(0).max(3650);

export const causalEdgeSchema = z.strictObject({
  schema: z.literal("causal_edge/v1"),
  id: slug,
  version: z.number().int().min(1).max(1000),
  cause: prose,
  effect: prose,
  mechanism: prose,
  /** "+": more of the cause, more of the effect. */
  sign: z.enum(["+", "-"]),
  lag_days: z
    .strictObject({ from: days, to: days })
    .refine(({ from, to }) => from <= to, { message: "must not end before it begins" }),
  /** Where the edge holds: all of the conditions that are stated. */
  regime: z
    .strictObject({
      markets: z.array(z.enum(MARKETS)).min(1),
      product_types: z.array(z.enum(PRODUCT_TYPES)).min(1),
      peer_groups: z.array(line(60)).min(1).max(100).optional(),
      fx_hedged: z.boolean().optional(),
      from: date,
      /** Null: no end is known. */
      until: date.nullable(),
      prose,
    })
    .refine(({ from, until }) => until === null || from <= until, { message: "must not end before it begins" }),
  assumptions: proseList,
  alternatives: proseList,
  counter_evidence: proseList,
  negative_controls: proseList,
  falsifier: prose.nullable(),
  /** Without both of these the edge may explain and never be used as a cause. */
  estimand: prose.nullable(),
  identification: prose.nullable(),
  history: z.array(historyEntry).min(1).max(50),
});
export type CausalEdgeVersion = z.infer<typeof causalEdgeSchema>;

export function isExplanatoryOnly({
  estimand,
  identification,
}: Pick<CausalEdgeVersion, "estimand" | "identification">): boolean {
  return estimand === null || identification === null;
}
