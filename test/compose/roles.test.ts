/** Laws of the roles: who may do what, what becomes of disagreement, and that whoever assembles can add nothing. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Gateway, ProposedCall } from "../../pipeline/agents/gateway.ts";
import { readResearch } from "../../pipeline/collect/research.ts";
import { builtinComposer } from "../../pipeline/compose/builtin.ts";
import { CARD_BUDGET } from "../../pipeline/compose/contracts.ts";
import { builtinTerms, type ComposerTerms } from "../../pipeline/compose/run-composer.ts";
import { sentInputs } from "../../pipeline/compose/run-document.ts";
import type { ProductDesk } from "../../pipeline/compose/tools/desk.ts";
import { digestOf } from "../../pipeline/domain/digest.ts";
import type { CausalEdgeVersion, EdgeState } from "../../pipeline/schema/causal-edge.ts";
import { figureId } from "../../pipeline/schema/fact.ts";
import type { JsonObject, JsonValue } from "../../pipeline/schema/turn.ts";
import { FULL, factsOf, instrument } from "../render/fixtures.ts";
import { type DemoProduct, demoEdges } from "./demo-facts.ts";
import { agreeing, composeOn, deskOf } from "./desk.ts";

const RESEARCH = new URL("../../batches/demo-2026-08-28/research/KR-90E010.yaml", import.meta.url);
const NAME = "KR:90E010";
const self = instrument({
  instrument: NAME,
  ticker: "90E010",
  product_type: "EQUITY_INDEX",
  peer_group: "KR_US_LARGE",
  fx_hedged: "false",
});
const product: DemoProduct = {
  instrument: self,
  benchmark: null,
  facts: new Map(factsOf(self, FULL).map((fact) => [figureId(fact), fact])),
  research: readResearch(readFileSync(RESEARCH), "KR-90E010.yaml"),
};

type Twist = (calls: ProposedCall[]) => ProposedCall[];

/** The built-in roles, of which some do otherwise. */
function compose(
  twists: Record<string, Twist> = {},
  changes: Partial<ProductDesk> = {},
  terms: Partial<ComposerTerms> = {},
) {
  const builtin = builtinTerms("compose/test").modelFor;
  const modelFor: ComposerTerms["modelFor"] = (role) => {
    const twist = twists[role];
    if (twist === undefined) return builtin(role);
    const gateway: Gateway = {
      provider: "twisted",
      async answer(request, signal) {
        const answer = await builtinComposer.answer(request, signal);
        return { ...answer, calls: twist(answer.calls) };
      },
    };
    return { ...builtin(role), gateway };
  };
  return composeOn(deskOf(product, "en-US", changes), { modelFor, ...terms });
}

const call = (tool: string, args: JsonObject, call_id = "x"): ProposedCall => ({
  call_id,
  tool,
  arguments: args,
  malformed: null,
});
const withArguments =
  (tool: string, change: (args: JsonObject) => JsonObject): Twist =>
  (calls) =>
    calls.map((one) => (one.tool === tool ? { ...one, arguments: change(one.arguments!) } : one));

describe("a run of the built-in roles", () => {
  it("gives each part of the work to the role that it is of, and every claim knows the call that proposed it", async () => {
    const { claims, end, run, reviews, refused } = await compose();
    expect(end).toBe("FINISHED");
    expect(run.tasks.map(({ role, end: own }) => [role, own])).toEqual(
      [
        "planner",
        "domain_analyst",
        "causal_analyst",
        "challenger",
        "evidence_verifier",
        "quantitative_verifier",
        "assembler",
      ].map((role) => [role, "FINISHED"]),
    );
    const receipts = new Map(run.receipts.map((receipt) => [receipt.call, receipt]));
    for (const { turn, receipt } of claims) {
      expect(receipts.get(receipt)?.tool).toBe("submit_claims");
      expect(receipt.startsWith(`${turn}.`)).toBe(true);
    }
    const drafted = claims.length + refused.length;
    expect(reviews.map(({ role, supported }) => [role, supported])).toEqual([
      ["evidence_verifier", drafted],
      ["quantitative_verifier", drafted],
    ]);
  });

  it("keeps what each model was sent: rebuilt from the run's document, it has the digest that the turn names", async () => {
    const { run } = await compose();
    const digests = sentInputs(run).map((input) => digestOf("projected_input", input));
    expect(digests).toEqual(run.turns.map((turn) => turn.projected_input_digest));
    expect(new Set(run.messages.map((message) => JSON.stringify(message))).size).toBe(run.messages.length);
  });

  it("puts no text of research where a role's own words stand", async () => {
    const { run } = await compose();
    const words = Object.values(product.research!.thesis[0]!.text);
    for (const system of run.systems) for (const text of words) expect(system).not.toContain(text);
  });
});

