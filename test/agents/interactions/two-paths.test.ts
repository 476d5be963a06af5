import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type Decided,
  decideAccept,
  decideAdopt,
  decideCommit,
  decideRespond,
  decideRevise,
  decideWithdraw,
  foldInteraction,
  type Interaction,
} from "../../../pipeline/agents/interactions/interaction.ts";
import { AssayError } from "../../../pipeline/domain/outcome.ts";
import {
  type Answer,
  type Asked,
  effectKey,
  type InteractionEvent,
  interactionId,
  type Respondent,
  responseDigest,
} from "../../../pipeline/schema/interaction.ts";
import type { Tx } from "../../../pipeline/store/database.ts";
import { appendInteractionEvent, readInteractionEvents } from "../../../pipeline/store/interactions.ts";
import { type FreshDatabase, freshDatabase } from "../../support/database.ts";
import { APPROVAL, ASKED_AT, EXPIRES_AT, PERMISSION, QUESTION, requestOf } from "./support.ts";

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const KINDS: Record<string, Asked> = {
  question: QUESTION,
  blocking: { ...QUESTION, mode: "blocking" },
  permission: PERMISSION,
  approval: APPROVAL,
};
const PEOPLE: Respondent[] = [
  { account: "person/ana", is_authenticated: true },
  { account: "person/ben", is_authenticated: true },
  { account: "person/ana", is_authenticated: false },
];
const ANSWERS: Answer[] = [
  { kind: "question", text: "yes" },
  { kind: "permission", decision: "grant" },
  { kind: "permission", decision: "deny" },
  { kind: "approval", decision: "approve" },
  { kind: "approval", decision: "reject" },
];

interface Step {
  /** What would be written, were nobody to decide. */
  event(interaction: Interaction, index: number): InteractionEvent;
  decide(interaction: Interaction, index: number, now: string): Decided | { repeated: unknown };
}

const respondStep = fc
  .record({ who: fc.constantFrom(...PEOPLE), answer: fc.constantFrom(...ANSWERS), revision: fc.constantFrom(1, 1, 2) })
  .map(({ who, answer, revision }): Step => {
    const response = (interaction: Interaction, index: number) => {
      const { interaction_id } = interaction.request;
      return { interaction_id, revision, client_response_id: `${interaction_id}-${index}`, answer };
    };
    return {
      decide: (interaction, index, now) => decideRespond(interaction, who, response(interaction, index), null, now),
      event(interaction, index) {
        const { client_response_id } = response(interaction, index);
        const { account: respondent, is_authenticated } = who;
        const response_digest = responseDigest(respondent, response(interaction, index));
        return {
          type: "received/v1",
          body: { revision, respondent, is_authenticated, client_response_id, answer, response_digest },
        };
      },
    };
  });
/** Of owners that keep no journal: what a task's journal says is tried elsewhere. */
const adoptStep = fc.constantFrom("authorization" as const, "effect" as const).map((owner): Step => {
  const body = { owner, consumer: "x", reference: null };
  return { decide: (interaction) => decideAdopt(interaction, body), event: () => ({ type: "adopted/v1", body }) };
});
const commitStep = fc
  .record({
    outcome: fc.constantFrom("COMMITTED" as const, "FAILED" as const, "UNKNOWN" as const),
    exact: fc.boolean(),
  })
  .map(({ outcome, exact }): Step => {
    const { arguments_digest, preview_digest } = APPROVAL;
    const changed = exact ? arguments_digest : "0".repeat(64);
    const body = { outcome, arguments_digest: changed, preview_digest, reference: "x" };
    return { decide: (interaction) => decideCommit(interaction, body), event: () => ({ type: "committed/v1", body }) };
  });
const otherStep = fc.constantFrom("revise", "withdraw").map((name): Step => {
  const changes = { ...QUESTION, text: "other words" };
  return {
    decide: (interaction) =>
      name === "withdraw" ? decideWithdraw(interaction, "x") : decideRevise(interaction, "main", changes),
    event({ request }) {
      if (name === "withdraw") return { type: "withdrawn/v1", body: { reason: "x" } };
      return { type: "revised/v1", body: { request: { ...request, revision: request.revision + 1, asked: changes } } };
    },
  };
});

let rounds = 0;

it("whatever the functions refuse the database refuses, and whatever they accept it accepts", async () => {
  let [accepted, refused] = [0, 0];
  const trial = fc.record({
    kind: fc.constantFrom(...Object.keys(KINDS)),
    recipient: fc.constantFrom("person/ana", null),
    steps: fc.array(fc.oneof(respondStep, respondStep, adoptStep, commitStep, otherStep), {
      minLength: 3,
      maxLength: 7,
    }),
    late: fc.constantFrom(false, false, false, true),
  });
  await fc.assert(
    fc.asyncProperty(trial, async ({ kind, recipient, steps, late }) => {
      rounds += 1;
      // An effect of its own: what is unknown of one would stand in the way of the others.
      const asked = kind === "approval" ? { ...APPROVAL, tool: `tool-${rounds}` } : KINDS[kind]!;
      const root_id = `run-${rounds}`;
      const interaction_id = interactionId("main", root_id, "main#1.1");
      const request = requestOf(asked, { root_id, interaction_id, recipient });
      const first = decideAccept(null, request, false);
      if (!("event" in first)) throw new Error("not accepted");
      expect(first.event.body).toMatchObject({ effect_key: effectKey(asked) });
      await write(interaction_id, 1, ASKED_AT, first.event);
      for (const [index, step] of steps.entries()) {
        const known = (await fold(interaction_id))!;
        const at = late ? EXPIRES_AT : "2026-05-05T00:00:00.000Z";
        const decided = step.decide(known, index, at);
        // Words to a question have one more reader: the journal of the task that uses them.
        if ("event" in decided && decided.event.type === "adopted/v1" && asked.kind === "question") continue;
        const event = "event" in decided ? decided.event : step.event(known, index);
        const outcome = await write(interaction_id, known.seq + 1, at, event).then(
          () => "accepted",
          (error: unknown) => (error instanceof AssayError ? "refused" : error),
        );
        expect([event.type, outcome]).toEqual([event.type, "event" in decided ? "accepted" : "refused"]);
        if ("event" in decided) accepted += 1;
        else refused += 1;
      }
    }),
    { numRuns: 80 },
  );
  expect([accepted > 40, refused > 120]).toEqual([true, true]);
}, 120_000);

const inTenant = <T>(work: (tx: Tx) => Promise<T>) => fresh.database.inTenant("main", work);
const write = (interaction_id: string, seq: number, at: string, event: InteractionEvent) =>
  inTenant((tx) => appendInteractionEvent(tx, "main", { interaction_id, seq, at }, event));
const fold = async (id: string) => foldInteraction(await inTenant((tx) => readInteractionEvents(tx, "main", id)));
