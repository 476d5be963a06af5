/** Laws of an edge's life: one step at a time, never back, and no use as a cause without identification. */
import { describe, expect, it, test } from "vitest";
import {
  decidePromotion,
  historyRefusal,
  type PromotionRefusal,
  registerOn,
  stateOn,
} from "../../pipeline/lifecycle/causal-edge.ts";
import { type CausalEdgeVersion, EDGE_STATES, type EdgeState } from "../../pipeline/schema/causal-edge.ts";
import { approvedEdge } from "../gates/base-research.ts";

const edge = approvedEdge();
const ORDER = EDGE_STATES.filter((state) => state !== "WITHDRAWN");
/** The edge when it had come as far as `state`; null: before its draft. */
function upTo(state: EdgeState | null, over: Partial<CausalEdgeVersion> = {}): CausalEdgeVersion {
  if (state === "WITHDRAWN") return { ...withdrawn(upTo("DRAFT")), ...over };
  const length = state === null ? 0 : ORDER.indexOf(state) + 1;
  return { ...edge, history: edge.history.slice(0, length), ...over };
}
const entry = (state: EdgeState, on = "2026-02-02", name = "S. Linden") => ({
  state,
  on,
  by: { name, role: "Head of research" },
  basis: "minutes",
});
function withdrawn(before: CausalEdgeVersion): CausalEdgeVersion {
  return { ...before, history: [...before.history, entry("WITHDRAWN")] };
}

describe("a promotion", () => {
  const cells = [null, ...EDGE_STATES].flatMap((from) => EDGE_STATES.map((to) => [from, to] as const));
  test.each(cells)("from %s to %s is the next step, a withdrawal, or refused", (from, to) => {
    const decided = decidePromotion(upTo(from), entry(to));
    const isNext = to !== "WITHDRAWN" && ORDER.indexOf(to) === (from === null ? 0 : ORDER.indexOf(from as never) + 1);
    const isWithdrawal = to === "WITHDRAWN" && from !== null;
    expect(decided.accepted).toBe(from !== "WITHDRAWN" && (isNext || isWithdrawal));
    if (decided.accepted) expect(decided.edge.history.at(-1)?.state).toBe(to);
    else expect(decided.code).toBe(from === "WITHDRAWN" ? "WITHDRAWN" : "OUT_OF_ORDER");
  });

  test.each<[string, CausalEdgeVersion, ReturnType<typeof entry>, PromotionRefusal]>([
    ["a day before the last", upTo("DRAFT"), entry("PREREGISTERED", "2025-01-05"), "DATE_GOES_BACK"],
    [
      "without an estimand, to support by data",
      upTo("MECHANISM_REVIEW", { estimand: null }),
      entry("EMPIRICAL_SUPPORT"),
      "NOT_IDENTIFIED",
    ],
    [
      "without identification, to use in the shadow",
      upTo("EMPIRICAL_SUPPORT", { identification: null }),
      entry("SHADOW_USE"),
      "NOT_IDENTIFIED",
    ],
    ["approved by who drafted it", upTo("SHADOW_USE"), entry("APPROVED", "2026-02-02", "J. Alder"), "SAME_PERSON"],
    [
      "approved by who drafted it, spelt otherwise",
      upTo("SHADOW_USE"),
      entry("APPROVED", "2026-02-02", " ｊ.  alder "),
      "SAME_PERSON",
    ],
  ])("%s is refused", (_, from, to, code) => {
    expect(decidePromotion(from, to)).toMatchObject({ accepted: false, code });
  });

  it("on the day of the last one is accepted, and an edge that only explains comes as far as its mechanism", () => {
    expect(decidePromotion(upTo("DRAFT"), entry("PREREGISTERED", "2025-01-06")).accepted).toBe(true);
    const explaining = upTo("DATA_ELIGIBLE", { estimand: null, identification: null });
    expect(decidePromotion(explaining, entry("MECHANISM_REVIEW")).accepted).toBe(true);
  });
});

describe("a history", () => {
  it("is sound when every entry follows from those before it", () => {
    expect(historyRefusal(edge)).toBeNull();
    expect(historyRefusal(withdrawn(edge))).toBeNull();
  });
  test.each(ORDER.slice(0, -1))("that leaves out %s is not", (state) => {
    const history = edge.history.filter((one) => one.state !== state);
    expect(historyRefusal({ ...edge, history })).toMatchObject({ code: "OUT_OF_ORDER" });
  });
  it("of an approved edge without identification could not have come about", () => {
    expect(historyRefusal({ ...edge, identification: null })).toMatchObject({ code: "NOT_IDENTIFIED" });
  });
});

describe("the register on a day", () => {
  test.each<[string, EdgeState | null]>([
    ["2025-01-05", null],
    ["2025-01-06", "DRAFT"],
    ["2025-09-01", "SHADOW_USE"],
    ["2026-01-04", "SHADOW_USE"],
    ["2026-01-05", "APPROVED"],
    ["2030-01-01", "APPROVED"],
  ])("on %s the edge is %s", (day, state) => {
    expect(stateOn(edge, day)).toBe(state);
    expect(registerOn([edge], day).map(({ history }) => history.at(-1)?.state)).toEqual(state === null ? [] : [state]);
  });
  it("holds of two versions the higher one that had begun", () => {
    const second: CausalEdgeVersion = { ...edge, version: 2, history: [entry("DRAFT", "2026-03-02")] };
    const on = (day: string) => registerOn([second, edge], day).map(({ version }) => version);
    expect([on("2026-03-01"), on("2026-03-02")]).toEqual([[1], [2]]);
  });
});