describe("the assembler adds nothing", () => {
  const first = async () => (await compose()).claims[0]!;

  it.each<[string, (ids: JsonValue[]) => JsonValue[], string]>([
    ["an id that nobody proposed", (ids) => [...ids, "claims/made-up"], "CLAIM_UNKNOWN"],
    ["an id twice", (ids) => [...ids, ids[0]!], "ID_REPEATED"],
  ])("%s is refused with a code, and the rest stands", async (_name, change, code) => {
    const { claims } = await compose({
      assembler: withArguments("assemble", ({ claims: ids }) => ({ claims: change(ids as JsonValue[]) })),
    });
    const ids = claims.map(({ id }) => id);
    expect(ids).not.toContain("claims/made-up");
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(4);
    const { refused } = await assembledBy(change);
    expect(refused).toEqual([code]);
  });

  it.each<[string, JsonObject]>([
    ["a text", { text: "It will rise." }],
    ["a figure", { slots: [{ name: "r", figure: "total_return.1y" }] }],
    ["a forecast", { forecast: "up" }],
  ])("%s beside the ids: the call is refused, and nothing is assembled", async (_name, extra) => {
    const { claims, run, end } = await compose({
      assembler: withArguments("assemble", (args) => ({ ...args, ...extra })),
    });
    expect(run.receipts.find(({ tool }) => tool === "assemble")?.code).toBe("ARGUMENTS_REFUSED");
    expect([claims, end]).toEqual([[], "IDLE"]);
  });

  it("a claim in an id's place: refused", async () => {
    const claim = (await first()) as unknown as JsonObject;
    const { claims } = await compose({ assembler: withArguments("assemble", () => ({ claims: [claim] })) });
    expect(claims).toEqual([]);
  });

  it("takes every claim word for word from the draft that was handed in", async () => {
    const { claims, run } = await compose();
    const said = run.turns.flatMap(({ calls }) =>
      calls.flatMap(({ tool, arguments: args }) =>
        tool === "submit_claims" ? (args!.claims as JsonObject[]).map(({ id, text }) => [`claims/${id}`, text]) : [],
      ),
    );
    for (const { id, text } of claims) expect(said).toContainEqual([id, text]);
  });

  it("cannot leave out the counter-claim of a claim that it takes", async () => {
    const { claims } = await compose({
      assembler: withArguments("assemble", ({ claims: ids }) => ({
        claims: (ids as string[]).filter((id) => !id.startsWith("claims/but-")),
      })),
    });
    const { disagreements } = await compose();
    const objected = disagreements.filter(({ counter_claim }) => counter_claim?.startsWith("claims/but-"));
    expect(objected.length).toBeGreaterThan(0);
    for (const { about } of objected) expect(claims.map(({ id }) => id)).not.toContain(about);
  });
});

