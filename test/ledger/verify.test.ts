import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOf } from "../../pipeline/domain/digest.ts";
import { bodyDigest, eventDigest, GENESIS } from "../../pipeline/ledger/event.ts";
import { verifyLedger } from "../../pipeline/ledger/verify.ts";
import type { LedgerEvent } from "../../pipeline/schema/ledger-event.ts";

const AT = "2026-05-04T00:00:00.000Z";

function chainOf(count: number, tenant = "main"): LedgerEvent[] {
  const events: LedgerEvent[] = [];
  for (let seq = 1; seq <= count; seq++) {
    events.push(link({ tenant, seq, prev_digest: events.at(-1)?.digest ?? GENESIS, body: { step: seq } }));
  }
  return events;
}

function link(fields: Pick<LedgerEvent, "tenant" | "seq" | "prev_digest" | "body">): LedgerEvent {
  const envelope = { ...fields, type: "step_recorded/v1", body_digest: bodyDigest(fields.body), actor: "cli", at: AT };
  return { schema: "ledger_event/v1", ...envelope, digest: eventDigest(envelope) };
}

function edited(events: LedgerEvent[], index: number, change: Partial<LedgerEvent>): LedgerEvent[] {
  return events.map((event, place) => (place === index ? { ...event, ...change } : event));
}

const whole = chainOf(6);
const head = { seq: 6, digest: whole[5]!.digest };

/** A removed row whose followers were renumbered, so that no number is skipped. */
const closedUp = [...whole.slice(0, 2), ...whole.slice(3)].map((event, index) => ({ ...event, seq: index + 1 }));
const swapped = whole.map((event) => whole[event.seq === 3 ? 3 : event.seq === 4 ? 2 : event.seq - 1]!);
const renumbered = swapped.map((event, index) => ({ ...event, seq: index + 1 }));
const rewritten = link({ ...whole[2]!, body: { step: 99 } });
const elsewhere = chainOf(6).map((event) => event);
const rechained = rewriteFrom(3);
const wrongStart = link({ tenant: "main", seq: 1, prev_digest: "f".repeat(64), body: { step: 1 } });

function rewriteFrom(seq: number): LedgerEvent[] {
  const events = whole.slice(0, seq - 1);
  for (let next = seq; next <= whole.length; next++) {
    events.push(link({ tenant: "main", seq: next, prev_digest: events.at(-1)!.digest, body: { step: next * 10 } }));
  }
  return events;
}

describe("each kind of tampering has its own answer, at the first place where it shows", () => {
  it.each([
    ["an untouched chain", whole, [], "OK", null],
    ["an untouched chain whose head is known", whole, [head], "OK", null],
    ["an edited body", edited(whole, 2, { body: { step: 4 } }), [], "BODY_ALTERED", 3],
    [
      "an edited body with its body digest",
      edited(whole, 2, { body: { a: 1 }, body_digest: bodyDigest({ a: 1 }) }),
      [],
      "BODY_ALTERED",
      3,
    ],
    ["an edited actor", edited(whole, 4, { actor: "someone" }), [], "BODY_ALTERED", 5],
    ["an edited time", edited(whole, 0, { at: "2026-05-05T00:00:00.000Z" }), [], "BODY_ALTERED", 1],
    ["a removed middle row", whole.filter((event) => event.seq !== 3), [], "ROW_MISSING", 3],
    ["a removed first row", whole.slice(1), [], "ROW_MISSING", 1],
    ["a removed row, the others renumbered", closedUp, [], "ROW_MISSING", 3],
    ["rows read in another order", swapped, [], "ORDER_CHANGED", 3],
    ["rows that exchanged their numbers", renumbered, [], "ORDER_CHANGED", 3],
    ["a row written twice", [...whole.slice(0, 3), whole[2]!, ...whole.slice(3)], [], "ORDER_CHANGED", 4],
    ["one row rewritten consistently", edited(whole, 2, rewritten), [], "RECHAINED", 4],
    ["the whole history rewritten, a position known", rechained, [head], "RECHAINED", 6],
    ["a cut tail, a position known", whole.slice(0, 4), [head], "TAIL_CUT", 5],
    ["everything removed, a position known", [], [head], "TAIL_CUT", 1],
    ["a chain that begins elsewhere", [wrongStart], [], "GENESIS_MISMATCH", 1],
    ["another tenant's chain", chainOf(3, "other"), [], "GENESIS_MISMATCH", 1],
  ] as const)("%s", (_name, events, known, answer, seq) => {
    expect(verifyLedger("main", events, known)).toMatchObject({ answer, seq });
  });

  it("without a known position a cut tail and a wholly rewritten history look sound: that is what checkpoints are for", () => {
    expect(verifyLedger("main", whole.slice(0, 4)).answer).toBe("OK");
    expect(verifyLedger("main", rechained).answer).toBe("OK");
  });

  it("says how many events it examined, so that nothing read is not taken for all sound", () => {
    expect(verifyLedger("main", [])).toEqual({ answer: "OK", seq: null, examined: 0 });
    expect(verifyLedger("main", elsewhere)).toEqual({ answer: "OK", seq: null, examined: 6 });
  });

  it("any single changed field of any event is found", () => {
    const fields = ["seq", "prev_digest", "type", "body_digest", "actor", "at", "digest", "tenant"] as const;
    fc.assert(
      fc.property(fc.nat(5), fc.constantFrom(...fields), (index, field) => {
        const event = whole[index]!;
        const value = field === "seq" ? event.seq + 100 : `${event[field]}x`;
        expect(verifyLedger("main", edited(whole, index, { [field]: value })).answer).not.toBe("OK");
      }),
    );
  });
});

it("the digests are those of the contract, worked by hand", () => {
  const [first] = chainOf(1);
  expect(first!.body_digest).toBe(digestOf("ledger_body", { step: 1 }));
  const { tenant, seq, prev_digest, type, body_digest, actor, at } = first!;
  expect(first!.digest).toBe(digestOf("ledger_event", { tenant, seq, prev_digest, type, body_digest, actor, at }));
  // sha256sum of ["assay/ledger_body/v1",{"step":1}]
  expect(first!.body_digest).toBe("58c9e66d349b99f0fc5cc5cc4713393b67e645ec9f489c87f65155ea2b20dba2");
});
