import { describe, expect, it } from "vitest";
import { REFUSALS, STATES, type State } from "../../pipeline/lifecycle/card-state.ts";
import {
  type CardVersion,
  type Command,
  decide,
  evolve,
  findingNames,
  foldVersion,
  stateAt,
} from "../../pipeline/lifecycle/card-version.ts";
import type { CardEvent } from "../../pipeline/schema/card-event.ts";
import { acknowledgedAll, applied, cardOf, commandOf, FINDING, LATER, NOW, PATHS, versionIn } from "./support.ts";

const card = cardOf("laws");
const inState = (state: State) => versionIn(state, card).version;
const changed = (name: Command["name"], change: Record<string, unknown>) =>
  ({ ...commandOf(name, card), ...change }) as Command;
function codeOf(version: CardVersion, command: Command, now = NOW): string {
  const outcome = decide(version, command, now);
  return outcome.accepted ? "ok" : outcome.code;
}
const other = "f".repeat(64);
const review = () => acknowledgedAll(inState("REVIEW"));

describe("what speaks against a command that its state allows", () => {
  // biome-ignore format: a table
  const CASES: [law: string, version: () => CardVersion, command: Command, code: string][] = [
    ["a finding that it does not have", () => inState("REVIEW"), changed("acknowledge", { finding: "GAP" }), "FINDING_UNKNOWN"],
    ["a finding twice", review, commandOf("acknowledge", card), "ALREADY_ACKNOWLEDGED"],
    ["approval with an open finding", () => inState("REVIEW"), commandOf("approve", card), "FINDINGS_OPEN"],
    ["approval with every finding acknowledged", review, commandOf("approve", card), "ok"],
    ["approval by who may not", review, changed("approve", { roles: ["ANALYST", "ADMIN"] }), "NOT_AUTHORISED"],
    ["approval without a role", review, changed("approve", { roles: [] }), "MALFORMED"],
    ["approval while another policy is in force", review, changed("approve", { policy_digest: other }), "POLICY_CHANGED"],
    ["approval of other bytes", review, changed("approve", { content_digest: other }), "CONTENT_DIFFERS"],
    ["approval from before its last event", review, changed("approve", { ledger_seq: 1 }), "POSITION_BEHIND"],
    ["approval that ends at once", review, changed("approve", { expires_at: NOW }), "EXPIRY_PAST"],
    ["approval until no day of the calendar", review, changed("approve", { expires_at: "2026-02-30T00:00:00.000Z" }), "MALFORMED"],
    ["approval until a local time", review, changed("approve", { expires_at: "2027-02-03T09:00:00+09:00" }), "MALFORMED"],
    ["sealing while another policy is in force", () => inState("APPROVED"), changed("seal", { policy_digest: other }), "POLICY_CHANGED"],
    ["sealing of swapped bytes", () => inState("APPROVED"), changed("seal", { content_digest: other }), "CONTENT_DIFFERS"],
    ["sealing until now", () => inState("APPROVED"), changed("seal", { valid_until: NOW }), "EXPIRY_PAST"],
    ["expiry before its time", () => inState("APPROVED"), commandOf("expire_approval", card), "APPROVAL_NOT_EXPIRED"],
    ["remediation by itself", () => inState("BLOCK"), changed("remediate", { by: card.version_id }), "SUPERSEDES_ITSELF"],
    ["rejection without a reason", () => inState("PASS"), changed("reject", { reason: "  " }), "MALFORMED"],
    ["a reason of 2,000 characters", () => inState("BLOCK"), changed("terminate", { reason: "가".repeat(2000) }), "ok"],
    ["a reason of 2,001 characters", () => inState("BLOCK"), changed("terminate", { reason: "가".repeat(2001) }), "MALFORMED"],
    ["a reason with an escape", () => inState("BLOCK"), changed("terminate", { reason: "a\u001b[2Jb" }), "MALFORMED"],
    ["a reason on two lines", () => inState("BLOCK"), changed("terminate", { reason: "a\nb" }), "MALFORMED"],
    ["a reason that turns the reading direction", () => inState("BLOCK"), changed("terminate", { reason: "a\u202eb" }), "MALFORMED"],
    ["a reason with half a character", () => inState("BLOCK"), changed("terminate", { reason: "a\ud83d" }), "MALFORMED"],
  ];
  it.each(CASES)("%s", (_law, version, command, code) => {
    expect(codeOf(version(), command)).toBe(code);
  });

  it("sealing after the approval has expired", () => {
    expect(codeOf(inState("APPROVED"), commandOf("seal", card), LATER)).toBe("APPROVAL_EXPIRED");
  });

  it("of several, the one that stands first in REFUSALS", () => {
    const order = Object.keys(REFUSALS);
    const wrong: [keyof Extract<Command, { name: "approve" }>, unknown, string][] = [
      ["roles", ["ANALYST"], "NOT_AUTHORISED"],
      ["policy_digest", other, "POLICY_CHANGED"],
      ["content_digest", other, "CONTENT_DIFFERS"],
      ["ledger_seq", 1, "POSITION_BEHIND"],
      ["expires_at", NOW, "EXPIRY_PAST"],
    ];
    for (let mask = 1; mask < 2 ** wrong.length; mask++) {
      const chosen = wrong.filter((_, index) => mask & (1 << index));
      const command = {
        ...commandOf("approve", card),
        ...Object.fromEntries(chosen.map(([key, value]) => [key, value])),
      };
      const codes = chosen.map(([, , code]) => code).sort((a, b) => order.indexOf(a) - order.indexOf(b));
      expect(codeOf(review(), command as Command)).toBe(codes[0]);
    }
  });
});

