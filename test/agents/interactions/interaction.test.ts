import { describe, expect, it } from "vitest";
import {
  decideAccept,
  decideAdopt,
  decideCommit,
  decideRespond,
  decideRevise,
  decideWithdraw,
  effectBarrier,
  foldInteraction,
  type Interaction,
} from "../../../pipeline/agents/interactions/interaction.ts";
import { REFUSALS } from "../../../pipeline/agents/interactions/refusals.ts";
import { digestOf } from "../../../pipeline/domain/digest.ts";
import type { Answer, Asked, EventBody, InteractionEvent, Response } from "../../../pipeline/schema/interaction.ts";
import { APPROVAL, ASKED_AT, EXPIRES_AT, PERMISSION, QUESTION, requestOf } from "./support.ts";

const LATER = "2026-05-05T00:00:00.000Z";
const ANA = { account: "person/ana", is_authenticated: true };
const BEN = { account: "person/ben", is_authenticated: true };
const TERMINAL = { account: "cli", is_authenticated: false };

function opened(asked: Asked, recipient: string | null = "person/ana"): Interaction {
  return applied(null, decideAccept(null, requestOf(asked, { recipient }), false));
}

function applied(before: Interaction | null, decided: object): Interaction {
  if (!("event" in decided)) throw new Error(JSON.stringify(decided));
  const event = { ...(decided.event as InteractionEvent), at: LATER };
  const first = { type: "accepted/v1" as const, at: ASKED_AT, body: acceptedBody(before) };
  const events = before === null ? [event] : [first, ...histories.get(before)!.slice(1), event];
  const next = foldInteraction(events)!;
  histories.set(next, events);
  return next;
}
const histories = new Map<Interaction, (InteractionEvent & { at: string })[]>();
const acceptedBody = (before: Interaction | null) =>
  (before === null ? undefined : histories.get(before)![0]!.body) as EventBody<"accepted/v1">;

const response = (answer: Answer, changes: Partial<Response> = {}): Response => ({
  interaction_id: "a".repeat(32),
  revision: 1,
  client_response_id: "r-1",
  answer,
  ...changes,
});
const WORDS: Answer = { kind: "question", text: "KOSPI 200" };
const answered = (interaction: Interaction, answer: Answer) =>
  applied(interaction, decideRespond(interaction, ANA, response(answer), null, LATER));
const adoptedBy = (interaction: Interaction, owner: "task" | "authorization" | "effect") =>
  applied(interaction, decideAdopt(interaction, { owner, consumer: "main", reference: null }));

