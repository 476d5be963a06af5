/** What a report says of composing is counted: a claim that was not recalculated is missing from the count, and so is its price. */
import { describe, expect, it } from "vitest";
import { addClaims, addRun, emptyComposing } from "../../pipeline/jobs/output/composing.ts";
import type { Composed, DrawnClaim } from "../../pipeline/schema/composed.ts";
import type { RecalculationRow } from "../../pipeline/schema/recalculated.ts";
import type { ModelTurn } from "../../pipeline/schema/turn.ts";

const figure = { kind: "figure" as const, figure: "nav", value: "1", printed: "1.00", figure_kind: "number" as const };
const claim = (changes: object = {}, runs: object[] = [figure]) =>
  ({
    record: { slots: [{ name: "f", figure: "nav" }], supports: [], ...changes },
    runs,
  }) as unknown as DrawnClaim;
const row = (changes: Partial<RecalculationRow> = {}): RecalculationRow => ({
  ...{ instrument: "US:X", figure: "nav", where: "claims/1", printed: "1.00", recalculated: "1.00" },
  ...{ match: true, formula: "nav" },
  ...changes,
});

function count(claims: DrawnClaim[], rows: RecalculationRow[] | null) {
  const total = emptyComposing({ provider: "p", model: "m" });
  addClaims(total, { claims, held: [claim()], refused: [{ id: "x", faults: [] }] } as unknown as Composed, rows);
  return total.claims;
}

describe("claims", () => {
  it("are proposed, drawn, held and refused", () => {
    expect(count([claim()], [row()])).toEqual({
      ...{ proposed: 3, drawn: 1, held: 1, refused: 1 },
      ...{ bound: 1, with_figures: 1, recalculated: 1 },
    });
    expect(count([claim()], null)).toMatchObject({ proposed: 3, drawn: 0, bound: 0, recalculated: 0 });
  });

  it.each<[string, RecalculationRow[]]>([
    ["stands elsewhere on the page", [row({ where: "tiles/1" })]],
    ["was printed otherwise", [row({ printed: "2.00" })]],
    ["did not match", [row({ match: false })]],
    ["has no formula in the second engine", [row({ formula: "" })]],
    ["was not read back", []],
  ])("whose figure %s are not recalculated", (_name, rows) => {
    expect(count([claim()], rows)).toMatchObject({ drawn: 1, with_figures: 1, recalculated: 0 });
  });

  it.each<[string, DrawnClaim]>([
    ["a place that is not printed as its figure", claim({}, [{ kind: "words", text: "1.00" }])],
    ["a label that is another figure's", claim({}, [{ kind: "classed", numeral: "label", of: "price", text: "1Y" }])],
    ["nothing that it rests on", claim({ slots: [] }, [{ kind: "words", text: "It is." }])],
  ])("with %s are not bound", (_name, each) => {
    expect(count([each], [row()])).toMatchObject({ drawn: 1, bound: 0 });
  });
});

describe("tokens and money", () => {
  const turn = (usage: ModelTurn["usage"], cost_microusd: number | null) => ({ usage, cost_microusd }) as ModelTurn;
  const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 2 };

  it("add up over runs; one answer that nobody counted makes the sum unknown, and it stays so", () => {
    const total = emptyComposing({ provider: "p", model: "m" });
    addRun(total, { turns: [turn(usage, 5), turn(usage, 6)], receipts: [] });
    expect(total).toMatchObject({ turns: 2, tokens_in: 20, tokens_out: 4, money_microusd: 11 });
    addRun(total, { turns: [turn(usage, null)], receipts: [] });
    expect(total).toMatchObject({ turns: 3, tokens_in: 30, money_microusd: null });
    addRun(total, { turns: [turn(null, 1)], receipts: [] });
    expect(total).toMatchObject({ turns: 4, tokens_in: null, tokens_out: null, money_microusd: null });
  });
});