/** Codes that the assemble call answered with. */
async function assembledBy(change: (ids: JsonValue[]) => JsonValue[]) {
  const codes: string[] = [];
  await compose({
    assembler: (calls) => {
      const changed = withArguments("assemble", ({ claims }) => ({ claims: change(claims as JsonValue[]) }))(calls);
      // Without the end, the answer of the call is sent in the next input.
      return changed.filter(({ tool }) => tool !== "finish");
    },
  }).then(({ run }) => {
    for (const message of run.messages) {
      if (message.role !== "tool") continue;
      for (const { tool, output } of message.results) {
        if (tool !== "assemble") continue;
        const { refused = [] } = ((output as JsonObject).data ?? {}) as { refused?: { faults: { code: string }[] }[] };
        codes.push(...refused.flatMap(({ faults }) => faults.map(({ code }) => code)));
      }
    }
  });
  return { refused: [...new Set(codes)] };
}

describe("verifiers", () => {
  const off = (figure: string) => {
    const document = agreeing(NAME, product.facts);
    const figures = document.figures.map((one) =>
      one.figure === figure ? { ...one, printed: { "ko-KR": "+1.0%", "en-US": "+1.0%" } } : one,
    );
    return { recalculated: async () => ({ ...document, figures }) };
  };

  it("that disagree: what one of them does not support is off the card, with who said so", async () => {
    const { claims, refused, reviews } = await compose({}, off("total_return.1y"));
    const binds = claims.filter(({ slots }) => slots.some(({ figure }) => figure === "total_return.1y"));
    expect(binds).toEqual([]);
    expect(claims.length).toBeGreaterThan(0);
    const faults = refused.flatMap((one) => one.faults);
    expect(faults).toContainEqual({
      code: "NOT_SUPPORTED",
      detail: expect.stringContaining("quantitative_verifier: unsupported, FIGURE_MISMATCH, total_return.1y"),
    });
    expect(reviews.find(({ role }) => role === "evidence_verifier")?.unsupported).toBe(0);
  });

  it("without a second path: no claim with a figure is supported", async () => {
    const { claims, gaps } = await compose({}, { recalculated: async () => null });
    expect(claims.filter(({ slots }) => slots.length > 0)).toEqual([]);
    expect(gaps).toContainEqual({ role: "quantitative_verifier", code: "NO_RESULT" });
  });

  it.each(["evidence_verifier", "quantitative_verifier"])(
    "%s supports nothing that it did not look up",
    async (role) => {
      const LOOK_UPS = ["read_facts", "read_research", "read_causal_edges", "recalculate"];
      const support: Twist = (calls) =>
        calls
          .filter(({ tool }) => !LOOK_UPS.includes(tool))
          .map((one) =>
            one.tool === "submit_review"
              ? {
                  ...one,
                  arguments: {
                    reviews: (one.arguments!.reviews as JsonObject[]).map((review) => ({
                      ...review,
                      verdict: "supported",
                    })),
                  },
                }
              : one,
          );
      const blind: Twist = (calls) => {
        const kept = support(calls);
        return kept.length > 0 || calls.length === 0 ? kept : [call("read_drafts", { references: ["task:main/none"] })];
      };
      const { claims, run } = await compose({ [role]: blind });
      expect(run.tasks.find((task) => task.role === role)?.end).not.toBe("FINISHED");
      expect(claims).toEqual([]);
    },
  );

  it("say nothing of a claim that they were not given", async () => {
    const told = await compose();
    const { reviews } = await compose({
      quantitative_verifier: withArguments("submit_review", ({ reviews }) => ({
        reviews: [
          ...(reviews as JsonValue[]),
          { claim: "claims/other", verdict: "supported", code: null, detail: null },
        ],
      })),
    });
    expect(reviews).toEqual(told.reviews);
  });
});