describe("a response names the exact request, its revision and an authenticated person", () => {
  const question = opened(QUESTION);
  const revised = applied(question, decideRevise(question, "main", { ...QUESTION, text: "Which index?" }));
  const withdrawn = applied(question, decideWithdraw(question, "found out"));
  const twice = answered(question, WORDS);
  const options = opened({ ...QUESTION, options: ["A", "B"] });
  const received = twice.response!;
  it.each([
    ["a request that nobody made", null, ANA, response(WORDS), null, LATER, "INTERACTION_UNKNOWN"],
    [
      "a permission by somebody unproven",
      opened(PERMISSION, null),
      TERMINAL,
      response({ kind: "permission", decision: "grant" }),
      null,
      LATER,
      "PERSON_REQUIRED",
    ],
    [
      "an approval by somebody unproven",
      opened(APPROVAL, null),
      TERMINAL,
      response({ kind: "approval", decision: "approve" }),
      null,
      LATER,
      "PERSON_REQUIRED",
    ],
    ["by another account", question, BEN, response(WORDS), null, LATER, "WRONG_ACCOUNT"],
    ["by the terminal for a person", question, TERMINAL, response(WORDS), null, LATER, "WRONG_ACCOUNT"],
    [
      "a used id with another body",
      question,
      ANA,
      response({ kind: "question", text: "other" }),
      received,
      LATER,
      "RESPONSE_CONFLICT",
    ],
    [
      "a used id for another revision",
      revised,
      ANA,
      response(WORDS, { revision: 2 }),
      received,
      LATER,
      "RESPONSE_CONFLICT",
    ],
    [
      "yes to a permission, in words",
      opened(PERMISSION),
      ANA,
      response({ kind: "question", text: "yes, granted" }),
      null,
      LATER,
      "ANSWER_KIND",
    ],
    [
      "an approval as an answer",
      question,
      ANA,
      response({ kind: "approval", decision: "approve" }),
      null,
      LATER,
      "ANSWER_KIND",
    ],
    [
      "a grant for an approval",
      opened(APPROVAL),
      ANA,
      response({ kind: "permission", decision: "grant" }),
      null,
      LATER,
      "ANSWER_KIND",
    ],
    ["none of the options", options, ANA, response({ kind: "question", text: "a" }), null, LATER, "ANSWER_NOT_OFFERED"],
    ["an old revision", revised, ANA, response(WORDS), null, LATER, "REVISION_OLD"],
    ["a revision that is not there", question, ANA, response(WORDS, { revision: 7 }), null, LATER, "REVISION_UNKNOWN"],
    ["after it was withdrawn", withdrawn, ANA, response(WORDS), null, LATER, "INTERACTION_WITHDRAWN"],
    ["a second one", twice, ANA, response(WORDS, { client_response_id: "r-2" }), null, LATER, "INTERACTION_ANSWERED"],
    ["at the very end", question, ANA, response(WORDS), null, EXPIRES_AT, "INTERACTION_EXPIRED"],
  ] as const)("%s is refused", (_name, interaction, who, given, earlier, now, code) => {
    expect(decideRespond(interaction, who, given, earlier, now)).toEqual({ refused: code });
  });

  it("of several reasons the first in the list is the answer", () => {
    const order = Object.keys(REFUSALS);
    const everything = applied(revised, decideWithdraw(revised, "x"));
    const answer: Answer = { kind: "approval", decision: "approve" };
    const refusals = [
      decideRespond(everything, BEN, response(answer), received, EXPIRES_AT),
      decideRespond(everything, ANA, response(answer), received, EXPIRES_AT),
      decideRespond(everything, ANA, response(answer), null, EXPIRES_AT),
      decideRespond(everything, ANA, response(WORDS), null, EXPIRES_AT),
      decideRespond(everything, ANA, response(WORDS, { revision: 2 }), null, EXPIRES_AT),
    ].map((decided) => ("refused" in decided ? order.indexOf(decided.refused) : -1));
    expect(refusals).toEqual([...refusals].sort((a, b) => a - b));
    expect(new Set(refusals).size).toBe(5);
    expect(refusals).not.toContain(-1);
  });

  it("the same id and body is the same receipt, even after the request has expired", () => {
    expect(decideRespond(twice, ANA, response(WORDS), received, EXPIRES_AT)).toEqual({ repeated: received });
  });

  it("a question to the terminal is answered by it and marked as unproven", () => {
    const asked = opened(QUESTION, "cli");
    const { response: kept } = applied(asked, decideRespond(asked, TERMINAL, response(WORDS), null, LATER));
    expect(kept).toMatchObject({ respondent: "cli", is_authenticated: false });
  });
});

