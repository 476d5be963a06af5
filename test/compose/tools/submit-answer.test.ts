import { describe, expect, it } from "vitest";
import { submitAnswer } from "../../../pipeline/compose/tools/submit-answer.ts";
import { answerSchema } from "../../../pipeline/schema/answer.ts";
import type { JsonObject } from "../../../pipeline/schema/turn.ts";
import { CARD, codeOf, deskOf, fact, tryTool } from "./desk.ts";

const facts = new Map([
  ["total_return.1y", fact("total_return.1y")],
  ["nav", fact("nav", { status: "UNAVAILABLE", reason: "NO_DATA", value: null })],
]);
const tool = submitAnswer(deskOf({ facts }));
const SENTENCE: JsonObject = {
  instrument: CARD,
  type: "DERIVED",
  text: "The total return of the {w} is {r}.",
  slots: [
    { name: "w", figure: "label/total_return.1y" },
    { name: "r", figure: "total_return.1y" },
  ],
};
const UNBOUND: JsonObject = { instrument: null, type: "INFERRED", text: "Nothing more can be said.", slots: [] };
const submit = (sentences: JsonObject[], more: JsonObject = {}) => tryTool(tool, { sentences, ...more });

describe("an answer", () => {
  it("is sentences with places; it refers to every figure that it binds and to what else it names", async () => {
    const supports = [{ kind: "evidence", evidence_id: "e1", locator: "row:1" }];
    const outcome = await submit([{ ...SENTENCE, supports }, UNBOUND], { sources: ["task:main/1.1/answer"] });
    const [output] = outcome.status === "OK" ? outcome.outputs! : [];
    expect(answerSchema.parse(output!.document).sentences.map(({ id }) => id)).toEqual(["answer/1", "answer/2"]);
    expect(output!.references).toEqual([`fact/${CARD}/total_return.1y`, "evidence/e1", "task:main/1.1/answer"]);
    expect(JSON.stringify(output!.document)).not.toContain("0.1");
  });

  it.each([
    ["a numeral", { text: "The total return of the {w} is {r}, about 10%." }, "NUMERAL"],
    ["a number in words", { text: "It rose by ten percent.", slots: [] }, "NUMERAL"],
    [
      "a figure without its window",
      { text: "The total return is {r}.", slots: [{ name: "r", figure: "total_return.1y" }] },
      "WINDOW_UNNAMED",
    ],
    [
      "a figure that has no value",
      { text: "The price is {r}.", slots: [{ name: "r", figure: "nav" }] },
      "FIGURE_UNAVAILABLE",
    ],
    ["a figure of nobody", { text: "The price is {r}.", slots: [{ name: "r", figure: "beauty" }] }, "FIGURE_UNKNOWN"],
    ["a place that is bound to nothing", { slots: [] }, "SLOT_UNBOUND"],
    ["two sentences", { text: "It is {r} of {w}. It is good." }, "SENTENCES_SEVERAL"],
    ["a figure of no product", { instrument: null }, "FIGURE_UNKNOWN"],
    ["a product that the run is not about", { instrument: "US:OTHER" }, "PRODUCT_UNKNOWN"],
    [
      "the name of a product and no figure of it",
      { ...UNBOUND, text: "The yonder test ETF is calm." },
      "PRODUCT_NAMED",
    ],
    ["its ticker", { ...UNBOUND, text: "YTEST is calm." }, "PRODUCT_NAMED"],
    ["a name that is a word too, as registered", { ...UNBOUND, text: "IT is calm." }, "PRODUCT_NAMED"],
  ])("with %s loses that sentence, with a code, and keeps the rest", async (_name, changes, code) => {
    const outcome = await submit([{ ...SENTENCE, ...changes }, UNBOUND]);
    expect(JSON.stringify("content" in outcome ? outcome.content : null)).toContain(code);
    expect(outcome.status === "OK" && outcome.outputs![0]!.document).toMatchObject({ sentences: [{ id: "answer/2" }] });
  });

  it("about no product keeps words that only resemble a product's name", async () => {
    const outcome = await submit([{ ...UNBOUND, text: "Nothing is known of it in that test." }]);
    expect(outcome.status).toBe("OK");
  });

  it("of which nothing is left is no answer", async () => {
    expect(codeOf(await submit([{ ...SENTENCE, text: "Ten percent.", slots: [] }]))).toBe("ALL_REFUSED");
  });

  it.each([
    ["twenty-five sentences", Array.from({ length: 25 }, () => UNBOUND)],
    ["no sentence", []],
    ["a long sentence", [{ ...UNBOUND, text: "a".repeat(401) }]],
    ["fields of its own", [{ ...UNBOUND, state: "APPROVED" }]],
  ])("of %s is refused whole", async (_name, sentences) => {
    expect(codeOf(await submit(sentences))).toBe("ARGUMENTS_REFUSED");
  });
});