describe("disagreement", () => {
  it("is on record with who, about what, on which grounds, and the claim that says the other side", async () => {
    const { disagreements, claims } = await compose();
    expect(disagreements.length).toBeGreaterThan(0);
    const ids = claims.map(({ id }) => id);
    for (const { by, about, grounds, counter_claim } of disagreements) {
      expect(by).toBe("challenger");
      expect(grounds.length).toBeGreaterThan(0);
      if (about.startsWith("claims/")) expect(ids).toContain(about);
      if (counter_claim !== null) expect(ids).toContain(counter_claim);
    }
  });

  it("stays on record when the planner hands no objection on", async () => {
    const told = await compose();
    const { disagreements } = await compose({
      planner: withArguments("delegate", ({ inputs, ...order }) => ({
        ...order,
        inputs: (inputs as string[]).filter((input) => !input.endsWith("/objections")),
      })),
    });
    expect(disagreements).toEqual(told.disagreements);
  });

  it.each<[string, JsonObject, string]>([
    ["about a claim that nobody made", { about: "claims/none" }, "CLAIM_UNKNOWN"],
    ["with a counter-claim that nobody made", { counter_claim: "claims/none" }, "COUNTER_CLAIM_UNKNOWN"],
    ["about its author's own claim", { about: "OWN", counter_claim: null }, "CLAIM_IS_YOURS"],
  ])("%s is no objection", async (_name, change, code) => {
    const answers: string[] = [];
    const { disagreements, run } = await compose({
      challenger: (calls) =>
        withArguments("object", ({ objections, ...rest }) => {
          const own = (calls.find(({ tool }) => tool === "submit_claims")!.arguments!.claims as JsonObject[])[0]!.id;
          const changed = (objections as JsonObject[]).map((one) => ({ ...one, ...change }));
          return {
            ...rest,
            objections: changed.map((one) => (one.about === "OWN" ? { ...one, about: `claims/${own}` } : one)),
          };
        })(calls).filter(({ tool }) => tool !== "finish"),
    });
    for (const message of run.messages) {
      if (message.role === "tool") {
        for (const { tool, output } of message.results) if (tool === "object") answers.push(JSON.stringify(output));
      }
    }
    expect(disagreements.filter(({ by }) => by === "challenger")).toEqual([]);
    expect(answers.join()).toContain(code);
  });
});

describe("the causal analyst", () => {
  const edgeIn = (state: EdgeState): CausalEdgeVersion[] =>
    demoEdges().map((edge) =>
      edge.id === "dollar-to-won-value"
        ? { ...edge, history: [...edge.history, { ...edge.history.at(-1)!, state }] }
        : edge,
    );

  it("says why by an approved edge that holds, and names it", async () => {
    const { claims } = await compose();
    const because = claims.filter(({ causal_edge }) => causal_edge !== null);
    expect(because.map(({ id, causal_edge }) => [id, causal_edge])).toEqual([
      ["claims/research-won-value", "dollar-to-won-value"],
    ]);
  });

  it.each<[string, Partial<ProductDesk>, string]>([
    ["an edge that is withdrawn", { causalEdges: edgeIn("WITHDRAWN") }, "EDGE_WITHDRAWN"],
    ["an edge that is not approved", { causalEdges: edgeIn("SHADOW_USE") }, "EDGE_NOT_APPROVED"],
    [
      "an edge that holds elsewhere",
      { product: { ...deskOf(product, "en-US").products.get(NAME)!.product, peer_group: "KR_OTHER" } },
      "EDGE_OUTSIDE_REGIME",
    ],
  ])("%s carries no claim: it objects to the sentence that names it", async (_name, changes, code) => {
    const { claims, disagreements, gaps } = await compose({}, changes);
    expect(claims.filter(({ causal_edge }) => causal_edge !== null)).toEqual([]);
    expect(disagreements).toContainEqual(
      expect.objectContaining({
        by: "causal_analyst",
        about: "research/won-value",
        stance: "disagrees",
        grounds: [{ kind: "edge", edge: "dollar-to-won-value" }],
      }),
    );
    expect(gaps).toContainEqual({ role: "causal_analyst", code });
  });

  it("invents no sentence for an edge that nobody said anything by", async () => {
    const research = { ...product.research!, thesis: product.research!.thesis.filter(({ id }) => id !== "won-value") };
    const { claims, gaps } = await compose({}, { research });
    expect(claims.filter(({ causal_edge }) => causal_edge !== null)).toEqual([]);
    expect(gaps).toContainEqual({ role: "causal_analyst", code: "EDGE_WITHOUT_SENTENCE" });
  });

  it("is not asked where no edge concerns the product", async () => {
    const { run } = await compose({}, { causalEdges: [] });
    expect(run.tasks.map(({ role }) => role)).not.toContain("causal_analyst");
  });
});