describe("a version", () => {
  it("goes back to what the gates judged when its approval ends, and each finding is to be acknowledged anew", () => {
    for (const [end, now] of [
      ["withdraw_approval", NOW],
      ["expire_approval", LATER],
    ] as const) {
      const back = applied(inState("APPROVED"), commandOf(end, card), now);
      expect(back).toMatchObject({ state: "REVIEW", approval: null, acknowledged: [] });
      expect(codeOf(back, commandOf("approve", card))).toBe("FINDINGS_OPEN");
    }
  });

  it("uses its approval up by being sealed", () => {
    const sealed = inState("SEALED");
    expect(sealed.approval).toBeNull();
    expect(codeOf(sealed, commandOf("seal", card))).toBe("ALREADY_SEALED");
  });

  it("past valid_until is EXPIRED without an event, from that instant on, and can still be revoked", () => {
    const sealed = inState("SEALED");
    expect(stateAt(sealed, "2026-11-03T23:59:59.999Z")).toBe("SEALED");
    expect(stateAt(sealed, "2026-11-04T00:00:00.000Z")).toBe("EXPIRED");
    expect(codeOf(sealed, commandOf("revoke", card), "2027-01-01T00:00:00.000Z")).toBe("ok");
    expect(stateAt(inState("REVOKED"), "2027-01-01T00:00:00.000Z")).toBe("REVOKED");
  });

  it("that ended in a fault is in BLOCK, with the fault's code and without a decision", () => {
    const faulted = applied(inState("RUNNING"), commandOf("fault", card));
    expect(faulted).toMatchObject({
      state: "BLOCK",
      judged: { verdict: "BLOCK", decisions: [], fault: { code: "PAYLOAD_DIFFERS" } },
    });
    expect(applied(faulted, commandOf("remediate", card))).toMatchObject({
      state: "SUPERSEDED",
      superseded_by: card.by,
    });
  });

  it("leaves BLOCK by remediation and termination alone", () => {
    expect(Object.keys(STATES.BLOCK.leaves).sort()).toEqual(["card_remediated/v1", "card_terminated/v1"]);
  });

  it("names each finding once", () => {
    expect(findingNames(inState("REVIEW"))).toEqual([FINDING]);
    expect(findingNames(inState("PASS"))).toEqual([]);
  });
});

describe("folding", () => {
  it.each(Object.keys(PATHS) as State[])("the events that led to %s give what the commands gave", (state) => {
    const { version, events } = versionIn(state, card);
    const history = events.map((event, index) => ({ ...(event as CardEvent), seq: index }));
    expect(foldVersion(history)).toEqual(version);
    const own = history.filter(({ type }) => type.startsWith("card_") && !type.startsWith("card_rendered"));
    if (own.length > 0) expect(foldVersion(own)).toEqual(version);
  });

  it("of an event that its state does not allow is a fault, not a state", () => {
    const sealed = { type: "card_sealed/v1", body: commandOf("seal", card) } as unknown as CardEvent;
    expect(() => evolve(inState("BLOCK"), sealed, 9)).toThrow(expect.objectContaining({ code: "ILLEGAL_TRANSITION" }));
  });
});