describe("accepted, received, adopted and committed are four facts", () => {
  const grant: Answer = { kind: "permission", decision: "grant" };
  const approve: Answer = { kind: "approval", decision: "approve" };
  const done = { arguments_digest: digestOf("x", 1), preview_digest: null, reference: "receipt" };

  it("each says itself and none of the next", () => {
    const asked = opened(PERMISSION);
    expect([asked.response, asked.adoption, asked.effects]).toEqual([null, null, []]);
    const received = answered(asked, grant);
    expect([received.adoption, received.effects]).toEqual([null, []]);
    const adopted = adoptedBy(received, "authorization");
    expect(adopted.effects).toEqual([]);
    const committed = applied(adopted, decideCommit(adopted, { ...done, outcome: "COMMITTED" }));
    expect(committed.effects.map(({ outcome }) => outcome)).toEqual(["COMMITTED"]);
  });

  it.each([
    [
      "adopting what was not received",
      () => decideAdopt(opened(QUESTION), { owner: "task", consumer: "main", reference: null }),
      "NOT_ANSWERED",
    ],
    [
      "committing what was not received",
      () => decideCommit(opened(PERMISSION), { ...done, outcome: "COMMITTED" }),
      "NOT_ANSWERED",
    ],
    [
      "committing what was not adopted",
      () => decideCommit(answered(opened(PERMISSION), grant), { ...done, outcome: "COMMITTED" }),
      "NOT_ADOPTED",
    ],
    [
      "committing what was denied",
      () =>
        decideCommit(
          adoptedBy(answered(opened(PERMISSION), { kind: "permission", decision: "deny" }), "authorization"),
          { ...done, outcome: "COMMITTED" },
        ),
      "NOT_ALLOWED",
    ],
    [
      "committing words",
      () =>
        decideCommit(adoptedBy(answered(opened(QUESTION), { kind: "question", text: "yes, do it" }), "task"), {
          ...done,
          outcome: "COMMITTED",
        }),
      "NOT_ALLOWED",
    ],
    [
      "adopting twice",
      () =>
        decideAdopt(adoptedBy(answered(opened(QUESTION), WORDS), "task"), {
          owner: "task",
          consumer: "other",
          reference: null,
        }),
      "ALREADY_ADOPTED",
    ],
  ] as const)("%s is refused", (_name, decide, code) => {
    expect(decide()).toEqual({ refused: code });
  });

  it.each([
    ["question", QUESTION, WORDS, "task"],
    ["permission", PERMISSION, grant, "authorization"],
    ["approval", APPROVAL, approve, "effect"],
  ] as const)("a %s has one owner and no other may use its answer", (_kind, asked, answer, owner) => {
    const received = answered(opened(asked), answer);
    const tried = (["task", "authorization", "effect"] as const).map((one) => {
      const decided = decideAdopt(received, { owner: one, consumer: "x", reference: null });
      return [one, "refused" in decided ? decided.refused : "adopted"];
    });
    const others = (one: string) => (one === owner ? "adopted" : "WRONG_OWNER");
    expect(tried).toEqual(["task", "authorization", "effect"].map((one) => [one, others(one)]));
  });

  describe("an effect approval binds the exact arguments and the preview", () => {
    const exact = { arguments_digest: APPROVAL.arguments_digest, preview_digest: APPROVAL.preview_digest };
    const approved = adoptedBy(answered(opened(APPROVAL), approve), "effect");
    const unknown = applied(approved, decideCommit(approved, { ...exact, outcome: "UNKNOWN", reference: "r" }));
    const found = applied(unknown, decideCommit(unknown, { ...exact, outcome: "COMMITTED", reference: "r" }));
    it.each([
      ["as it was approved", approved, exact, LATER, null],
      ["with other arguments", approved, { ...exact, arguments_digest: digestOf("x", 2) }, LATER, "EFFECT_CHANGED"],
      ["with another preview", approved, { ...exact, preview_digest: digestOf("x", 2) }, LATER, "EFFECT_CHANGED"],
      ["without a preview", approved, { ...exact, preview_digest: null }, LATER, "EFFECT_CHANGED"],
      ["after the approval expired", approved, exact, EXPIRES_AT, "INTERACTION_EXPIRED"],
      ["when its outcome is unknown", unknown, exact, LATER, "EFFECT_UNKNOWN"],
      ["a second time", found, exact, LATER, "EFFECT_SETTLED"],
      ["when only received", answered(opened(APPROVAL), approve), exact, LATER, "NOT_ADOPTED"],
      [
        "when rejected",
        adoptedBy(answered(opened(APPROVAL), { kind: "approval", decision: "reject" }), "effect"),
        exact,
        LATER,
        "NOT_ALLOWED",
      ],
    ] as const)("%s", (_name, interaction, wouldBe, now, code) => {
      expect(effectBarrier(interaction, wouldBe, now)).toBe(code);
    });

    it("what is unknown may be found out and is never done again", () => {
      expect(decideCommit(unknown, { ...exact, outcome: "UNKNOWN", reference: "r" })).toEqual({
        refused: "EFFECT_UNKNOWN",
      });
      expect(found.effects.map(({ outcome }) => outcome)).toEqual(["UNKNOWN", "COMMITTED"]);
      expect(decideAccept(null, requestOf(APPROVAL), true)).toEqual({ refused: "EFFECT_UNKNOWN" });
    });
  });

  it("one call asks once; asking something else by the same call is refused", () => {
    const known = opened(QUESTION);
    expect(decideAccept(known, requestOf(QUESTION), false)).toEqual({ known });
    const other = requestOf({ ...QUESTION, text: "another" });
    expect(decideAccept(known, other, false)).toEqual({ refused: "REQUEST_CONFLICT" });
  });

  it("only a question is put in other words, by the task that asked it, while it is open", () => {
    const changes = { ...QUESTION, text: "other words" };
    expect(decideRevise(opened(APPROVAL), "main", changes)).toEqual({ refused: "NOT_REVISABLE" });
    expect(decideRevise(opened(QUESTION), "main/1.1", changes)).toEqual({ refused: "NOT_REVISABLE" });
    expect(decideRevise(answered(opened(QUESTION), WORDS), "main", changes)).toEqual({
      refused: "INTERACTION_ANSWERED",
    });
  });
});
