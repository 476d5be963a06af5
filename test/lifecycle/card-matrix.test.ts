/** Every state × every command, three times: as written here by hand, through `decide`, and as raw inserts by the database. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AssayError } from "../../pipeline/domain/outcome.ts";
import { appendEvents } from "../../pipeline/ledger/append.ts";
import { STATES, type State } from "../../pipeline/lifecycle/card-state.ts";
import { type CommandName, decide, EVENT_OF } from "../../pipeline/lifecycle/card-version.ts";
import { recordCardVersions } from "../../pipeline/store/card-versions.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { type Card, cardOf, commandOf, LATER, NOW, versionIn } from "./support.ts";

const ALL =
  "plan start verify judge fault acknowledge approve reject withdraw_approval expire_approval seal revoke supersede remediate terminate";
const COMMANDS = ALL.split(" ") as CommandName[];
const WORK = "ALREADY_JUDGED ALREADY_JUDGED ALREADY_JUDGED ALREADY_JUDGED ALREADY_JUDGED";
const times = (code: string, count = 10) => Array(count).fill(code).join(" ");

/** One answer for each of ALL, in that order. */
// biome-ignore format: a table
const EXPECTED: Record<State, string> = {
  RECEIVED:   `ok ${times("NOT_PLANNED", 14)}`,
  PLANNED:    `ALREADY_PLANNED ok ok ok ok ${times("NOT_JUDGED")}`,
  RUNNING:    `ALREADY_PLANNED ok ok ok ok ${times("NOT_JUDGED")}`,
  VERIFYING:  `ALREADY_PLANNED ok ok ok ok ${times("NOT_JUDGED")}`,
  PASS:       `${WORK} NOTHING_TO_ACKNOWLEDGE ok ok NOT_APPROVED NOT_APPROVED NOT_APPROVED NOT_SEALED NOT_SEALED NOT_BLOCKED NOT_BLOCKED`,
  REVIEW:     `${WORK} ok ok ok NOT_APPROVED NOT_APPROVED NOT_APPROVED NOT_SEALED NOT_SEALED NOT_BLOCKED NOT_BLOCKED`,
  BLOCK:      `${WORK} ${times("BLOCKED", 8)} ok ok`,
  APPROVED:   `${WORK} ${times("ALREADY_APPROVED", 3)} ok ok ok NOT_SEALED NOT_SEALED NOT_BLOCKED NOT_BLOCKED`,
  REJECTED:   `${WORK} ${times("REJECTED", 8)} ok REJECTED`,
  SEALED:     `${WORK} ${times("ALREADY_SEALED", 6)} ok ok NOT_BLOCKED NOT_BLOCKED`,
  REVOKED:    times("REVOKED", 15),
  SUPERSEDED: times("SUPERSEDED", 15),
  TERMINATED: times("TERMINATED", 15),
};
const CELLS = (Object.keys(EXPECTED) as State[]).flatMap((state) =>
  EXPECTED[state].split(" ").map((expected, index) => [state, COMMANDS[index] as CommandName, expected] as const),
);

/** In REVIEW an approval also needs the finding acknowledged, which is not the state's matter. */
function readyFor(state: State, command: CommandName, card: Card) {
  const built = versionIn(state, card);
  if (state !== "REVIEW" || command !== "approve") return built;
  const said = decide(built.version, commandOf("acknowledge", card), NOW);
  if (!said.accepted) throw new Error(said.code);
  built.events.push(...said.events);
  return { ...built, version: { ...built.version, acknowledged: ["series-integrity/GAP/price_return.1y"] } };
}
const nowOf = (command: CommandName) => (command === "expire_approval" ? LATER : NOW);

it("the table has every state and every command", () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(Object.keys(STATES).sort());
  expect([...COMMANDS].sort()).toEqual(Object.keys(EVENT_OF).sort());
  expect(CELLS).toHaveLength(13 * 15);
});

describe("decide", () => {
  it.each(CELLS)("%s × %s: %s", (state, name, expected) => {
    const card = cardOf("pure");
    const { version } = readyFor(state, name, card);
    expect(version.state).toBe(state);
    const outcome = decide(version, commandOf(name, card), nowOf(name));
    expect(outcome.accepted ? "ok" : outcome.code).toBe(expected);
  });
});

describe("the database, by its own table", () => {
  let fresh: FreshDatabase;
  beforeAll(async () => {
    fresh = await freshDatabase();
  });
  afterAll(() => fresh.drop());

  it.each(CELLS)("%s × %s: %s", async (state, name, expected) => {
    const tenant = "main";
    const card = cardOf(`${state} ${name}`);
    const { events } = readyFor(state, name, card);
    await fresh.database.inTenant(tenant, async (tx) => {
      await recordCardVersions(tx, tenant, NOW, [rowOf(card.version_id, card.content_digest), rowOf(card.by, card.by)]);
      await appendEvents(tx, { tenant, events, actor: "test", at: NOW });
    });
    const raw = { type: EVENT_OF[name], body: bodyOf(state, name, card) };
    const written = fresh.database.inTenant(tenant, (tx) =>
      appendEvents(tx, { tenant, events: [raw], actor: "test", at: nowOf(name) }),
    );
    const answer = await written.then(
      () => "ok",
      (fault) => (fault instanceof AssayError ? fault.code : String(fault)),
    );
    expect(answer).toBe(expected === "ok" ? "ok" : "ILLEGAL_TRANSITION");
  });
});

/** The event as a writer past the machine would write it: of judged content it names the version, whatever it says. */
function bodyOf(state: State, name: CommandName, card: Card): Record<string, unknown> {
  const isWork = ["RECEIVED", "PLANNED", "RUNNING", "VERIFYING"].includes(state);
  const command = commandOf(name, card);
  const { version_id } = card;
  if (command.name === "plan") return isWork ? command.plan : { ...command.plan, version_id };
  if ("recorded" in command) return isWork ? command.recorded : { ...command.recorded, version_id };
  if (command.name === "judge") return command.judged;
  if (command.name === "fault") return command.faulted;
  const { name: _name, ...said } = command;
  return { version_id, ...said };
}

function rowOf(version_id: string, content_digest: string) {
  return {
    version_id,
    batch: "example",
    instrument: "US:YAMPL",
    channel: "internal-review",
    locale: "ko-KR",
    content_digest,
    document_digest: content_digest,
  };
}