describe("every role within its contract", () => {
  const refusals = async (role: string, wanted: ProposedCall) => {
    let isFirst = true;
    const { run } = await compose({
      [role]: (calls) => {
        const own = isFirst ? [wanted, ...calls] : calls;
        isFirst = false;
        return own;
      },
    });
    return run.receipts.find(({ call_id }) => call_id === "x")?.code;
  };

  it.each<[string, string, ProposedCall, string]>([
    ["the planner proposes no claim", "planner", call("submit_claims", {}), "TOOL_NOT_OFFERED"],
    ["the planner assembles nothing", "planner", call("assemble", { claims: ["claims/a"] }), "TOOL_NOT_OFFERED"],
    ["a child delegates nothing", "domain_analyst", call("delegate", {}), "TOOL_NOT_OFFERED"],
    ["a verifier proposes no claim", "evidence_verifier", call("submit_claims", {}), "TOOL_NOT_OFFERED"],
    ["an author reviews nothing", "domain_analyst", call("submit_review", {}), "TOOL_NOT_OFFERED"],
    ["nobody sees another product", "domain_analyst", call("list_facts", { instrument: "US:SPY" }), "OUTSIDE_SCOPE"],
    [
      "no child works as planner",
      "planner",
      call("delegate", { role: "planner", inputs: [], note: null }),
      "ARGUMENTS_REFUSED",
    ],
    [
      "no verifier works without claims",
      "planner",
      call("delegate", { role: "evidence_verifier", inputs: [], note: null }),
      "INPUTS_MISSING",
    ],
    [
      "no document of another run is handed in",
      "planner",
      call("delegate", { role: "challenger", inputs: ["task:other/2.1/claims"], note: null }),
      "CHILD_OUTSIDE_PARENT",
    ],
  ])("%s", async (_name, role, wanted, code) => {
    expect(await refusals(role, wanted)).toBe(code);
  });

  it("a child that goes in circles ends by its own share, and the rest of the run goes on without it", async () => {
    let asked = 0;
    const { run, end, claims, gaps } = await compose({
      challenger: () => {
        asked += 1;
        return [call("read_facts", { instrument: NAME, figures: [`none.${asked}`] })];
      },
    });
    expect(asked).toBe(CARD_BUDGET.requests * 0.2);
    expect(run.tasks.find(({ role }) => role === "challenger")?.end).toBe("BUDGET_REQUESTS");
    expect(end).toBe("FINISHED");
    expect(claims.length).toBeGreaterThan(0);
    expect(gaps).toContainEqual({ role: "challenger", code: "BUDGET_REQUESTS" });
  });

  it("the whole run ends by its own budget, and nothing half-done is on the card", async () => {
    const { end, claims, refused } = await compose({}, {}, { budget: { ...CARD_BUDGET, requests: 16 } });
    expect(end).toBe("BUDGET_REQUESTS");
    expect(claims).toEqual([]);
    expect(refused.length).toBeGreaterThan(0);
  });

  it("an id that another's claim has is not taken twice", async () => {
    const { run, claims } = await compose({
      challenger: withArguments("submit_claims", ({ claims: own, ...rest }) => ({
        ...rest,
        claims: (own as JsonObject[]).map((one, index) => (index === 0 ? { ...one, id: "return-up-1y" } : one)),
      })),
    });
    expect(claims.filter(({ id }) => id === "claims/return-up-1y")).toHaveLength(1);
    expect(run.tasks.length).toBe(7);
  });
});
